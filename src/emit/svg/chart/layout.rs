//! Gives lifelines and rows their places: what is written between two lifelines fits between them.

use super::rows::{Life, News, Rows, Shape, name};
use crate::emit::svg::boxes::TITLE_SIZE;
use crate::emit::svg::measure::sans;
use crate::emit::svg::text::{LINE, width};

/// The height of a head.
pub(super) const HEAD: f64 = 40.0;
/// The height of a state on a lifeline.
pub(super) const STATE: f64 = 20.0;
/// How far a loop goes to the right.
pub(super) const LOOP: f64 = 30.0;
/// The room between two things side by side.
const GAP: f64 = 18.0;
/// The room on the left for numbers.
pub(super) const NUMBERS: f64 = 40.0;
/// The room above the line of a step, for its label.
const ABOVE: f64 = 24.0;
/// The room below it.
pub(super) const BELOW: f64 = 9.0;
/// Names are said again after so many rows.
const AGAIN: usize = 25;
/// The height of a row of names.
pub(super) const NAMES: f64 = 34.0;

/// Everything in its place.
#[derive(Debug)]
pub(super) struct Placed {
    pub rows: Rows,
    /// Where lifelines begin.
    pub top: f64,
    /// Where they end.
    pub bottom: f64,
    /// Where names are said again.
    pub again: Vec<f64>,
    /// How wide all is.
    pub width: f64,
}

pub(super) fn placed(mut rows: Rows) -> Placed {
    let width = columns(&mut rows);
    let top = HEAD;
    let begins = rows.lives.iter().filter_map(|life| life.begins.as_ref()).map(height);
    let mut y = top + 10.0 + begins.fold(0.0, f64::max);
    let mut again = Vec::new();
    for (at, row) in rows.rows.iter_mut().enumerate() {
        if at > 0 && at % AGAIN == 0 {
            again.push(y + 12.0);
            y += NAMES;
        }
        row.y = y + ABOVE;
        let loops = if matches!(row.shape, Shape::Alone(_)) { 8.0 } else { 0.0 };
        y = row.y + BELOW + loops + row.news.iter().map(height).fold(0.0, f64::max);
    }
    Placed { rows, top, bottom: y + 14.0, again, width }
}

/// How high what is new on a lifeline is.
fn height(news: &News) -> f64 {
    let state = if news.state.is_some() { STATE + 3.0 } else { 0.0 };
    state + LINE * news.values.len() as f64
}

/// How wide a state is drawn.
pub(super) fn state_width(news: &News) -> f64 {
    news.state.as_ref().map_or(0.0, |state| (state.width() + 18.0).max(STATE + 8.0))
}

/// How wide the head of a lifeline is.
pub(super) fn head_width(life: &Life) -> f64 {
    let kind = life.process.as_deref().map_or(0.0, |process| sans(process, 11.0));
    sans(name(&life.path), TITLE_SIZE).max(kind) + 24.0
}

/// How far something on a lifeline goes to the left and to the right.
fn half(news: &News) -> f64 {
    state_width(news).max(width(&news.values)) / 2.0
}

/// Places the lifelines as near to each other as all that is written lets them; says how wide all is.
fn columns(rows: &mut Rows) -> f64 {
    let count = rows.lives.len();
    let mut halves: Vec<f64> = rows.lives.iter().map(|life| head_width(life) / 2.0).collect();
    let begins = rows.lives.iter().filter_map(|life| life.begins.as_ref());
    for news in begins.chain(rows.rows.iter().flat_map(|row| &row.news)) {
        halves[news.life] = halves[news.life].max(half(news));
    }
    // From one lifeline to another there must be so much.
    let mut needs: Vec<Vec<(usize, f64)>> = vec![Vec::new(); count];
    let mut right = vec![0.0f64; count];
    for row in &rows.rows {
        let lives = row.shape.lives();
        let label = row.label.width() + GAP;
        match (lives.first(), lives.last()) {
            (Some(&only), Some(&last)) if only == last => {
                right[only] = right[only].max(LOOP + label);
            }
            (Some(&first), Some(&last)) => needs[last].push((first, label)),
            _ => {}
        }
    }
    let mut x = NUMBERS;
    let mut end = 0.0f64;
    for at in 0..count {
        let mut here = x + halves[at];
        if at > 0 {
            let before = rows.lives[at - 1].x;
            here = here.max(before + halves[at - 1] + GAP + halves[at]).max(before + right[at - 1]);
        }
        for &(from, need) in &needs[at] {
            here = here.max(rows.lives[from].x + need);
        }
        rows.lives[at].x = here;
        x = here + halves[at] + GAP;
        end = end.max(here + halves[at]).max(here + right[at]);
    }
    end.max(NUMBERS)
}
