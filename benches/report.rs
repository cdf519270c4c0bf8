//! Tables in `docs/benchmarks.md`.

use std::path::Path;

/// Seconds with three digits that say something.
#[allow(dead_code, reason = "not every benchmark measures time")]
pub fn seconds(time: f64) -> String {
    let digits = (2 - time.log10().floor() as i32).clamp(0, 9) as usize;
    format!("{time:.digits$}")
}

/// Puts tables into the document, between two marks, in the place of those of the last run.
pub fn write_down(tables: &str, (begin, end): (&str, &str)) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/benchmarks.md");
    let text = std::fs::read_to_string(&path).expect("the document is there");
    let (before, rest) = text.split_once(begin).expect("a mark where the tables begin");
    let (_, after) = rest.split_once(end).expect("a mark where the tables end");
    let text = format!("{before}{begin}\n\n{}\n\n{end}{after}", tables.trim_end());
    std::fs::write(&path, text).expect("the document is written");
}
