//! Key encapsulation: what a library offers, and the jobs that are made of it.

use crate::{MaybeJob, batch};

/// The sizes of a key encapsulation mechanism, in bytes.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub public: usize,
    pub secret: usize,
    pub ciphertext: usize,
}

/// A shared secret of NTRU Prime, in bytes.
pub const SHARED_SECRET: usize = 32;

/// The sizes of NTRU Prime's parameter sets (round 3).
pub fn ntru_prime(algorithm: &str) -> Option<Sizes> {
    let (public, secret, ciphertext) = match algorithm {
        "sntrup653" => (994, 1518, 897),
        "sntrup761" => (1158, 1763, 1039),
        "sntrup857" => (1322, 1999, 1184),
        "sntrup953" => (1505, 2254, 1349),
        "sntrup1013" => (1623, 2417, 1455),
        "sntrup1277" => (2067, 3059, 1847),
        "ntrulpr653" => (897, 1125, 1025),
        "ntrulpr761" => (1039, 1294, 1167),
        "ntrulpr857" => (1184, 1463, 1312),
        "ntrulpr953" => (1349, 1652, 1477),
        "ntrulpr1013" => (1455, 1773, 1583),
        "ntrulpr1277" => (1847, 2231, 1975),
        _ => return None,
    };
    Some(Sizes { public, secret, ciphertext })
}

/// A mechanism of one library. Every function returns whether it succeeded.
pub trait Kem: Clone + 'static {
    fn sizes(&self) -> Sizes;

    /// What the library needs of a seed, of which it draws so many polynomials or fewer; made
    /// outside the clock.
    fn randomness(&self, seed: &[u8; 32], polynomials: usize) -> Vec<u8>;

    fn keygen(&self, randomness: &[u8], public: &mut [u8], secret: &mut [u8]) -> bool;
    fn encapsulate(&self, randomness: &[u8], public: &[u8], ciphertext: &mut [u8], shared: &mut [u8])
    -> bool;
    fn decapsulate(&self, secret: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool;
}

/// The job of an operation: `keygen`, `encapsulate` or `decapsulate`.
pub fn job(kem: impl Kem, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match operation {
        "keygen" => keygen_job(kem, inputs),
        "encapsulate" => encapsulate_job(kem, inputs),
        "decapsulate" => decapsulate_job(kem, inputs),
        _ => None,
    }
}

/// What a key pair draws, in polynomials: one for f, one for what is less than a polynomial, and
/// candidates for g, of which fewer than a tenth have no reciprocal (x^p - x - 1 has no factor of
/// degree 1 or 2 modulo 3).
const POLYNOMIALS_OF_A_KEY: usize = 12;

fn keygen_job(kem: impl Kem, inputs: &[&[u8]]) -> MaybeJob {
    let Sizes { public, secret, .. } = kem.sizes();
    let randomness = inputs
        .iter()
        .map(|&seed| Some(kem.randomness(seed.try_into().ok()?, POLYNOMIALS_OF_A_KEY)))
        .collect::<Option<Vec<_>>>()?;
    batch(randomness.len(), &[public, secret], move |index, outputs| {
        let [public, secret] = outputs else { return false };
        kem.keygen(&randomness[index], public, secret)
    })
}

fn encapsulate_job(kem: impl Kem, inputs: &[&[u8]]) -> MaybeJob {
    let mut cases = Vec::new();
    for case in inputs.chunks(2) {
        let &[public, seed] = case else { return None };
        cases.push((public.to_vec(), kem.randomness(seed.try_into().ok()?, 1)));
    }
    batch(cases.len(), &[kem.sizes().ciphertext, SHARED_SECRET], move |index, outputs| {
        let [ciphertext, shared] = outputs else { return false };
        let (public, randomness) = &cases[index];
        kem.encapsulate(randomness, public, ciphertext, shared)
    })
}

fn decapsulate_job(kem: impl Kem, inputs: &[&[u8]]) -> MaybeJob {
    let mut cases = Vec::new();
    for case in inputs.chunks(2) {
        let &[secret, ciphertext] = case else { return None };
        cases.push((secret.to_vec(), ciphertext.to_vec()));
    }
    batch(cases.len(), &[SHARED_SECRET], move |index, outputs| {
        let (secret, ciphertext) = &cases[index];
        kem.decapsulate(secret, ciphertext, &mut outputs[0])
    })
}
