//! Randomness for those who draw it themselves, at next to no cost: Steele, Lea and
//! Flood's SplitMix64.

use std::cell::Cell;

/// A stream of numbers.
pub struct SplitMix(pub u64);

impl SplitMix {
    /// From the first bytes of a seed.
    pub fn of(seed: &[u8; 32]) -> Self {
        Self(seed.iter().take(8).fold(0, |state, &byte| state << 8 | u64::from(byte)))
    }

    pub fn fill(&mut self, out: &mut [u8]) {
        for chunk in out.chunks_mut(8) {
            self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
            let mut mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
            chunk.copy_from_slice(&(mixed ^ mixed >> 31).to_le_bytes()[..chunk.len()]);
        }
    }
}

thread_local! {
    static STATE: Cell<u64> = const { Cell::new(0) };
}

/// Bytes that no call gave before.
pub fn fill(out: &mut [u8]) {
    let mut stream = SplitMix(STATE.get());
    stream.fill(out);
    STATE.set(stream.0);
}
