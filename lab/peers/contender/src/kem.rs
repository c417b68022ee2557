//! Key encapsulation: what a library offers, and the jobs that are made of it.

use crate::{MaybeJob, batch};

/// The sizes of a key encapsulation mechanism, in bytes.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub public: usize,
    pub secret: usize,
    pub ciphertext: usize,
}

/// A shared secret of ML-KEM and of NTRU Prime, in bytes.
pub const SHARED_SECRET: usize = 32;

/// FIPS 203, Table 3 (sizes of keys and ciphertexts of ML-KEM).
pub const ML_KEM_512: Sizes = Sizes { public: 800, secret: 1632, ciphertext: 768 };
pub const ML_KEM_768: Sizes = Sizes { public: 1184, secret: 2400, ciphertext: 1088 };
pub const ML_KEM_1024: Sizes = Sizes { public: 1568, secret: 3168, ciphertext: 1568 };

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

/// The purpose of randomness.
#[derive(Clone, Copy, PartialEq)]
pub enum Drawn {
    KeyPair,
    Ciphertext,
}

/// ML-KEM's randomness from a seed of the race: d and z for a key pair (FIPS 203, Algorithm 16), m
/// for a ciphertext (Algorithm 17).
pub fn ml_kem_randomness(seed: &[u8; 32], drawn: Drawn) -> Vec<u8> {
    match drawn {
        Drawn::KeyPair => seed.iter().chain(seed.iter().rev()).copied().collect(),
        Drawn::Ciphertext => seed.to_vec(),
    }
}

/// A mechanism of one library. Every function returns whether it succeeded.
pub trait Kem: Clone + 'static {
    fn sizes(&self) -> Sizes;

    /// The randomness that the library needs, from a seed; made outside the clock.
    fn randomness(&self, seed: &[u8; 32], drawn: Drawn) -> Vec<u8>;

    fn keygen(&self, randomness: &[u8], public: &mut [u8], secret: &mut [u8]) -> bool;
    fn encapsulate(&self, randomness: &[u8], public: &[u8], ciphertext: &mut [u8], shared: &mut [u8])
    -> bool;
    fn decapsulate(&self, secret: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool;
}

/// A mechanism that also has objects for keys.
pub trait PreparedKem: Kem {
    type Public: 'static;
    type Secret: 'static;

    fn load_public(&self, public: &[u8]) -> Option<Self::Public>;
    fn load_secret(&self, secret: &[u8]) -> Option<Self::Secret>;
    fn encapsulate_prepared(
        &self,
        randomness: &[u8],
        public: &Self::Public,
        ciphertext: &mut [u8],
        shared: &mut [u8],
    ) -> bool;
    fn decapsulate_prepared(&self, secret: &Self::Secret, ciphertext: &[u8], shared: &mut [u8]) -> bool;
}

/// The job of an operation: `keygen`, `encapsulate` or `decapsulate`.
pub fn job(kem: impl Kem, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    let sizes = kem.sizes();
    let bytes = |key: &[u8]| Some(key.to_vec());
    match operation {
        "keygen" => keygen_job(kem, inputs),
        "encapsulate" => {
            let randomness = |seed: &[u8; 32]| kem.randomness(seed, Drawn::Ciphertext);
            let cases = Cases::of(inputs, bytes, |seed| Some(randomness(seed.try_into().ok()?)))?;
            encapsulate_job(sizes, cases, move |randomness, public: &Vec<u8>, ciphertext, shared| {
                kem.encapsulate(randomness, public, ciphertext, shared)
            })
        }
        "decapsulate" => {
            let cases = Cases::of(inputs, bytes, bytes)?;
            decapsulate_job(cases, move |secret: &Vec<u8>, ciphertext, shared| {
                kem.decapsulate(secret, ciphertext, shared)
            })
        }
        _ => None,
    }
}

/// The job of an operation, including `encapsulate prepared` and `decapsulate prepared`.
pub fn prepared_job(kem: impl PreparedKem, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    let sizes = kem.sizes();
    match operation {
        "encapsulate prepared" => {
            let randomness = |seed: &[u8; 32]| kem.randomness(seed, Drawn::Ciphertext);
            let load = |public: &[u8]| kem.load_public(public);
            let cases = Cases::of(inputs, load, |seed| Some(randomness(seed.try_into().ok()?)))?;
            encapsulate_job(sizes, cases, move |randomness, public, ciphertext, shared| {
                kem.encapsulate_prepared(randomness, public, ciphertext, shared)
            })
        }
        "decapsulate prepared" => {
            let load = |secret: &[u8]| kem.load_secret(secret);
            let cases = Cases::of(inputs, load, |ciphertext| Some(ciphertext.to_vec()))?;
            decapsulate_job(cases, move |secret, ciphertext, shared| {
                kem.decapsulate_prepared(secret, ciphertext, shared)
            })
        }
        _ => job(kem, operation, inputs),
    }
}

/// Pairs of a key and its input. Equal keys in a row are one key.
pub struct Cases<Key> {
    pub keys: Vec<Key>,
    /// The index of the key, and its input.
    pub items: Vec<(usize, Vec<u8>)>,
}

impl<Key> Cases<Key> {
    pub fn of(
        inputs: &[&[u8]],
        mut load: impl FnMut(&[u8]) -> Option<Key>,
        item: impl Fn(&[u8]) -> Option<Vec<u8>>,
    ) -> Option<Self> {
        let mut cases = Self { keys: Vec::new(), items: Vec::new() };
        let mut last: &[u8] = &[];
        for case in inputs.chunks(2) {
            let &[key, given] = case else { return None };
            if key != last {
                cases.keys.push(load(key)?);
                last = key;
            }
            cases.items.push((cases.keys.len() - 1, item(given)?));
        }
        Some(cases)
    }
}

fn keygen_job(kem: impl Kem, inputs: &[&[u8]]) -> MaybeJob {
    let Sizes { public, secret, .. } = kem.sizes();
    let randomness = inputs
        .iter()
        .map(|&seed| Some(kem.randomness(seed.try_into().ok()?, Drawn::KeyPair)))
        .collect::<Option<Vec<_>>>()?;
    batch(randomness.len(), &[public, secret], move |index, outputs| {
        let [public, secret] = outputs else { return false };
        kem.keygen(&randomness[index], public, secret)
    })
}

fn encapsulate_job<Key: 'static>(
    sizes: Sizes,
    cases: Cases<Key>,
    encapsulate: impl Fn(&[u8], &Key, &mut [u8], &mut [u8]) -> bool + 'static,
) -> MaybeJob {
    batch(cases.items.len(), &[sizes.ciphertext, SHARED_SECRET], move |index, outputs| {
        let [ciphertext, shared] = outputs else { return false };
        let (key, randomness) = &cases.items[index];
        encapsulate(randomness, &cases.keys[*key], ciphertext, shared)
    })
}

fn decapsulate_job<Key: 'static>(
    cases: Cases<Key>,
    decapsulate: impl Fn(&Key, &[u8], &mut [u8]) -> bool + 'static,
) -> MaybeJob {
    batch(cases.items.len(), &[SHARED_SECRET], move |index, outputs| {
        let (key, ciphertext) = &cases.items[index];
        decapsulate(&cases.keys[*key], ciphertext, &mut outputs[0])
    })
}
