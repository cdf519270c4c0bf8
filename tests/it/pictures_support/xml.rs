//! Reads pictures: enough XML to find what is not well-formed, and where things are.

/// An element: its name, its attributes, what encloses it.
#[derive(Debug)]
pub struct Element {
    pub name: String,
    pub attributes: Vec<(String, String)>,
    pub parent: Option<usize>,
    pub text: String,
}

impl Element {
    pub fn get(&self, key: &str) -> &str {
        self.attributes.iter().find(|(name, _)| name == key).map_or("", |(_, value)| value)
    }

    pub fn has_class(&self, class: &str) -> bool {
        self.get("class").split(' ').any(|one| one == class)
    }

    pub fn number(&self, key: &str) -> f64 {
        self.get(key).parse().unwrap_or_else(|_| panic!("{key} of {self:?}"))
    }
}

/// Reads XML without comments and declarations; fails where it is not well-formed.
pub fn parse(xml: &str) -> Vec<Element> {
    let mut elements: Vec<Element> = Vec::new();
    let mut open: Vec<usize> = Vec::new();
    let mut rest = xml;
    while let Some(start) = rest.find('<') {
        let text = &rest[..start];
        assert!(!text.contains('>') || in_style(&elements, &open), "a stray `>` in {text:?}");
        for (at, _) in text.match_indices('&') {
            let known = ["&amp;", "&lt;", "&gt;", "&quot;"];
            assert!(known.iter().any(|entity| text[at..].starts_with(entity)), "{text:?}");
        }
        if let Some(&inner) = open.last() {
            elements[inner].text.push_str(text);
        }
        let end = start + rest[start..].find('>').expect("a tag ends");
        let tag = &rest[start + 1..end];
        rest = &rest[end + 1..];
        if let Some(name) = tag.strip_prefix('/') {
            let closed = open.pop().expect("something is open");
            assert_eq!(elements[closed].name, name);
            continue;
        }
        let (inner, empty) = tag.strip_suffix('/').map_or((tag, false), |inner| (inner, true));
        let (name, attributes) = inner.split_once(' ').unwrap_or((inner, ""));
        let parent = open.last().copied();
        let attributes = pairs(attributes);
        elements.push(Element { name: name.to_owned(), attributes, parent, text: String::new() });
        if !empty {
            open.push(elements.len() - 1);
        }
    }
    assert!(open.is_empty(), "everything is closed");
    assert!(rest.trim().is_empty());
    elements
}

fn in_style(elements: &[Element], open: &[usize]) -> bool {
    open.last().is_some_and(|&at| elements[at].name == "style")
}

fn pairs(mut text: &str) -> Vec<(String, String)> {
    let mut found: Vec<(String, String)> = Vec::new();
    while let Some((key, rest)) = text.trim_start().split_once("=\"") {
        let (value, rest) = rest.split_once('"').expect("a value ends");
        assert!(!value.contains('<') && !found.iter().any(|(known, _)| known == key));
        found.push((key.to_owned(), value.to_owned()));
        text = rest;
    }
    assert!(text.trim().is_empty(), "{text:?}");
    found
}

#[derive(Clone, Copy, Debug)]
pub struct Rect {
    pub x: f64,
    pub y: f64,
    pub right: f64,
    pub bottom: f64,
}

impl Rect {
    pub fn overlaps(&self, other: &Rect) -> bool {
        let slack = 0.3;
        self.x + slack < other.right
            && other.x + slack < self.right
            && self.y + slack < other.bottom
            && other.y + slack < self.bottom
    }

    pub fn contains(&self, other: &Rect) -> bool {
        let slack = 0.3;
        self.x <= other.x + slack
            && self.y <= other.y + slack
            && other.right <= self.right + slack
            && other.bottom <= self.bottom + slack
    }
}

pub fn rect(element: &Element) -> Rect {
    let (x, y) = (element.number("x"), element.number("y"));
    Rect { x, y, right: x + element.number("width"), bottom: y + element.number("height") }
}

/// The room that a text takes, roughly.
pub fn room(elements: &[Element], at: usize) -> Rect {
    let element = &elements[at];
    let inner = elements.iter().filter(|one| one.parent == Some(at) && one.name == "tspan");
    let text: String = inner.map(|one| one.text.as_str()).collect();
    let text = text.replace("&lt;", "<").replace("&gt;", ">");
    let text = text.replace("&quot;", "\"").replace("&amp;", "&");
    let width = text.chars().count() as f64 * 6.6;
    let (x, y) = (element.number("x"), element.number("y"));
    let x = match element.get("text-anchor") {
        "middle" => x - width / 2.0,
        "end" => x - width,
        _ => x,
    };
    Rect { x, y: y - 8.0, right: x + width, bottom: y + 2.0 }
}
