//! All combinations of choices, counted like the digits of a number: the last one changes first.

/// The next combination of digits; says whether there is one.
pub(crate) fn next_digits(digits: &mut [usize], size: impl Fn(usize) -> usize) -> bool {
    for place in (0..digits.len()).rev() {
        digits[place] += 1;
        if digits[place] < size(place) {
            return true;
        }
        digits[place] = 0;
    }
    false
}
