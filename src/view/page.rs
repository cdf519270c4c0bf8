//! The page: files that a browser asks for, as they are.

/// A file of the page.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PageFile {
    /// Its kind, for the browser.
    pub kind: &'static str,
    /// Its text.
    pub text: String,
}

const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";
const SCRIPT: &str = "text/javascript; charset=utf-8";

/// The file of the page at a path; nothing where there is none.
pub fn page_file(path: &str) -> Option<PageFile> {
    let (kind, text) = match path {
        "/" => (HTML, include_str!("page/index.html").to_owned()),
        "/page.css" => (CSS, include_str!("page/page.css").to_owned()),
        "/picture.css" => (CSS, crate::emit::picture_style()),
        "/main.js" => (SCRIPT, include_str!("page/main.js").to_owned()),
        "/ask.js" => (SCRIPT, include_str!("page/ask.js").to_owned()),
        "/made.js" => (SCRIPT, include_str!("page/made.js").to_owned()),
        "/on.js" => (SCRIPT, include_str!("page/on.js").to_owned()),
        "/steps.js" => (SCRIPT, include_str!("page/steps.js").to_owned()),
        "/pictures.js" => (SCRIPT, include_str!("page/pictures.js").to_owned()),
        "/play.js" => (SCRIPT, include_str!("page/play.js").to_owned()),
        "/checks.js" => (SCRIPT, include_str!("page/checks.js").to_owned()),
        "/source.js" => (SCRIPT, include_str!("page/source.js").to_owned()),
        "/icon.svg" => ("image/svg+xml", include_str!("page/icon.svg").to_owned()),
        _ => return None,
    };
    Some(PageFile { kind, text })
}
