//! Randomness for libraries that draw their own and let their source be replaced: they get what
//! girih makes of the same seed, so that everybody's keys and ciphertexts are the same bytes.

use crate::kem::{Drawn, Kem, Sizes};
use aes::Aes256;
use aes::cipher::{BlockEncrypt, KeyInit};
use std::cell::Cell;
use std::ptr::slice_from_raw_parts;

thread_local! {
    /// What is left for the draws to come; the slice outlives the call in [`answered`] that set it.
    static LEFT: Cell<*const [u8]> = const { Cell::new(slice_from_raw_parts(std::ptr::null(), 0)) };
}

/// Makes a call in which the library's draws are answered with these bytes, one after another.
pub fn answered<T>(bytes: &[u8], call: impl FnOnce() -> T) -> T {
    LEFT.set(bytes);
    let result = call();
    LEFT.set(slice_from_raw_parts(std::ptr::null(), 0));
    result
}

/// Answers a draw of the library, from its hook. False outside of [`answered`], and
/// when nothing is left.
///
/// # Safety
/// `out` has so many bytes.
pub unsafe fn draw(out: *mut u8, bytes: usize) -> bool {
    let left = LEFT.get();
    if left.len() < bytes {
        return false;
    }
    unsafe {
        std::ptr::copy_nonoverlapping(left.cast(), out, bytes);
        LEFT.set(slice_from_raw_parts(left.cast::<u8>().add(bytes), left.len() - bytes));
    }
    true
}

/// What girih expands a seed to: the keystream of AES-256 in counter mode from counter 0.
fn expanded(seed: &[u8; 32], bytes: usize) -> Vec<u8> {
    let aes = Aes256::new(seed.into());
    let blocks = (0..bytes.div_ceil(16)).map(|counter| {
        let mut block = (counter as u128).to_be_bytes().into();
        aes.encrypt_block(&mut block);
        <[u8; 16]>::from(block)
    });
    blocks.collect::<Vec<_>>().concat()
}

/// The coefficients of the largest of NTRU Prime's polynomials; each is made of four bytes.
const MAX_P: usize = 1277;

/// What a key pair of NTRU Prime draws, in polynomials: one for f, one for what is less than a
/// polynomial, and candidates for g, of which fewer than a tenth have no reciprocal (x^p - x - 1
/// has no factor of degree 1 or 2 modulo 3).
const POLYNOMIALS_OF_A_KEY: usize = 12;

/// What NTRU Prime draws, or more than that, from a seed of the race.
pub fn ntru_prime_randomness(seed: &[u8; 32], drawn: Drawn) -> Vec<u8> {
    let polynomials = match drawn {
        Drawn::KeyPair => POLYNOMIALS_OF_A_KEY,
        Drawn::Ciphertext => 1,
    };
    expanded(seed, 4 * MAX_P * polynomials)
}

/// A mechanism behind the three functions of NIST's interface, in a library whose draws of
/// randomness are answered by [`draw`]. `Status` is what they return.
#[derive(Clone, Copy)]
pub struct NistFunctions<Status> {
    pub sizes: Sizes,
    /// What the draws are answered with.
    pub randomness: fn(&[u8; 32], Drawn) -> Vec<u8>,
    pub keypair: unsafe extern "C" fn(*mut u8, *mut u8) -> Status,
    pub enc: unsafe extern "C" fn(*mut u8, *mut u8, *const u8) -> Status,
    pub dec: unsafe extern "C" fn(*mut u8, *const u8, *const u8) -> Status,
    pub success: Status,
}

impl<Status: Copy + PartialEq + 'static> Kem for NistFunctions<Status> {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    fn randomness(&self, seed: &[u8; 32], drawn: Drawn) -> Vec<u8> {
        (self.randomness)(seed, drawn)
    }

    fn keygen(&self, randomness: &[u8], public: &mut [u8], secret: &mut [u8]) -> bool {
        let keypair = || unsafe { (self.keypair)(public.as_mut_ptr(), secret.as_mut_ptr()) };
        answered(randomness, keypair) == self.success
    }

    fn encapsulate(
        &self,
        randomness: &[u8],
        public: &[u8],
        ciphertext: &mut [u8],
        shared: &mut [u8],
    ) -> bool {
        let enc = || unsafe { (self.enc)(ciphertext.as_mut_ptr(), shared.as_mut_ptr(), public.as_ptr()) };
        answered(randomness, enc) == self.success
    }

    fn decapsulate(&self, secret: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool {
        unsafe { (self.dec)(shared.as_mut_ptr(), ciphertext.as_ptr(), secret.as_ptr()) == self.success }
    }
}
