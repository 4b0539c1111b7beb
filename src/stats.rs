//! Honest arithmetic: pure functions, each with its source; undefined is an error with a reason, never a NaN.
//!
//! It deliberately draws no conclusion from a figure.

use statrs::distribution::{ContinuousCDF, Normal};

/// Why a figure does not exist.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum Undefined {
    /// There is nothing to compute it from.
    #[error("no values: the figure is undefined")]
    Empty,
    /// A value is not a finite number.
    #[error("a value is not a finite number")]
    NotFinite,
    /// More successes than trials, or no trials.
    #[error("successes must be at most trials, and trials at least 1")]
    Counts,
    /// The confidence level is not between 0 and 1.
    #[error("the confidence level must lie between 0 and 1")]
    Level,
}

/// A proportion and the interval that covers it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Interval {
    /// Successes by trials.
    pub estimate: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// The arithmetic mean.
///
/// # Errors
/// [`Undefined`] for no values or values that are not finite.
pub fn mean(values: &[f64]) -> Result<f64, Undefined> {
    checked(values)?;
    Ok(values.iter().sum::<f64>() / values.len() as f64)
}

/// The middle value; the mean of the two middle ones where their number is even.
///
/// # Errors
/// [`Undefined`] for no values or values that are not finite.
pub fn median(values: &[f64]) -> Result<f64, Undefined> {
    checked(values)?;
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    let middle = sorted.len() / 2;
    Ok(if sorted.len() % 2 == 1 { sorted[middle] } else { f64::midpoint(sorted[middle - 1], sorted[middle]) })
}

/// The score interval of a proportion (Wilson 1927), without continuity correction.
///
/// # Errors
/// [`Undefined`] for impossible counts or levels.
pub fn wilson(successes: u64, trials: u64, level: f64) -> Result<Interval, Undefined> {
    if trials == 0 || successes > trials {
        return Err(Undefined::Counts);
    }
    if !(level > 0.0 && level < 1.0) {
        return Err(Undefined::Level);
    }
    let z = Normal::standard().inverse_cdf(f64::midpoint(1.0, level));
    let (n, p) = (trials as f64, successes as f64 / trials as f64);
    let centre = p + z * z / (2.0 * n);
    let spread = z * (p * (1.0 - p) / n + z * z / (4.0 * n * n)).sqrt();
    let scale = 1.0 + z * z / n;
    // At 0 and n the formula's bounds are exactly 0 and 1; rounding must not push them past.
    let low = if successes == 0 { 0.0 } else { (centre - spread) / scale };
    let high = if successes == trials { 1.0 } else { (centre + spread) / scale };
    Ok(Interval { estimate: p, low, high })
}

fn checked(values: &[f64]) -> Result<(), Undefined> {
    match values {
        [] => Err(Undefined::Empty),
        values if values.iter().any(|v| !v.is_finite()) => Err(Undefined::NotFinite),
        _ => Ok(()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wilson_matches_published_figures() {
        // Newcombe (1998), table I, method 3.
        for (x, n, low, high) in
            [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0.0, 0.1611), (1, 29, 0.0061, 0.1718)]
        {
            let found = wilson(x, n, 0.95).expect("possible counts");
            assert!((found.low - low).abs() < 5e-5 && (found.high - high).abs() < 5e-5, "{x}/{n}: {found:?}");
        }
    }

    #[test]
    fn what_is_undefined_says_why() {
        assert_eq!(mean(&[]), Err(Undefined::Empty));
        assert_eq!(median(&[1.0, f64::NAN]), Err(Undefined::NotFinite));
        assert_eq!(wilson(2, 1, 0.95), Err(Undefined::Counts));
        assert_eq!(wilson(1, 2, 1.0), Err(Undefined::Level));
    }

    #[test]
    fn medians_of_odd_and_even_numbers() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), Ok(2.0));
        assert_eq!(median(&[4.0, 1.0, 2.0, 3.0]), Ok(2.5));
    }
}
