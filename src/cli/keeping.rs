//! `pnet reduce --smart --keep DIR`: what parts were restricted by, so that others can restrict them by it again.

use std::sync::Arc;

use serde_json::json;

use super::files::in_words;
use super::output::write_result;
use super::systems::write_system;
use super::watch::Working;
use crate::emit::composition::interface_object;
use crate::network::RefinedInterface;

/// The name of the list of interfaces.
const LIST: &str = "interfaces.jsonl";

/// Writes interfaces into a folder, each as a system, and a list that says whose they are and what they control.
pub(super) fn keep_interfaces(
    (folder, silent): (&str, &str),
    interfaces: &[(String, Arc<RefinedInterface>)],
    watch: &Working,
) -> Result<(), String> {
    std::fs::create_dir_all(folder)
        .map_err(|problem| format!("cannot write to `{folder}`: {}", in_words(&problem)))?;
    let mut list = String::new();
    for (number, (of, interface)) in (1..).zip(interfaces) {
        let file = format!("interface-{number:03}.aut");
        let path = format!("{folder}/{file}");
        if !write_system(Some(&path), silent, &interface.interface.lts, watch)? {
            return Err(format!("`{path}` was not written to its end"));
        }
        let line = json!({ "file": file, "of": of, "interface": interface_object(interface) });
        list.push_str(&format!("{line}\n"));
    }
    write_result(&list, Some(&format!("{folder}/{LIST}")))
}
