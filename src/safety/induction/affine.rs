//! Linear equations that hold in all examples: the affine hull of the examples, as in Karr's analysis, but of what was seen.
//!
//! The arithmetic is modulo a prime, which is exact enough for a guess: coefficients that are not small are given up.

/// A Mersenne prime.
const PRIME: u64 = (1 << 61) - 1;

/// Larger coefficients are given up.
const LARGEST: i64 = 40;

/// An equation: the sum of coefficients times columns is a constant.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Equation {
    /// Columns with their coefficients, none of which is zero.
    pub terms: Vec<(usize, i64)>,
    pub constant: i64,
}

fn reduced(value: i64) -> u64 {
    value.rem_euclid(PRIME as i64) as u64
}

fn times(a: u64, b: u64) -> u64 {
    (u128::from(a) * u128::from(b) % u128::from(PRIME)) as u64
}

fn minus(a: u64, b: u64) -> u64 {
    if a >= b { a - b } else { a + PRIME - b }
}

fn inverse(value: u64) -> u64 {
    let (mut result, mut base, mut power) = (1, value, PRIME - 2);
    while power > 0 {
        if power & 1 == 1 {
            result = times(result, base);
        }
        base = times(base, base);
        power >>= 1;
    }
    result
}

/// The equations that hold in all rows.
pub(super) fn equations(rows: &[Vec<i64>]) -> Vec<Equation> {
    let Some(first) = rows.first() else { return Vec::new() };
    let basis = reduced_rows(rows, first);
    let pivots: Vec<usize> = basis.iter().map(|(pivot, _)| *pivot).collect();
    let free = (0..first.len()).filter(|column| !pivots.contains(column));
    free.filter_map(|column| equation(&basis, column, first)).collect()
}

/// The differences between rows, reduced: each with its first column that is not zero, which is one there and zero in all
/// others.
fn reduced_rows(rows: &[Vec<i64>], first: &[i64]) -> Vec<(usize, Vec<u64>)> {
    let mut basis: Vec<(usize, Vec<u64>)> = Vec::new();
    for row in rows {
        let mut new: Vec<u64> =
            row.iter().zip(first).map(|(a, b)| reduced(a.wrapping_sub(*b))).collect();
        for (pivot, known) in &basis {
            subtract(&mut new, known, *pivot);
        }
        let Some(pivot) = new.iter().position(|&value| value != 0) else { continue };
        let scale = inverse(new[pivot]);
        new.iter_mut().for_each(|value| *value = times(*value, scale));
        for (_, known) in &mut basis {
            subtract(known, &new, pivot);
        }
        basis.push((pivot, new));
    }
    basis
}

/// Makes a row zero in a column.
fn subtract(row: &mut [u64], other: &[u64], column: usize) {
    let factor = row[column];
    if factor == 0 {
        return;
    }
    for (value, &other) in row.iter_mut().zip(other) {
        *value = minus(*value, times(factor, other));
    }
}

/// The equation that says what a free column is, given the others.
fn equation(basis: &[(usize, Vec<u64>)], column: usize, first: &[i64]) -> Option<Equation> {
    (1..=6).find_map(|scale: i64| {
        let mut terms = vec![(column, scale)];
        for (pivot, row) in basis {
            let value = small(times(reduced(-scale), row[column]))?;
            if value != 0 {
                terms.push((*pivot, value));
            }
        }
        let sum = |(column, factor): &(usize, i64)| first[*column].checked_mul(*factor);
        let parts: Option<Vec<i64>> = terms.iter().map(sum).collect();
        terms.sort_unstable();
        let constant = parts?.into_iter().try_fold(0i64, i64::checked_add)?;
        Some(Equation { terms, constant })
    })
}

fn small(value: u64) -> Option<i64> {
    let signed = if value > PRIME / 2 { -((PRIME - value) as i64) } else { value as i64 };
    (signed.abs() <= LARGEST).then_some(signed)
}

#[cfg(test)]
mod tests {
    use super::{Equation, equations};

    #[test]
    fn sums_are_found() {
        // The third column is the sum of the first two, less one; the fourth is twice the first.
        let row = |a: i64, b: i64| vec![a, b, a + b - 1, 2 * a];
        let rows = [row(0, 0), row(3, 1), row(-2, 5), row(7, 7)];
        let found = equations(&rows);
        let sum = Equation { terms: vec![(0, -1), (1, -1), (2, 1)], constant: -1 };
        let twice = Equation { terms: vec![(0, -2), (3, 1)], constant: 0 };
        assert_eq!(found, [sum, twice]);
    }

    #[test]
    fn nothing_holds_of_unrelated_columns() {
        assert_eq!(equations(&[vec![0, 0], vec![1, 0], vec![0, 1]]), []);
    }
}
