//! girih's functions for key encapsulation, through its C interface (`girih/girih.h`).

use crate::girih::{Algorithm, Keygen, SizeOf};
use contender::kem::{Kem, Sizes};
use contender::{MaybeJob, kem};
use libloading::Library;
use std::ffi::{c_int, c_void};

/// `girih_random`.
#[repr(C)]
struct Random {
    fill: unsafe extern "C" fn(*mut c_void, *mut u8, usize) -> c_int,
    state: *mut c_void,
    piecewise: c_int,
}

/// A source of randomness that has a seed to give, and nothing else.
unsafe extern "C" fn fill_from_seed(state: *mut c_void, out: *mut u8, bytes: usize) -> c_int {
    let seed = unsafe { &*state.cast::<[u8; 32]>() };
    if bytes != seed.len() {
        return -1;
    }
    unsafe { std::ptr::copy_nonoverlapping(seed.as_ptr(), out, bytes) };
    0
}

type Encapsulate = unsafe extern "C" fn(
    *const Algorithm,
    *const Random,
    *const u8,
    usize,
    *mut u8,
    usize,
    *mut u8,
    usize,
) -> c_int;
type Decapsulate =
    unsafe extern "C" fn(*const Algorithm, *const u8, usize, *const u8, usize, *mut u8, usize) -> c_int;

/// The functions of one loaded copy.
#[derive(Clone, Copy)]
pub struct Functions {
    is_kem: unsafe extern "C" fn(*const Algorithm) -> c_int,
    public_key_bytes: SizeOf,
    secret_key_bytes: SizeOf,
    ciphertext_bytes: SizeOf,
    keygen: Keygen,
    encapsulate: Encapsulate,
    decapsulate: Decapsulate,
}

impl Functions {
    pub fn of(library: &'static Library) -> Result<Self, libloading::Error> {
        unsafe {
            Ok(Self {
                is_kem: *library.get(b"girih_is_kem")?,
                public_key_bytes: *library.get(b"girih_public_key_bytes")?,
                secret_key_bytes: *library.get(b"girih_secret_key_bytes")?,
                ciphertext_bytes: *library.get(b"girih_ciphertext_bytes")?,
                keygen: *library.get(b"girih_keygen_from_seed")?,
                encapsulate: *library.get(b"girih_encapsulate")?,
                decapsulate: *library.get(b"girih_decapsulate")?,
            })
        }
    }

    pub fn is_kem(self, alg: *const Algorithm) -> bool {
        unsafe { (self.is_kem)(alg) != 0 }
    }

    pub fn job(self, alg: *const Algorithm, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
        let sizes = unsafe {
            Sizes {
                public: (self.public_key_bytes)(alg),
                secret: (self.secret_key_bytes)(alg),
                ciphertext: (self.ciphertext_bytes)(alg),
            }
        };
        kem::job(Mechanism { functions: self, alg, sizes }, operation, inputs)
    }
}

#[derive(Clone)]
struct Mechanism {
    functions: Functions,
    alg: *const Algorithm,
    sizes: Sizes,
}

impl Kem for Mechanism {
    fn sizes(&self) -> Sizes {
        self.sizes
    }

    /// girih expands the seed itself, under the clock.
    fn randomness(&self, seed: &[u8; 32], _: usize) -> Vec<u8> {
        seed.to_vec()
    }

    fn keygen(&self, seed: &[u8], pk: &mut [u8], sk: &mut [u8]) -> bool {
        let (s, p, k) = (seed.as_ptr(), pk.as_mut_ptr(), sk.as_mut_ptr());
        unsafe { (self.functions.keygen)(self.alg, s, seed.len(), p, pk.len(), k, sk.len()) == 0 }
    }

    fn encapsulate(&self, seed: &[u8], pk: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> bool {
        let state = seed.as_ptr().cast_mut().cast();
        let random = Random { fill: fill_from_seed, state, piecewise: 0 };
        let (p, c, s) = (pk.as_ptr(), ciphertext.as_mut_ptr(), shared.as_mut_ptr());
        let (pk, ciphertext, shared) = (pk.len(), ciphertext.len(), shared.len());
        unsafe { (self.functions.encapsulate)(self.alg, &random, p, pk, c, ciphertext, s, shared) == 0 }
    }

    fn decapsulate(&self, sk: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool {
        let (k, c, s) = (sk.as_ptr(), ciphertext.as_ptr(), shared.as_mut_ptr());
        let (sk, ciphertext, shared) = (sk.len(), ciphertext.len(), shared.len());
        unsafe { (self.functions.decapsulate)(self.alg, k, sk, c, ciphertext, s, shared) == 0 }
    }
}
