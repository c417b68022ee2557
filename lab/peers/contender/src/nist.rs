//! Libraries with the interface of NIST's competition, which draw randomness from a source that
//! can be replaced. They get the bytes that girih makes from the same seed, so that everybody's
//! keys and ciphertexts are the same.

use crate::kem::{Drawn, Kem};
use crate::{MaybeJob, Sizes, falcon_seed, kem, keys_as_bytes, randomness};
use aes::Aes256;
use aes::cipher::{BlockEncrypt, KeyInit};
use std::cell::Cell;
use std::ffi::c_int;
use std::ptr::slice_from_raw_parts;

/// The answers to draws beyond the bytes given. Zeros make a hedged signature of ML-DSA the
/// deterministic one (FIPS 204, Algorithm 2, line 5); cheap numbers are for signing with Falcon.
#[derive(Clone, Copy, PartialEq)]
pub enum Beyond {
    Zeros,
    Numbers,
}

thread_local! {
    /// The bytes left for later draws; the slice outlives the call in [`answered`] that set it.
    static LEFT: Cell<*const [u8]> = const { Cell::new(slice_from_raw_parts(std::ptr::null(), 0)) };
    static BEYOND: Cell<Beyond> = const { Cell::new(Beyond::Zeros) };
}

pub fn answer_beyond(beyond: Beyond) {
    BEYOND.set(beyond);
}

/// Makes a call in which the library's draws are answered with these bytes, one after another.
pub fn answered<T>(bytes: &[u8], call: impl FnOnce() -> T) -> T {
    LEFT.set(bytes);
    let result = call();
    LEFT.set(slice_from_raw_parts(std::ptr::null(), 0));
    result
}

/// Answers a draw of the library, from its hook.
///
/// # Safety
/// `out` has room for `bytes` bytes.
pub unsafe fn random_bytes(out: *mut u8, bytes: usize) {
    let left = LEFT.get();
    let out = unsafe { std::slice::from_raw_parts_mut(out, bytes) };
    if left.len() >= bytes && bytes > 0 {
        unsafe {
            std::ptr::copy_nonoverlapping(left.cast(), out.as_mut_ptr(), bytes);
            LEFT.set(slice_from_raw_parts(left.cast::<u8>().add(bytes), left.len() - bytes));
        }
    } else if BEYOND.get() == Beyond::Zeros {
        out.fill(0);
    } else {
        randomness::fill(out);
    }
}

/// girih's expansion of a seed: the keystream of AES-256 in counter mode from counter 0.
fn expanded(seed: &[u8; 32], bytes: usize) -> Vec<u8> {
    let aes = Aes256::new(seed.into());
    let blocks = (0..bytes.div_ceil(16)).map(|counter| {
        let mut block = (counter as u128).to_be_bytes().into();
        aes.encrypt_block(&mut block);
        <[u8; 16]>::from(block)
    });
    blocks.collect::<Vec<_>>().concat()
}

/// The number of coefficients of NTRU Prime's largest polynomials; each is made from four bytes.
const MAX_P: usize = 1277;

/// The draws of an NTRU Prime key pair, in polynomials: one for f, one for all draws shorter than a
/// polynomial, and candidates for g, of which fewer than a tenth have no reciprocal (x^p - x - 1
/// has no factor of degree 1 or 2 modulo 3).
const POLYNOMIALS_OF_A_KEY: usize = 12;

/// At least the bytes that NTRU Prime draws, from a seed of the race.
pub fn ntru_prime_randomness(seed: &[u8; 32], drawn: Drawn) -> Vec<u8> {
    let polynomials = match drawn {
        Drawn::KeyPair => POLYNOMIALS_OF_A_KEY,
        Drawn::Ciphertext => 1,
    };
    expanded(seed, 4 * MAX_P * polynomials)
}

pub type Keypair = unsafe extern "C" fn(*mut u8, *mut u8) -> c_int;

/// A signature scheme; every function returns 0 if it succeeds.
#[derive(Clone, Copy)]
pub struct Signatures {
    pub keypair: Keypair,
    pub sign: unsafe extern "C" fn(*mut u8, *mut usize, *const u8, usize, *const u8) -> c_int,
    /// The signature, the message and the public key.
    pub verify: unsafe extern "C" fn(*const u8, usize, *const u8, usize, *const u8) -> c_int,
    /// Where the message comes before the signature.
    pub message_first: bool,
}

