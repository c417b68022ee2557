//! wolfSSL's ML-DSA and Falcon.

use contender::export::Bytes;
use contender::nist::{Beyond, answer_beyond, answered, random_bytes};
use contender::{MaybeJob, Owned, keys_as_bytes, sign, signature_sizes, verify};
use std::ffi::c_int;

/// `wc_MlDsaKey`.
#[repr(C)]
struct Key {
    _private: [u8; 0],
}

unsafe extern "C" {
    fn dsa_keygen(level: c_int, seed: Bytes, public: Bytes, secret: Bytes) -> c_int;
    fn dsa_sign(level: c_int, secret: Bytes, message: Bytes, signature: Bytes) -> c_int;
    fn dsa_verify(level: c_int, public: Bytes, message: Bytes, signature: Bytes) -> c_int;
    fn dsa_load(level: c_int, bytes: Bytes, secret: c_int) -> *mut Key;
    fn dsa_drop(key: *mut Key);
    fn dsa_sign_prepared(key: *mut Key, message: Bytes, signature: Bytes) -> c_int;
    fn dsa_verify_prepared(key: *mut Key, message: Bytes, signature: Bytes) -> c_int;
    fn falcon_keygen_from_bytes(level: c_int, public: Bytes, secret: Bytes) -> c_int;
    fn falcon_sign_from_bytes(level: c_int, secret: Bytes, message: Bytes, signature: Bytes) -> c_int;
    fn falcon_verify_from_bytes(level: c_int, public: Bytes, message: Bytes, signature: Bytes) -> c_int;
}

/// wolfSSL's source of randomness (`CUSTOM_RAND_GENERATE_BLOCK`).
#[unsafe(no_mangle)]
unsafe extern "C" fn peer_random(out: *mut u8, bytes: u32) -> c_int {
    unsafe { random_bytes(out, bytes as usize) };
    0
}

fn load(level: c_int, bytes: &[u8], secret: bool) -> Option<Owned<Key>> {
    unsafe { Owned::new(dsa_load(level, bytes.into(), secret.into()), dsa_drop) }
}

/// `WC_ML_DSA_44` and so on.
fn level(algorithm: &str) -> Option<c_int> {
    match algorithm {
        "ML-DSA-44" => Some(2),
        "ML-DSA-65" => Some(3),
        "ML-DSA-87" => Some(5),
        _ => None,
    }
}

/// From bytes to bytes.
pub fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    let level = level(algorithm)?;
    keys_as_bytes(
        signature_sizes(algorithm)?,
        operation,
        inputs,
        move |seed, pk, sk| unsafe { dsa_keygen(level, seed[..].into(), pk.into(), sk.into()) == 0 },
        move |sk, m, out| unsafe { dsa_sign(level, sk.into(), m.into(), out.into()) == 0 },
        move |pk, m, s| unsafe { dsa_verify(level, pk.into(), m.into(), s.into()) == 0 },
    )
}

/// With the library's key objects.
pub fn prepared_job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    let level = level(algorithm)?;
    match operation {
        "sign prepared" => sign(
            inputs,
            signature_sizes(algorithm)?.signature,
            |secret| load(level, secret, true),
            |key, m, out| unsafe { dsa_sign_prepared(key.0, m.into(), out.into()) == 0 },
        ),
        "verify prepared" => verify(
            inputs,
            |public| load(level, public, false),
            |key, m, s| unsafe { dsa_verify_prepared(key.0, m.into(), s.into()) == 0 },
        ),
        _ => None,
    }
}

pub fn falcon_job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    let level = match algorithm {
        "Falcon-padded-512" => 1,
        "Falcon-padded-1024" => 5,
        _ => return None,
    };
    answer_beyond(Beyond::Numbers);
    keys_as_bytes(
        signature_sizes(algorithm)?,
        operation,
        inputs,
        move |seed, pk, sk| {
            // Its key generation draws 48 bytes.
            let keygen = || unsafe { falcon_keygen_from_bytes(level, pk.into(), sk.into()) == 0 };
            answered(&contender::falcon_seed(seed), keygen)
        },
        move |sk, m, out| unsafe { falcon_sign_from_bytes(level, sk.into(), m.into(), out.into()) == 0 },
        move |pk, m, s| unsafe { falcon_verify_from_bytes(level, pk.into(), m.into(), s.into()) == 0 },
    )
}
