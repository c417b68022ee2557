//! wolfSSL's ML-KEM.

use contender::MaybeJob;
use contender::kem::{self, Drawn, Kem, PreparedKem, Sizes, ml_kem_randomness};
use std::ffi::c_int;

/// `MlKemKey`.
#[repr(C)]
struct Key {
    _private: [u8; 0],
}

unsafe extern "C" {
    fn peer_keygen(
        level: c_int,
        seed: *const u8,
        pk: *mut u8,
        pk_bytes: u32,
        sk: *mut u8,
        sk_bytes: u32,
    ) -> c_int;
    fn peer_encapsulate(
        level: c_int,
        m: *const u8,
        public: *const u8,
        public_bytes: u32,
        ciphertext: *mut u8,
        shared: *mut u8,
    ) -> c_int;
    fn peer_decapsulate(
        level: c_int,
        secret: *const u8,
        secret_bytes: u32,
        ciphertext: *const u8,
        ciphertext_bytes: u32,
        shared: *mut u8,
    ) -> c_int;
    fn peer_load(level: c_int, bytes: *const u8, count: u32, secret: c_int) -> *mut Key;
    fn peer_drop(key: *mut Key);
    fn peer_encapsulate_prepared(key: *mut Key, m: *const u8, ciphertext: *mut u8, shared: *mut u8) -> c_int;
    fn peer_decapsulate_prepared(
        key: *mut Key,
        ciphertext: *const u8,
        ciphertext_bytes: u32,
        shared: *mut u8,
    ) -> c_int;
}

type Loaded = contender::Owned<Key>;

fn load(level: c_int, bytes: &[u8], secret: bool) -> Option<Loaded> {
    let key = unsafe { peer_load(level, bytes.as_ptr(), bytes.len() as u32, secret.into()) };
    unsafe { Loaded::new(key, peer_drop) }
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

    fn randomness(&self, seed: &[u8; 32], drawn: Drawn) -> Vec<u8> {
        ml_kem_randomness(seed, drawn)
    }

    fn keygen(&self, seed: &[u8], public: &mut [u8], secret: &mut [u8]) -> bool {
        let (pk, sk) = (public.len() as u32, secret.len() as u32);
        let (public, secret) = (public.as_mut_ptr(), secret.as_mut_ptr());
        unsafe { peer_keygen(self.level, seed.as_ptr(), public, pk, secret, sk) == 0 }
    }

    fn encapsulate(&self, m: &[u8], public: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> bool {
        let (p, c, s) = (public.as_ptr(), ciphertext.as_mut_ptr(), shared.as_mut_ptr());
        unsafe { peer_encapsulate(self.level, m.as_ptr(), p, public.len() as u32, c, s) == 0 }
    }

    fn decapsulate(&self, secret: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool {
        let (k, c, s) = (secret.as_ptr(), ciphertext.as_ptr(), shared.as_mut_ptr());
        let (sk, ct) = (secret.len() as u32, ciphertext.len() as u32);
        unsafe { peer_decapsulate(self.level, k, sk, c, ct, s) == 0 }
    }
}

impl PreparedKem for Mechanism {
    type Public = Loaded;
    type Secret = Loaded;

    fn load_public(&self, public: &[u8]) -> Option<Loaded> {
        load(self.level, public, false)
    }

    fn load_secret(&self, secret: &[u8]) -> Option<Loaded> {
        load(self.level, secret, true)
    }

    fn encapsulate_prepared(&self, m: &[u8], key: &Loaded, ciphertext: &mut [u8], shared: &mut [u8]) -> bool {
        let (c, s) = (ciphertext.as_mut_ptr(), shared.as_mut_ptr());
        unsafe { peer_encapsulate_prepared(key.0, m.as_ptr(), c, s) == 0 }
    }

    fn decapsulate_prepared(&self, key: &Loaded, ciphertext: &[u8], shared: &mut [u8]) -> bool {
        let (c, s) = (ciphertext.as_ptr(), shared.as_mut_ptr());
        unsafe { peer_decapsulate_prepared(key.0, c, ciphertext.len() as u32, s) == 0 }
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