impl Signatures {
    pub fn job(self, sizes: Sizes, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
        keys_as_bytes(
            sizes,
            operation,
            inputs,
            move |seed, public, secret| {
                let make = || unsafe { (self.keypair)(public.as_mut_ptr(), secret.as_mut_ptr()) };
                answered(&falcon_seed(seed), make) == 0
            },
            move |secret, m, out| {
                let (mut bytes, out) = (0, out.as_mut_ptr());
                unsafe { (self.sign)(out, &mut bytes, m.as_ptr(), m.len(), secret.as_ptr()) == 0 }
            },
            move |public, m, s| {
                let (first, second) = if self.message_first { (m, s) } else { (s, m) };
                let (f, s, pk) = (first.as_ptr(), second.as_ptr(), public.as_ptr());
                unsafe { (self.verify)(f, first.len(), s, second.len(), pk) == 0 }
            },
        )
    }
}

/// A key encapsulation mechanism; every function returns 0 if it succeeds.
#[derive(Clone, Copy)]
pub struct Mechanism {
    pub sizes: kem::Sizes,
    /// The bytes that the draws get, from a seed of the race.
    pub randomness: fn(&[u8; 32], Drawn) -> Vec<u8>,
    pub keypair: Keypair,
    pub enc: unsafe extern "C" fn(*mut u8, *mut u8, *const u8) -> c_int,
    pub dec: unsafe extern "C" fn(*mut u8, *const u8, *const u8) -> c_int,
}

impl Kem for Mechanism {
    fn sizes(&self) -> kem::Sizes {
        self.sizes
    }

    fn randomness(&self, seed: &[u8; 32], drawn: Drawn) -> Vec<u8> {
        (self.randomness)(seed, drawn)
    }

    fn keygen(&self, randomness: &[u8], public: &mut [u8], secret: &mut [u8]) -> bool {
        answered(randomness, || unsafe { (self.keypair)(public.as_mut_ptr(), secret.as_mut_ptr()) }) == 0
    }

    fn encapsulate(&self, randomness: &[u8], public: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> bool {
        let (c, s, pk) = (ciphertext.as_mut_ptr(), shared.as_mut_ptr(), public.as_ptr());
        answered(randomness, || unsafe { (self.enc)(c, s, pk) }) == 0
    }

    fn decapsulate(&self, secret: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool {
        unsafe { (self.dec)(shared.as_mut_ptr(), ciphertext.as_ptr(), secret.as_ptr()) == 0 }
    }
}

/// The [`Signatures`] whose functions are named by the first parts, followed by one of the others.
#[macro_export]
macro_rules! nist_signatures {
    ($($part:literal),+; $keypair:literal, $sign:literal, $verify:literal) => {{
        use std::ffi::c_int;
        unsafe extern "C" {
            #[link_name = concat!($($part,)+ $keypair)]
            fn keypair(public: *mut u8, secret: *mut u8) -> c_int;
            #[link_name = concat!($($part,)+ $sign)]
            fn sign(s: *mut u8, s_bytes: *mut usize, m: *const u8, m_bytes: usize, secret: *const u8) -> c_int;
            #[link_name = concat!($($part,)+ $verify)]
            fn verify(s: *const u8, s_bytes: usize, m: *const u8, m_bytes: usize, public: *const u8) -> c_int;
        }
        $crate::nist::Signatures { keypair, sign, verify, message_first: false }
    }};
}

/// The [`Mechanism`] whose functions are named by the first parts, followed by one of the others.
#[macro_export]
macro_rules! nist_kem {
    ($sizes:expr, $randomness:expr, $($part:literal),+; $keypair:literal, $enc:literal, $dec:literal) => {{
        use std::ffi::c_int;
        unsafe extern "C" {
            #[link_name = concat!($($part,)+ $keypair)]
            fn keypair(public: *mut u8, secret: *mut u8) -> c_int;
            #[link_name = concat!($($part,)+ $enc)]
            fn enc(ciphertext: *mut u8, shared: *mut u8, public: *const u8) -> c_int;
            #[link_name = concat!($($part,)+ $dec)]
            fn dec(shared: *mut u8, ciphertext: *const u8, secret: *const u8) -> c_int;
        }
        $crate::nist::Mechanism { sizes: $sizes, randomness: $randomness, keypair, enc, dec }
    }};
}
