//! Prepared keys, in memory from the heap.

use alloc::vec;
use alloc::vec::Vec;
use core::ffi::{c_int, c_void};
use core::fmt;
use core::marker::PhantomData;
use core::ptr;

use girih_sys as sys;

use crate::algorithms::sealed::Sealed;
use crate::error::check;
use crate::{Algorithm, Error, KemAlgorithm, PublicKey, SecretKey, SignatureAlgorithm};

#[derive(Clone, Copy)]
#[repr(align(64))]
#[expect(dead_code, reason = "the library uses this memory")]
struct Line([u8; 64]);

const _: () = assert!(align_of::<Line>() == sys::GIRIH_PREPARED_ALIGNMENT);

type Prepare<K> =
    unsafe extern "C" fn(*const sys::girih_alg, *const u8, usize, *mut c_void, usize, *mut *mut K) -> c_int;

/// The library's type of a prepared key.
pub trait Kind: Sealed + Sized {
    #[doc(hidden)]
    const SIZE: unsafe extern "C" fn(*const sys::girih_alg) -> usize;
    #[doc(hidden)]
    const PREPARE: Prepare<Self>;
    #[doc(hidden)]
    const WIPE: Option<unsafe extern "C" fn(*mut Self)>;
}

macro_rules! kinds {
    ($($kind:ident $size:ident $prepare:ident $wipe:expr;)*) => {$(
        impl Sealed for sys::$kind {}
        impl Kind for sys::$kind {
            const SIZE: unsafe extern "C" fn(*const sys::girih_alg) -> usize = sys::$size;
            const PREPARE: Prepare<Self> = sys::$prepare;
            const WIPE: Option<unsafe extern "C" fn(*mut Self)> = $wipe;
        }
    )*};
}

kinds! {
    girih_signing_key girih_signing_key_size girih_prepare_signing_key Some(sys::girih_wipe_signing_key);
    girih_verifying_key girih_verifying_key_size girih_prepare_verifying_key None;
    girih_encapsulation_key girih_encapsulation_key_size girih_prepare_encapsulation_key None;
    girih_decapsulation_key girih_decapsulation_key_size girih_prepare_decapsulation_key
        Some(sys::girih_wipe_decapsulation_key);
}

/// A key with everything that an operation computes before it sees a message, for many operations:
/// [`SecretKey::prepare`] and [`PublicKey::prepare`] make it. Secrets are wiped when it is dropped.
pub struct Prepared<A: Algorithm, K: Kind> {
    pub(crate) key: *mut K,
    _memory: Vec<Line>,
    algorithm: PhantomData<A>,
}

/// A key for many signatures.
pub type PreparedSigningKey<A> = Prepared<A, sys::girih_signing_key>;
/// A public key for many verifications.
pub type PreparedVerifyingKey<A> = Prepared<A, sys::girih_verifying_key>;
/// A public key for many encapsulations.
pub type PreparedEncapsulationKey<A> = Prepared<A, sys::girih_encapsulation_key>;
/// A key for many decapsulations.
pub type PreparedDecapsulationKey<A> = Prepared<A, sys::girih_decapsulation_key>;

// SAFETY: a prepared key is constant, and serves any number of threads.
unsafe impl<A: Algorithm, K: Kind> Send for Prepared<A, K> {}
unsafe impl<A: Algorithm, K: Kind> Sync for Prepared<A, K> {}

impl<A: Algorithm, K: Kind> Prepared<A, K> {
    fn new(bytes: &[u8]) -> Result<Self, Error> {
        // SAFETY: the algorithm is a constant.
        let lines = unsafe { K::SIZE(A::raw()) } / size_of::<Line>();
        let mut memory = vec![Line([0; 64]); lines];
        let (mut key, place, room) = (ptr::null_mut(), memory.as_mut_ptr().cast(), lines * size_of::<Line>());
        // SAFETY: each pointer is passed with its length. The key stays where it is, on the heap.
        check::<A>(unsafe { K::PREPARE(A::raw(), bytes.as_ptr(), bytes.len(), place, room, &mut key) })?;
        Ok(Self { key, _memory: memory, algorithm: PhantomData })
    }
}

impl<A: Algorithm, K: Kind> Drop for Prepared<A, K> {
    fn drop(&mut self) {
        if let Some(wipe) = K::WIPE {
            // SAFETY: the key is valid as long as its memory is.
            unsafe { wipe(self.key) };
        }
    }
}

impl<A: Algorithm, K: Kind> fmt::Debug for Prepared<A, K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Prepared").field("algorithm", &A::NAME).finish_non_exhaustive()
    }
}

macro_rules! prepares {
    ($($key:ident $algorithm:ident $prepare:ident $prepared:ident $many:literal;)*) => {$(
        impl<A: $algorithm> $key<A> {
            #[doc = concat!("Prepares the key for many ", $many)]
            pub fn $prepare(&self) -> Result<$prepared<A>, Error> {
                Prepared::new(self.bytes.as_ref())
            }
        }
    )*};
}

prepares! {
    SecretKey SignatureAlgorithm prepare PreparedSigningKey "signatures.";
    PublicKey SignatureAlgorithm prepare PreparedVerifyingKey "verifications.";
    SecretKey KemAlgorithm prepare_to_decapsulate PreparedDecapsulationKey
        "decapsulations. NTRU Prime has no prepared keys.";
    PublicKey KemAlgorithm prepare_to_encapsulate PreparedEncapsulationKey
        "encapsulations. NTRU Prime has no prepared keys.";
}
