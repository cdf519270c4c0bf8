//! What `pnet verify --format json` writes is what its schema says, and the schema is what the types say.
//! `PNET_BLESS=1 cargo test schema::` writes the schema anew.
use std::path::Path;
use std::process::Command;

use serde_json::Value;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

#[test]
fn the_schema_is_up_to_date() {
    let path = root().join("docs/verify.schema.json");
    let made = format!("{:#}\n", pnetc::emit::outcome::schema());
    if std::env::var_os("PNET_BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), made, "PNET_BLESS=1 writes it anew");
}

#[test]
fn the_schema_of_traces_is_up_to_date() {
    let path = root().join("docs/trace.schema.json");
    let made = format!("{:#}\n", pnetc::emit::trace::schema());
    if std::env::var_os("PNET_BLESS").is_some() {
        std::fs::write(&path, &made).unwrap();
    }
    assert_eq!(std::fs::read_to_string(&path).unwrap(), made, "PNET_BLESS=1 writes it anew");
}

#[test]
fn traces_fit_their_schema() {
    let schema = pnetc::emit::trace::schema();
    let commands: [&[&str]; 3] = [
        &["tests/runs/line.pnet", "--seed", "3"],
        &["tests/runs/shop.pnet", "--seed", "2", "--domain", "Good=2"],
        &["tests/runs/table.pnet", "Table<3>", "--seed", "4"],
    ];
    for args in commands {
        let output = Command::new(env!("CARGO_BIN_EXE_pnet"))
            .args([&["run"], args, &["--emit", "trace"]].concat())
            .current_dir(root())
            .output()
            .unwrap();
        let object: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(differs(&schema, &schema, &object, "$"), None, "{args:?}");
        assert!(!object["steps"].as_array().unwrap().is_empty());
    }
}

/// Why a value is not what a schema says; nothing if it is. Knows as much of JSON Schema as is used.
fn differs(root: &Value, schema: &Value, value: &Value, at: &str) -> Option<String> {
    if let Some(name) = schema["$ref"].as_str() {
        let name = name.strip_prefix("#/$defs/").expect("a definition");
        if let Some(why) = differs(root, &root["$defs"][name], value, at) {
            return Some(why);
        }
    }
    for key in ["oneOf", "anyOf"] {
        if let Some(ways) = schema[key].as_array() {
            let fitting = ways.iter().filter(|way| differs(root, way, value, at).is_none());
            let count = fitting.count();
            if count == 0 || (key == "oneOf" && count > 1) {
                return Some(format!("{at}: {count} of {key} fit {value}"));
            }
        }
    }
    if let Some(wanted) = schema.get("const")
        && wanted != value
    {
        return Some(format!("{at}: {value} is not {wanted}"));
    }
    if let Some(all) = schema["enum"].as_array()
        && !all.contains(value)
    {
        return Some(format!("{at}: {value} is none of {all:?}"));
    }
    if !has_type(&schema["type"], value) {
        return Some(format!("{at}: {value} is no {}", schema["type"]));
    }
    if let (Some(fields), Some(object)) = (schema["properties"].as_object(), value.as_object()) {
        for (name, field) in fields {
            let inner = object.get(name);
            if let Some(inner) = inner
                && let Some(why) = differs(root, field, inner, &format!("{at}.{name}"))
            {
                return Some(why);
            }
        }
        let required = schema["required"].as_array().into_iter().flatten();
        for name in required.filter_map(Value::as_str) {
            if !object.contains_key(name) {
                return Some(format!("{at}: `{name}` is missing in {value}"));
            }
        }
    }
    if let Some(items) = value.as_array() {
        let first = schema["prefixItems"].as_array();
        for (place, item) in items.iter().enumerate() {
            let inner = first.and_then(|all| all.get(place)).unwrap_or(&schema["items"]);
            if let Some(why) = differs(root, inner, item, &format!("{at}[{place}]")) {
                return Some(why);
            }
        }
    }
    None
}

fn has_type(wanted: &Value, value: &Value) -> bool {
    match wanted {
        Value::Null => true,
        Value::Array(all) => all.iter().any(|one| has_type(one, value)),
        Value::String(name) => match name.as_str() {
            "null" => value.is_null(),
            "boolean" => value.is_boolean(),
            "integer" => value.is_i64() || value.is_u64(),
            "number" => value.is_number(),
            "string" => value.is_string(),
            "array" => value.is_array(),
            "object" => value.is_object(),
            other => panic!("{other}"),
        },
        other => panic!("{other}"),
    }
}

#[test]
fn what_is_written_fits_the_schema() {
    let schema = pnetc::emit::outcome::schema();
    let models = ["tests/stories/plays.pnet", "examples/enable.pnet", "examples/prod_cons.pnet"];
    let mut kinds: Vec<String> = Vec::new();
    for model in models {
        let output = Command::new(env!("CARGO_BIN_EXE_pnet"))
            .args(["verify", model, "--format", "json"])
            .current_dir(root())
            .output()
            .unwrap();
        for line in String::from_utf8(output.stdout).unwrap().lines() {
            let object: Value = serde_json::from_str(line).unwrap();
            if object.get("verdict").is_some() {
                assert_eq!(differs(&schema, &schema, &object, "$"), None, "{line}");
                kinds.push(object["evidence"]["kind"].as_str().unwrap().to_owned());
            }
        }
    }
    for kind in ["relation", "play", "run", "none"] {
        assert!(kinds.iter().any(|known| known == kind), "no {kind} in {kinds:?}");
    }
}

/// The checker itself notices what does not fit.
#[test]
fn what_does_not_fit_is_noticed() {
    let schema = pnetc::emit::outcome::schema();
    let object = serde_json::json!({ "verdict": "perhaps" });
    assert!(differs(&schema, &schema, &object, "$").is_some());
}
