//! Key encapsulation: what a library offers, and the jobs that are made of it.

use crate::{Cases, MaybeJob, batch};

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
    fn randomness(&self, seed: &[u8; 32], drawn: Drawn) -> Vec<u8> {
        ml_kem_randomness(seed, drawn)
    }

    fn keygen(&self, randomness: &[u8], public: &mut [u8], secret: &mut [u8]) -> bool;
    fn encapsulate(&self, randomness: &[u8], public: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> bool;
    fn decapsulate(&self, secret: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool;
}

/// A mechanism that also has objects for keys.
pub trait PreparedKem: Kem {
    type Public: 'static;
    type Secret: 'static;

    fn load_public(&self, public: &[u8]) -> Option<Self::Public>;
    fn load_secret(&self, secret: &[u8]) -> Option<Self::Secret>;
    fn encapsulate_prepared(
        &self, randomness: &[u8], public: &Self::Public, ciphertext: &mut [u8], shared: &mut [u8],
    ) -> bool;
    fn decapsulate_prepared(&self, secret: &Self::Secret, ciphertext: &[u8], shared: &mut [u8]) -> bool;
}

/// The job of an operation: `keygen`, `encapsulate` or `decapsulate`.
pub fn job(kem: impl Kem, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    let bytes = |key: &[u8]| Some(key.to_vec());
    match operation {
        "keygen" => keygen_job(kem, inputs),
        "encapsulate" => encapsulate_job(kem, inputs, bytes, |kem, randomness, public, ciphertext, shared| {
            kem.encapsulate(randomness, public, ciphertext, shared)
        }),
        "decapsulate" => decapsulate_job(kem, inputs, bytes, |kem, secret, ciphertext, shared| {
            kem.decapsulate(secret, ciphertext, shared)
        }),
        _ => None,
    }
}

/// The job of an operation, including `encapsulate prepared` and `decapsulate prepared`.
pub fn prepared_job<K: PreparedKem>(kem: K, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    let loader = kem.clone();
    match operation {
        "encapsulate prepared" => encapsulate_job(kem, inputs, |key| loader.load_public(key), K::encapsulate_prepared),
        "decapsulate prepared" => decapsulate_job(kem, inputs, |key| loader.load_secret(key), K::decapsulate_prepared),
        _ => job(kem, operation, inputs),
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

fn encapsulate_job<K: Kem, Key: 'static>(
    kem: K, inputs: &[&[u8]], load: impl Fn(&[u8]) -> Option<Key>,
    encapsulate: impl Fn(&K, &[u8], &Key, &mut [u8], &mut [u8]) -> bool + 'static,
) -> MaybeJob {
    let mut cases = Cases::of(inputs, 2, load)?;
    for (_, others) in &mut cases.items {
        others[0] = kem.randomness(others[0][..].try_into().ok()?, Drawn::Ciphertext);
    }
    batch(cases.items.len(), &[kem.sizes().ciphertext, SHARED_SECRET], move |index, outputs| {
        let [ciphertext, shared] = outputs else { return false };
        let (key, others) = &cases.items[index];
        encapsulate(&kem, &others[0], &cases.keys[*key], ciphertext, shared)
    })
}

fn decapsulate_job<K: Kem, Key: 'static>(
    kem: K, inputs: &[&[u8]], load: impl Fn(&[u8]) -> Option<Key>,
    decapsulate: impl Fn(&K, &Key, &[u8], &mut [u8]) -> bool + 'static,
) -> MaybeJob {
    let cases = Cases::of(inputs, 2, load)?;
    batch(cases.items.len(), &[SHARED_SECRET], move |index, outputs| {
        let (key, others) = &cases.items[index];
        decapsulate(&kem, &cases.keys[*key], &others[0], &mut outputs[0])
    })
}
