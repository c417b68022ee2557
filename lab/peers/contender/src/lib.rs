//! The interface of every library in the race: batches of operations ("jobs"), and how they are
//! called through a shared library (`contender.h`).
//!
//! A job takes byte strings and makes byte strings, so a peer is a few closures. `contender.h` has
//! the inputs and outputs of each operation.

pub mod export;
pub mod kem;
#[cfg(feature = "nist")]
pub mod nist;
mod owned;
pub mod randomness;

pub use owned::Owned;

use std::borrow::Cow;
use std::ops::Range;

/// A batch of operations, made once and run under the clock.
pub trait Job {
    /// Runs the operations in a range, up to the last one: true if all of them succeeded.
    fn run(&mut self, operations: Range<usize>) -> bool;

    /// The outputs of the last run.
    fn outputs(&self) -> Cow<'_, [Vec<u8>]>;
}

/// All the operations of a job.
pub const ALL: Range<usize> = 0..usize::MAX;

/// A job; `None` if the contender does not offer the operation.
pub type MaybeJob = Option<Box<dyn Job>>;

/// Where a contender's speed comes from.
pub enum Code {
    /// Only what the language's compiler makes for any processor of the architecture.
    Portable,
    /// Scalar assembly language or scalar instructions picked at run time.
    Assembly,
    /// Vector instructions beyond the architecture's baseline.
    Vector,
}

/// One row of the race.
pub struct Contender {
    pub name: &'static str,
    /// Its package, whose version is looked up in the lock file.
    pub package: &'static str,
    pub code: Code,
    /// A note on the row for readers of the tables.
    pub note: &'static str,
    /// Algorithm, operation, inputs.
    pub job: fn(&str, &str, &[&[u8]]) -> MaybeJob,
}

/// A batch of `count` operations with the same number of outputs each.
struct Batch<Operation> {
    count: usize,
    outputs: Vec<Vec<u8>>,
    operation: Operation,
}

impl<Operation: FnMut(usize, &mut [Vec<u8>]) -> bool> Job for Batch<Operation> {
    fn run(&mut self, operations: Range<usize>) -> bool {
        let width = self.outputs.len() / self.count;
        let mut succeeded = true;
        for index in operations.start..operations.end.min(self.count) {
            let outputs = &mut self.outputs[index * width..(index + 1) * width];
            succeeded &= (self.operation)(index, outputs);
        }
        succeeded
    }

    fn outputs(&self) -> Cow<'_, [Vec<u8>]> {
        Cow::Borrowed(&self.outputs)
    }
}

/// A job of `count` operations, each with outputs of these sizes; the operation gets its
/// index in the batch.
pub fn batch(
    count: usize, sizes: &[usize], operation: impl FnMut(usize, &mut [Vec<u8>]) -> bool + 'static,
) -> MaybeJob {
    let outputs = (0..count).flat_map(|_| sizes.iter().map(|&size| vec![0; size])).collect();
    (count > 0).then(|| Box::new(Batch { count, outputs, operation }) as Box<dyn Job>)
}

/// `keygen`: seed, public key, secret key.
pub fn keygen(
    inputs: &[&[u8]], public_bytes: usize, secret_bytes: usize,
    mut make: impl FnMut(&[u8; 32], &mut [u8], &mut [u8]) -> bool + 'static,
) -> MaybeJob {
    let seeds = inputs.iter().map(|&seed| seed.try_into().ok()).collect::<Option<Vec<[u8; 32]>>>()?;
    batch(seeds.len(), &[public_bytes, secret_bytes], move |index, outputs| {
        let [public, secret] = outputs else { return false };
        make(&seeds[index], public, secret)
    })
}

/// `sign`: key material, message, signature. `load` makes the key from the secret key's bytes: the
/// bytes themselves for `sign`, an object for `sign prepared`.
pub fn sign<Key: 'static>(
    inputs: &[&[u8]], signature_bytes: usize, load: impl FnOnce(&[u8]) -> Option<Key>,
    mut sign: impl FnMut(&Key, &[u8], &mut [u8]) -> bool + 'static,
) -> MaybeJob {
    let [secret, _seed, messages @ ..] = inputs else { return None };
    let key = load(secret)?;
    let messages = messages.iter().map(|message| message.to_vec()).collect::<Vec<_>>();
    batch(messages.len(), &[signature_bytes], move |index, outputs| sign(&key, &messages[index], &mut outputs[0]))
}

/// Operations on keys. Equal keys in a row are one key.
pub struct Cases<Key> {
    pub keys: Vec<Key>,
    /// The index of the key, and the other inputs.
    pub items: Vec<(usize, Vec<Vec<u8>>)>,
}

