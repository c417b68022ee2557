//! Signing and verifying.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::ffi::CStr;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr;

use girih_sys as sys;
use rand_core::TryCryptoRng;

use crate::algorithms::sealed::Sealed;
use crate::error::check;
use crate::handles::{Handle, operate};
#[cfg(feature = "alloc")]
use crate::handles::{row, run_batch};
use crate::random::source;
use crate::{ByteArray, Error, HasMu, PublicKey, SignatureAlgorithm};

/// A signature.
#[derive(Clone, Debug)]
pub struct Signature<A: SignatureAlgorithm> {
    bytes: A::Signature,
    length: usize,
}

impl<A: SignatureAlgorithm> Signature<A> {
    /// Takes the signature's bytes. Falcon's signatures differ in length.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let most = A::Signature::BYTES;
        if bytes.len() > most || A::HAS_ONE_LENGTH && bytes.len() != most {
            return Err(Error::length::<A>("signature", bytes.len(), most));
        }
        let mut signature = Self::empty();
        signature.bytes.as_mut()[..bytes.len()].copy_from_slice(bytes);
        signature.length = bytes.len();
        Ok(signature)
    }

    /// The signature's bytes.
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes.as_ref()[..self.length]
    }

    fn empty() -> Self {
        Self { bytes: A::Signature::ZERO, length: 0 }
    }
}

impl<A: SignatureAlgorithm> AsRef<[u8]> for Signature<A> {
    fn as_ref(&self) -> &[u8] {
        self.as_bytes()
    }
}

impl<A: SignatureAlgorithm> PartialEq for Signature<A> {
    fn eq(&self, other: &Self) -> bool {
        self.as_bytes() == other.as_bytes()
    }
}

impl<A: SignatureAlgorithm> Eq for Signature<A> {}

impl<'a, A: SignatureAlgorithm> TryFrom<&'a [u8]> for Signature<A> {
    type Error = Error;

    fn try_from(bytes: &'a [u8]) -> Result<Self, Error> {
        Self::from_bytes(bytes)
    }
}

/// How a message is signed or verified. The default: no context, no pre-hash, hedged with the
/// operating system's randomness.
#[derive(Clone, Copy, Debug, Default)]
pub struct Options<'a> {
    /// ML-DSA: at most 255 bytes, which the verifier has to give as well.
    pub context: &'a [u8],
    /// HashML-DSA: the name of its hash function, such as `c"SHA2-512"`.
    pub pre_hash: Option<&'a CStr>,
    /// Signing by ML-DSA and Dilithium: draw no randomness.
    pub deterministic: bool,
    /// Signing: verify the signature before it is returned, against faults of the processor.
    pub verify_after_sign: bool,
}

impl Options<'_> {
    fn raw(&self, random: *const sys::girih_random) -> sys::girih_options {
        sys::girih_options {
            context: if self.context.is_empty() { ptr::null() } else { self.context.as_ptr() },
            context_bytes: self.context.len(),
            pre_hash: self.pre_hash.map_or(ptr::null(), CStr::as_ptr),
            deterministic: self.deterministic.into(),
            random,
            verify_after_sign: self.verify_after_sign.into(),
            reserved: [0; 2],
        }
    }
}

/// A key that signs: [`SecretKey`](crate::SecretKey), or a prepared one.
pub trait Signing: Sealed {
    /// The algorithm.
    type Algorithm: SignatureAlgorithm;

    #[doc(hidden)]
    fn handle(&self) -> Handle<'_, sys::girih_signing_key>;

    /// Signs a message.
    fn sign_with(&self, message: &[u8], options: &Options) -> Result<Signature<Self::Algorithm>, Error> {
        sign(self, message, &options.raw(ptr::null()))
    }

    /// Signs a message, with randomness from a source.
    fn sign_from<R>(&self, rng: &mut R, message: &[u8], options: &Options) -> Result<Signature<Self::Algorithm>, Error>
    where
        R: TryCryptoRng + ?Sized,
    {
        let mut rng = rng;
        sign(self, message, &options.raw(&source(&mut rng)))
    }

    /// Signs a message representative ("external mu"), which has the context and the pre-hash.
    fn sign_mu(&self, mu: &[u8; 64], options: &Options) -> Result<Signature<Self::Algorithm>, Error>
    where
        Self::Algorithm: HasMu,
    {
        let options = options.raw(ptr::null());
        let mut signature = Signature::<Self::Algorithm>::empty();
        let (out, length) = (signature.bytes.as_mut(), &mut signature.length);
        // SAFETY: each pointer is passed with its length.
        check::<Self::Algorithm>(unsafe {
            operate!(self, girih_sign_mu girih_sign_mu_prepared([mu], &options, [mut out], length))
        })?;
        Ok(signature)
    }
}

