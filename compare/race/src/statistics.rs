//! Medians, and how far they can be trusted.

/// A quantile of sorted numbers, between the two nearest ones.
pub fn quantile(sorted: &[f64], q: f64) -> f64 {
    let place = q * (sorted.len() - 1) as f64;
    let (low, high) = (sorted[place.floor() as usize], sorted[place.ceil() as usize]);
    low + (high - low) * place.fract()
}

pub fn sorted(mut numbers: Vec<f64>) -> Vec<f64> {
    numbers.sort_by(f64::total_cmp);
    numbers
}

/// A median with its interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Estimate {
    pub low: f64,
    pub median: f64,
    pub high: f64,
}

/// The chance that an interval does not have the true median in it, at most (with six numbers or
/// more).
const DOUBT: f64 = 0.05;

impl Estimate {
    /// The median of numbers, of which there is at least one. The interval goes from the k-th least
    /// to the k-th greatest of n: the true median is below the k-th least if fewer than k of n
    /// numbers are below it, each by chance a half. Nothing is assumed of their distribution. Of
    /// fewer than six it is from the least to the greatest.
    pub fn of(numbers: Vec<f64>) -> Option<Self> {
        let sorted = sorted(numbers);
        let last = sorted.len().checked_sub(1)?;
        let mut chance = -f64::ln(2.0) * sorted.len() as f64; // of exactly `rank` numbers, its logarithm
        let mut below = 0.0;
        let mut rank = 0;
        while rank <= last / 2 {
            below += chance.exp();
            if 2.0 * below > DOUBT {
                break;
            }
            chance += f64::ln((sorted.len() - rank) as f64 / (rank + 1) as f64);
            rank += 1;
        }
        let rank = rank.saturating_sub(1);
        Some(Self { low: sorted[rank], median: quantile(&sorted, 0.5), high: sorted[last - rank] })
    }

    /// Whether it cannot be said which of two is the faster.
    pub fn crosses_1(&self) -> bool {
        self.low <= 1.0 && self.high >= 1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn estimate(count: usize) -> Estimate {
        Estimate::of((1..=count).map(|number| number as f64).collect()).expect("numbers")
    }

    #[test]
    fn the_interval_has_the_ranks_of_the_sign_test() {
        // Binomial tables, two-sided 5 %.
        for (count, low, high) in
            [(5, 1.0, 5.0), (6, 1.0, 6.0), (15, 4.0, 12.0), (20, 6.0, 15.0), (100, 40.0, 61.0)]
        {
            let Estimate { low: l, high: h, .. } = estimate(count);
            assert_eq!((l, h), (low, high), "{count}");
        }
    }

    #[test]
    fn a_median_lies_between_the_middle_two() {
        assert_eq!(estimate(6).median, 3.5);
        assert_eq!(estimate(1), Estimate { low: 1.0, median: 1.0, high: 1.0 });
        assert_eq!(Estimate::of(vec![]), None);
    }

    #[test]
    fn an_interval_about_1_decides_nothing() {
        let of = |numbers: &[f64]| Estimate::of(numbers.to_vec()).expect("numbers").crosses_1();
        assert!(of(&[0.98, 0.99, 1.0, 1.01, 1.02, 1.03]));
        assert!(!of(&[1.01, 1.02, 1.03, 1.04, 1.05, 1.06]));
    }
}
