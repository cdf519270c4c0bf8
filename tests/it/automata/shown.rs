//! Examples in documents, and JSON as it is shown there.

use std::path::Path;

/// What stands between fences of this language in a document.
pub fn blocks(path: &str, language: &str) -> Vec<String> {
    let text = std::fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap();
    let fences: Vec<&str> = text.split("```").collect();
    let inside = fences.iter().skip(1).step_by(2);
    let wanted = inside.filter_map(|block| block.strip_prefix(&format!("{language}\n")));
    wanted.map(str::to_owned).collect()
}

/// JSON with what fits on a line on one line.
pub fn pretty(value: &serde_json::Value) -> String {
    fn write(value: &serde_json::Value, indent: usize, out: &mut String) {
        let flat = spaced(value);
        if flat.len() + indent <= 96 || !(value.is_array() || value.is_object()) {
            return out.push_str(&flat);
        }
        let inner = " ".repeat(indent + 2);
        let (open, close) = if value.is_array() { ("[", "]") } else { ("{", "}") };
        out.push_str(open);
        let entries: Vec<(String, &serde_json::Value)> = match value {
            serde_json::Value::Array(all) => all.iter().map(|one| (String::new(), one)).collect(),
            serde_json::Value::Object(all) => {
                all.iter().map(|(name, one)| (format!("\"{name}\": "), one)).collect()
            }
            _ => Vec::new(),
        };
        for (place, (name, one)) in entries.iter().enumerate() {
            let comma = if place == 0 { "" } else { "," };
            out.push_str(&format!("{comma}\n{inner}{name}"));
            write(one, indent + 2, out);
        }
        out.push_str(&format!("\n{}{close}", " ".repeat(indent)));
    }
    fn spaced(value: &serde_json::Value) -> String {
        match value {
            serde_json::Value::Array(all) => {
                format!("[{}]", all.iter().map(spaced).collect::<Vec<_>>().join(", "))
            }
            serde_json::Value::Object(all) => {
                let fields = all.iter().map(|(name, one)| format!("\"{name}\": {}", spaced(one)));
                format!("{{ {} }}", fields.collect::<Vec<_>>().join(", "))
            }
            other => other.to_string(),
        }
    }
    let mut out = String::new();
    write(value, 0, &mut out);
    out.push('\n');
    out
}