fn sign<K: Signing + ?Sized>(
    key: &K, message: &[u8], options: &sys::girih_options,
) -> Result<Signature<K::Algorithm>, Error> {
    let mut signature = Signature::<K::Algorithm>::empty();
    let (out, length) = (signature.bytes.as_mut(), &mut signature.length);
    // SAFETY: each pointer is passed with its length, and lives until the function returns.
    check::<K::Algorithm>(unsafe {
        operate!(key, girih_sign girih_sign_prepared([message], options, [mut out], length))
    })?;
    Ok(signature)
}

/// A key that verifies: [`PublicKey`], or a prepared one.
pub trait Verifying: Sealed {
    /// The algorithm.
    type Algorithm: SignatureAlgorithm;

    #[doc(hidden)]
    fn handle(&self) -> Handle<'_, sys::girih_verifying_key>;

    /// Verifies a signature.
    fn verify_with(
        &self, message: &[u8], signature: &Signature<Self::Algorithm>, options: &Options,
    ) -> Result<(), Error> {
        let (options, signature) = (options.raw(ptr::null()), signature.as_bytes());
        // SAFETY: each pointer is passed with its length, and lives until the function returns.
        check::<Self::Algorithm>(unsafe {
            operate!(self, girih_verify girih_verify_prepared([message], &options, [signature]))
        })
    }

    /// Verifies the signature of a message representative.
    fn verify_mu(&self, mu: &[u8; 64], signature: &Signature<Self::Algorithm>) -> Result<(), Error>
    where
        Self::Algorithm: HasMu,
    {
        let signature = signature.as_bytes();
        // SAFETY: each pointer is passed with its length.
        check::<Self::Algorithm>(unsafe { operate!(self, girih_verify_mu girih_verify_mu_prepared([mu], [signature])) })
    }
}

/// A message that is read in pieces, once, into mu: for those larger than memory.
#[derive(Clone)]
pub struct Message<A: HasMu> {
    state: sys::girih_message,
    algorithm: PhantomData<A>,
}

impl<A: HasMu> Message<A> {
    /// Begins a message with the public key that its signature is verified with.
    pub fn new(key: &PublicKey<A>, options: &Options) -> Result<Self, Error> {
        let (mut state, public) = (MaybeUninit::uninit(), key.as_ref());
        // SAFETY: the function writes the state, or fails.
        unsafe {
            let options = options.raw(ptr::null());
            check::<A>(sys::call!(girih_message_begin(state.as_mut_ptr(), A::raw(), [public], &options)))?;
            Ok(Self { state: state.assume_init(), algorithm: PhantomData })
        }
    }

    /// Reads a piece.
    pub fn update(&mut self, piece: &[u8]) -> Result<(), Error> {
        // SAFETY: the pointer is passed with its length.
        check::<A>(unsafe { sys::call!(girih_message_update(&mut self.state, [piece])) })
    }

    /// Ends the message.
    pub fn mu(mut self) -> Result<[u8; 64], Error> {
        let mut mu = [0; 64];
        // SAFETY: the pointer is passed with its length.
        check::<A>(unsafe { sys::call!(girih_message_mu(&mut self.state, [mut mu])) })?;
        Ok(mu)
    }
}

/// A key, a message and its signature.
#[cfg(feature = "alloc")]
pub type Claim<'a, K> = (&'a K, &'a [u8], &'a Signature<<K as Verifying>::Algorithm>);

/// Signs messages side by side in the processor's vectors, each by its key.
#[cfg(feature = "alloc")]
pub fn sign_many<K: Signing>(rows: &[(&K, &[u8])], options: &Options) -> Vec<Result<Signature<K::Algorithm>, Error>> {
    let options = options.raw(ptr::null());
    let row = |(key, message): &(&K, &[u8]), signature: &mut Signature<K::Algorithm>| {
        let ((_, key, secret), out) = (key.handle(), signature.bytes.as_mut());
        row!(girih_sign_row { key: key, options: &options, signature_bytes: 0 }
             secret_key secret_key_bytes [secret], message message_bytes [message],
             signature signature_capacity [mut out])
    };
    let done = |row: &sys::girih_sign_row, signature| Signature { length: row.signature_bytes, ..signature };
    run_batch::<K::Algorithm, _, _, _>(rows, Signature::empty, row, done)
}

/// Verifies signatures side by side in the processor's vectors.
#[cfg(feature = "alloc")]
pub fn verify_many<K: Verifying>(rows: &[Claim<K>], options: &Options) -> Vec<Result<(), Error>> {
    let options = options.raw(ptr::null());
    let row = |(key, message, signature): &Claim<K>, (): &mut ()| {
        let ((_, key, public), signature) = (key.handle(), signature.as_bytes());
        row!(girih_verify_row { key: key, options: &options } public_key public_key_bytes [public],
             message message_bytes [message], signature signature_bytes [signature])
    };
    run_batch::<K::Algorithm, _, _, _>(rows, || (), row, |_, ()| ())
}
