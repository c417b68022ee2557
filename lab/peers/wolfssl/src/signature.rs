//! wolfSSL's ML-DSA.

use contender::{ML_DSA_44, ML_DSA_65, ML_DSA_87, MaybeJob, Sizes, keys_as_bytes, sign, verify};
use std::ffi::c_int;

/// `wc_MlDsaKey`.
#[repr(C)]
struct Key {
    _private: [u8; 0],
}

unsafe extern "C" {
    fn peer_dsa_keygen(
        level: u8,
        seed: *const u8,
        public: *mut u8,
        public_bytes: u32,
        secret: *mut u8,
        secret_bytes: u32,
    ) -> c_int;
    fn peer_dsa_sign(
        level: u8,
        secret: *const u8,
        secret_bytes: u32,
        message: *const u8,
        message_bytes: u32,
        signature: *mut u8,
        signature_bytes: u32,
    ) -> c_int;
    fn peer_dsa_verify(
        level: u8,
        public: *const u8,
        public_bytes: u32,
        message: *const u8,
        message_bytes: u32,
        signature: *const u8,
        signature_bytes: u32,
    ) -> c_int;
    fn peer_dsa_load(level: u8, bytes: *const u8, count: u32, secret: c_int) -> *mut Key;
    fn peer_dsa_drop(key: *mut Key);
    fn peer_dsa_sign_prepared(
        key: *mut Key,
        message: *const u8,
        message_bytes: u32,
        signature: *mut u8,
        signature_bytes: u32,
    ) -> c_int;
    fn peer_dsa_verify_prepared(
        key: *mut Key,
        message: *const u8,
        message_bytes: u32,
        signature: *const u8,
        signature_bytes: u32,
    ) -> c_int;
}

type Loaded = contender::Owned<Key>;

fn load(level: u8, bytes: &[u8], secret: bool) -> Option<Loaded> {
    let key = unsafe { peer_dsa_load(level, bytes.as_ptr(), bytes.len() as u32, secret.into()) };
    unsafe { Loaded::new(key, peer_dsa_drop) }
}

/// `WC_ML_DSA_44` and so on, and the sizes.
fn level(algorithm: &str) -> Option<(u8, Sizes)> {
    match algorithm {
        "ML-DSA-44" => Some((2, ML_DSA_44)),
        "ML-DSA-65" => Some((3, ML_DSA_65)),
        "ML-DSA-87" => Some((5, ML_DSA_87)),
        _ => None,
    }
}

/// From bytes to bytes.
pub fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    let (level, sizes) = level(algorithm)?;
    keys_as_bytes(
        sizes,
        operation,
        inputs,
        move |seed, public, secret| {
            let (pk, sk) = (public.len() as u32, secret.len() as u32);
            let (public, secret) = (public.as_mut_ptr(), secret.as_mut_ptr());
            unsafe { peer_dsa_keygen(level, seed.as_ptr(), public, pk, secret, sk) == 0 }
        },
        move |secret, m, out| {
            let (sk, m_bytes, bytes) = (secret.len() as u32, m.len() as u32, out.len() as u32);
            let out = out.as_mut_ptr();
            unsafe { peer_dsa_sign(level, secret.as_ptr(), sk, m.as_ptr(), m_bytes, out, bytes) == 0 }
        },
        move |public, m, s| {
            let (pk, m_bytes, bytes) = (public.len() as u32, m.len() as u32, s.len() as u32);
            unsafe {
                peer_dsa_verify(level, public.as_ptr(), pk, m.as_ptr(), m_bytes, s.as_ptr(), bytes) == 0
            }
        },
    )
}

/// With the library's key objects.
pub fn prepared_job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    let (level, sizes) = level(algorithm)?;
    match operation {
        "sign prepared" => sign(
            inputs,
            sizes.signature,
            |secret, _| load(level, secret, true),
            |key, m, out| {
                let (m_bytes, bytes) = (m.len() as u32, out.len() as u32);
                unsafe { peer_dsa_sign_prepared(key.0, m.as_ptr(), m_bytes, out.as_mut_ptr(), bytes) == 0 }
            },
        ),
        "verify prepared" => verify(
            inputs,
            |public| load(level, public, false),
            |key, m, s| {
                let (m_bytes, bytes) = (m.len() as u32, s.len() as u32);
                unsafe { peer_dsa_verify_prepared(key.0, m.as_ptr(), m_bytes, s.as_ptr(), bytes) == 0 }
            },
        ),
        _ => None,
    }
}
