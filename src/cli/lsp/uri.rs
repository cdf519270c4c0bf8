//! URIs and paths. Editors write the same URI in different ways, so documents are known by their paths.

use crate::loader::normalise;

/// The path of a URI; one that is no file stands for itself.
pub(super) fn path_of(uri: &str) -> String {
    let Some(path) = uri.strip_prefix("file://") else { return uri.to_owned() };
    // A host before the path, which can only be this machine.
    let path = path.find('/').map_or(path, |at| &path[at..]);
    let bytes = path.as_bytes();
    let (mut decoded, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        let hex = (byte == b'%').then(|| path.get(at + 1..at + 3)).flatten();
        match hex.and_then(|hex| u8::from_str_radix(hex, 16).ok()) {
            Some(byte) => {
                decoded.push(byte);
                at += 3;
            }
            None => {
                decoded.push(byte);
                at += 1;
            }
        }
    }
    normalise(&String::from_utf8(decoded).unwrap_or_else(|_| path.to_owned()))
}

/// The URI of a path.
pub(super) fn uri_of(path: &str) -> String {
    if !path.starts_with('/') {
        return path.to_owned();
    }
    let mut uri = "file://".to_owned();
    for byte in path.bytes() {
        let plain = byte.is_ascii_alphanumeric() || b"/-._~".contains(&byte);
        if plain {
            uri.push(char::from(byte));
        } else {
            uri.push_str(&format!("%{byte:02X}"));
        }
    }
    uri
}

#[cfg(test)]
mod tests {
    use super::{path_of, uri_of};

    #[test]
    fn uris_are_paths() {
        for path in ["/a/b.pnet", "/ä b/100%.pnet", "/x/(y)+@&=.pnet"] {
            assert_eq!(path_of(&uri_of(path)), path);
        }
        assert_eq!(path_of("file:///x/(y)+@.pnet"), "/x/(y)+@.pnet");
        assert_eq!(path_of("file://localhost/a/../b.pnet"), "/b.pnet");
        assert_eq!(path_of("file:///a%2"), "/a%2");
        assert_eq!(path_of("file:///a%é"), "/a%é");
        assert_eq!(path_of("untitled:Untitled-1"), "untitled:Untitled-1");
        assert_eq!(path_of("file://"), "");
    }
}