impl<Key> Cases<Key> {
    /// Operations with so many inputs, of which the key is the first.
    pub fn of(inputs: &[&[u8]], width: usize, mut load: impl FnMut(&[u8]) -> Option<Key>) -> Option<Self> {
        let mut cases = Self { keys: Vec::new(), items: Vec::new() };
        let mut last: &[u8] = &[];
        for case in inputs.chunks(width) {
            if case.len() != width {
                return None;
            }
            if case[0] != last {
                cases.keys.push(load(case[0])?);
                last = case[0];
            }
            let others = case[1..].iter().map(|other| other.to_vec()).collect();
            cases.items.push((cases.keys.len() - 1, others));
        }
        Some(cases)
    }
}

/// `verify`: key material, message, signature. `load` is as in [`sign`].
pub fn verify<Key: 'static>(
    inputs: &[&[u8]], load: impl FnMut(&[u8]) -> Option<Key>,
    mut verify: impl FnMut(&Key, &[u8], &[u8]) -> bool + 'static,
) -> MaybeJob {
    let cases = Cases::of(inputs, 3, load)?;
    batch(cases.items.len(), &[], move |index, _| {
        let (key, others) = &cases.items[index];
        verify(&cases.keys[*key], &others[0], &others[1])
    })
}

/// The sizes of a signature scheme, in bytes.
#[derive(Clone, Copy)]
pub struct Sizes {
    pub public: usize,
    pub secret: usize,
    pub signature: usize,
}

/// FIPS 204, Table 2 (sizes of keys and signatures of ML-DSA).
pub const ML_DSA_44: Sizes = Sizes { public: 1312, secret: 2560, signature: 2420 };
pub const ML_DSA_65: Sizes = Sizes { public: 1952, secret: 4032, signature: 3309 };
pub const ML_DSA_87: Sizes = Sizes { public: 2592, secret: 4896, signature: 4627 };

/// Falcon (round 3), Table 3.3, with signatures padded to one length.
pub const FALCON_PADDED_512: Sizes = Sizes { public: 897, secret: 1281, signature: 666 };
pub const FALCON_PADDED_1024: Sizes = Sizes { public: 1793, secret: 2305, signature: 1280 };

/// The sizes of a scheme that races.
pub fn signature_sizes(algorithm: &str) -> Option<Sizes> {
    match algorithm {
        "ML-DSA-44" => Some(ML_DSA_44),
        "ML-DSA-65" => Some(ML_DSA_65),
        "ML-DSA-87" => Some(ML_DSA_87),
        "Falcon-padded-512" => Some(FALCON_PADDED_512),
        "Falcon-padded-1024" => Some(FALCON_PADDED_1024),
        _ => None,
    }
}

/// The bytes of a seed of Falcon's key generation in round 3, from a seed of the race.
pub fn falcon_seed(seed: &[u8; 32]) -> [u8; 48] {
    let mut longer = [0; 48];
    longer[..32].copy_from_slice(seed);
    longer
}

/// `keygen`, `sign` and `verify` of a library that takes its keys as bytes and has no
/// other form of them.
pub fn keys_as_bytes(
    sizes: Sizes, operation: &str, inputs: &[&[u8]],
    make: impl FnMut(&[u8; 32], &mut [u8], &mut [u8]) -> bool + 'static,
    mut sign_bytes: impl FnMut(&[u8], &[u8], &mut [u8]) -> bool + 'static,
    mut verify_bytes: impl FnMut(&[u8], &[u8], &[u8]) -> bool + 'static,
) -> MaybeJob {
    let sized = |bytes: &[u8], size| (bytes.len() == size).then(|| bytes.to_vec());
    match operation {
        "keygen" => keygen(inputs, sizes.public, sizes.secret, make),
        "sign" => sign(
            inputs,
            sizes.signature,
            |secret| sized(secret, sizes.secret),
            move |secret, message, signature| sign_bytes(secret, message, signature),
        ),
        "verify" => verify(
            inputs,
            |public| sized(public, sizes.public),
            move |public, message, signature| verify_bytes(public, message, signature),
        ),
        _ => None,
    }
}

/// `keygen`, `sign` and `verify` of a library that has objects for its keys, and with those objects
/// made before the clock. From bytes, every operation loads its key.
pub fn keys_as_objects<Secret: 'static, Public: 'static>(
    sizes: Sizes, operation: &str, inputs: &[&[u8]],
    make: impl FnMut(&[u8; 32], &mut [u8], &mut [u8]) -> bool + 'static,
    load_secret: impl Fn(&[u8]) -> Option<Secret> + 'static, load_public: impl Fn(&[u8]) -> Option<Public> + 'static,
    sign_with: impl Fn(&Secret, &[u8], &mut [u8]) -> bool + 'static,
    verify_with: impl Fn(&Public, &[u8], &[u8]) -> bool + 'static,
) -> MaybeJob {
    match operation {
        "sign prepared" => sign(inputs, sizes.signature, load_secret, sign_with),
        "verify prepared" => verify(inputs, load_public, verify_with),
        _ => keys_as_bytes(
            sizes,
            operation,
            inputs,
            make,
            move |secret, message, out| load_secret(secret).is_some_and(|key| sign_with(&key, message, out)),
            move |public, message, s| load_public(public).is_some_and(|key| verify_with(&key, message, s)),
        ),
    }
}
