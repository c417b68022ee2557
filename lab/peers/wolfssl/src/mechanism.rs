//! wolfSSL's ML-KEM.

use contender::export::Bytes;
use contender::kem::{self, Kem, PreparedKem, Sizes};
use contender::{MaybeJob, Owned};
use std::ffi::c_int;

/// `MlKemKey`.
#[repr(C)]
pub struct Key {
    _private: [u8; 0],
}

unsafe extern "C" {
    fn kem_keygen(level: c_int, seed: Bytes, public: Bytes, secret: Bytes) -> c_int;
    fn kem_encapsulate(level: c_int, m: Bytes, public: Bytes, ciphertext: Bytes, shared: Bytes) -> c_int;
    fn kem_decapsulate(level: c_int, secret: Bytes, ciphertext: Bytes, shared: Bytes) -> c_int;
    fn kem_load(level: c_int, bytes: Bytes, secret: c_int) -> *mut Key;
    fn kem_drop(key: *mut Key);
    fn kem_encapsulate_prepared(key: *mut Key, m: Bytes, ciphertext: Bytes, shared: Bytes) -> c_int;
    fn kem_decapsulate_prepared(key: *mut Key, ciphertext: Bytes, shared: Bytes) -> c_int;
}

fn load(level: c_int, bytes: &[u8], secret: bool) -> Option<Owned<Key>> {
    unsafe { Owned::new(kem_load(level, bytes.into(), secret.into()), kem_drop) }
}

#[derive(Clone)]
struct Mechanism {
    /// `WC_ML_KEM_512` and so on.
    level: c_int,
    sizes: Sizes,
}

impl Kem for Mechanism {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn keygen(&self, seed: &[u8], pk: &mut [u8], sk: &mut [u8]) -> bool {
        unsafe { kem_keygen(self.level, seed.into(), pk.into(), sk.into()) == 0 }
    }

    fn encapsulate(&self, m: &[u8], pk: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> bool {
        unsafe { kem_encapsulate(self.level, m.into(), pk.into(), ciphertext.into(), shared.into()) == 0 }
    }

    fn decapsulate(&self, sk: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool {
        unsafe { kem_decapsulate(self.level, sk.into(), ciphertext.into(), shared.into()) == 0 }
    }
}

impl PreparedKem for Mechanism {
    type Public = Owned<Key>;
    type Secret = Owned<Key>;

    fn load_public(&self, public: &[u8]) -> Option<Owned<Key>> {
        load(self.level, public, false)
    }

    fn load_secret(&self, secret: &[u8]) -> Option<Owned<Key>> {
        load(self.level, secret, true)
    }

    fn encapsulate_prepared(&self, m: &[u8], key: &Owned<Key>, ciphertext: &mut [u8], shared: &mut [u8]) -> bool {
        unsafe { kem_encapsulate_prepared(key.0, m.into(), ciphertext.into(), shared.into()) == 0 }
    }

    fn decapsulate_prepared(&self, key: &Owned<Key>, ciphertext: &[u8], shared: &mut [u8]) -> bool {
        unsafe { kem_decapsulate_prepared(key.0, ciphertext.into(), shared.into()) == 0 }
    }
}

pub fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    let (level, sizes) = match algorithm {
        "ML-KEM-512" => (0, kem::ML_KEM_512),
        "ML-KEM-768" => (1, kem::ML_KEM_768),
        "ML-KEM-1024" => (2, kem::ML_KEM_1024),
        _ => return None,
    };
    kem::prepared_job(Mechanism { level, sizes }, operation, inputs)
}
