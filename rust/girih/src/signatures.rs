//! Signing and verifying.

use core::ffi::CStr;
use core::marker::PhantomData;
use core::mem::MaybeUninit;
use core::ptr;

use girih_sys as sys;
use rand_core::TryCryptoRng;

use crate::algorithms::sealed::Sealed;
use crate::error::check;
use crate::random::source;
use crate::{ByteArray, Error, HasMu, PublicKey, SecretKey, SignatureAlgorithm};

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

/// A key that signs: [`SecretKey`], or a prepared one.
pub trait Signing: Sealed {
    /// The algorithm.
    type Algorithm: SignatureAlgorithm;

    #[doc(hidden)]
    fn handle(&self) -> (*const sys::girih_signing_key, &[u8]);

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
        let ((key, secret), alg) = (self.handle(), <Self::Algorithm as crate::Algorithm>::raw());
        let options = options.raw(ptr::null());
        into_signature(|out, room, length| unsafe {
            if key.is_null() {
                sys::girih_sign_mu(
                    alg,
                    secret.as_ptr(),
                    secret.len(),
                    mu.as_ptr(),
                    mu.len(),
                    &options,
                    out,
                    room,
                    length,
                )
            } else {
                sys::girih_sign_mu_prepared(key, mu.as_ptr(), mu.len(), &options, out, room, length)
            }
        })
    }
}

/// Calls a function that writes a signature, of at most the bytes it is told, and its length.
fn into_signature<A, F>(write: F) -> Result<Signature<A>, Error>
where
    A: SignatureAlgorithm,
    F: FnOnce(*mut u8, usize, *mut usize) -> core::ffi::c_int,
{
    let mut signature = Signature::<A>::empty();
    let room = signature.bytes.as_mut();
    check::<A>(write(room.as_mut_ptr(), room.len(), &mut signature.length))?;
    Ok(signature)
}

fn sign<K: Signing + ?Sized>(
    key: &K, message: &[u8], options: &sys::girih_options,
) -> Result<Signature<K::Algorithm>, Error> {
    let ((key, secret), alg) = (key.handle(), <K::Algorithm as crate::Algorithm>::raw());
    let (text, bytes) = (message.as_ptr(), message.len());
    // SAFETY: each pointer is passed with its length, and lives until the function returns.
    into_signature(|out, room, length| unsafe {
        if key.is_null() {
            sys::girih_sign(alg, secret.as_ptr(), secret.len(), text, bytes, options, out, room, length)
        } else {
            sys::girih_sign_prepared(key, text, bytes, options, out, room, length)
        }
    })
}

/// A key that verifies: [`PublicKey`], or a prepared one.
pub trait Verifying: Sealed {
    /// The algorithm.
    type Algorithm: SignatureAlgorithm;

    #[doc(hidden)]
    fn handle(&self) -> (*const sys::girih_verifying_key, &[u8]);

    /// Verifies a signature.
    fn verify_with(
        &self, message: &[u8], signature: &Signature<Self::Algorithm>, options: &Options,
    ) -> Result<(), Error> {
        let ((key, public), options) = (self.handle(), options.raw(ptr::null()));
        let (text, bytes, sig) = (message.as_ptr(), message.len(), signature.as_bytes());
        // SAFETY: each pointer is passed with its length, and lives until the function returns.
        check::<Self::Algorithm>(unsafe {
            if key.is_null() {
                let alg = <Self::Algorithm as crate::Algorithm>::raw();
                sys::girih_verify(alg, public.as_ptr(), public.len(), text, bytes, &options, sig.as_ptr(), sig.len())
            } else {
                sys::girih_verify_prepared(key, text, bytes, &options, sig.as_ptr(), sig.len())
            }
        })
    }

    /// Verifies the signature of a message representative.
    fn verify_mu(&self, mu: &[u8; 64], signature: &Signature<Self::Algorithm>) -> Result<(), Error>
    where
        Self::Algorithm: HasMu,
    {
        let ((key, public), sig) = (self.handle(), signature.as_bytes());
        // SAFETY: each pointer is passed with its length.
        check::<Self::Algorithm>(unsafe {
            if key.is_null() {
                let alg = <Self::Algorithm as crate::Algorithm>::raw();
                sys::girih_verify_mu(alg, public.as_ptr(), public.len(), mu.as_ptr(), mu.len(), sig.as_ptr(), sig.len())
            } else {
                sys::girih_verify_mu_prepared(key, mu.as_ptr(), mu.len(), sig.as_ptr(), sig.len())
            }
        })
    }
}

impl<A: crate::Algorithm> Sealed for SecretKey<A> {}
impl<A: crate::Algorithm> Sealed for PublicKey<A> {}

impl<A: SignatureAlgorithm> Signing for SecretKey<A> {
    type Algorithm = A;
    fn handle(&self) -> (*const sys::girih_signing_key, &[u8]) {
        (ptr::null(), self.bytes.as_ref())
    }
}

impl<A: SignatureAlgorithm> Verifying for PublicKey<A> {
    type Algorithm = A;
    fn handle(&self) -> (*const sys::girih_verifying_key, &[u8]) {
        (ptr::null(), self.as_ref())
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
            let (out, bytes) = (state.as_mut_ptr(), public.len());
            check::<A>(sys::girih_message_begin(out, A::raw(), public.as_ptr(), bytes, &options))?;
            Ok(Self { state: state.assume_init(), algorithm: PhantomData })
        }
    }

    /// Reads a piece.
    pub fn update(&mut self, piece: &[u8]) -> Result<(), Error> {
        // SAFETY: the pointer is passed with its length.
        check::<A>(unsafe { sys::girih_message_update(&mut self.state, piece.as_ptr(), piece.len()) })
    }

    /// Ends the message.
    pub fn mu(mut self) -> Result<[u8; 64], Error> {
        let mut mu = [0; 64];
        // SAFETY: the pointer is passed with its length.
        check::<A>(unsafe { sys::girih_message_mu(&mut self.state, mu.as_mut_ptr(), mu.len()) })?;
        Ok(mu)
    }
}

#[cfg(feature = "alloc")]
pub use batches::{sign_many, verify_many};

#[cfg(feature = "alloc")]
mod batches {
    use super::*;
    use crate::prepared::{Prepared, PreparedSigningKey, PreparedVerifyingKey};
    use crate::{Algorithm, prepared::Kind};
    use alloc::vec::Vec;

    impl<A: Algorithm, K: Kind> Sealed for Prepared<A, K> {}

    impl<A: SignatureAlgorithm> Signing for PreparedSigningKey<A> {
        type Algorithm = A;
        fn handle(&self) -> (*const sys::girih_signing_key, &[u8]) {
            (self.key, &[])
        }
    }

    impl<A: SignatureAlgorithm> Verifying for PreparedVerifyingKey<A> {
        type Algorithm = A;
        fn handle(&self) -> (*const sys::girih_verifying_key, &[u8]) {
            (self.key, &[])
        }
    }

    /// Signs messages side by side in the processor's vectors, each by its key.
    pub fn sign_many<K: Signing>(
        rows: &[(&K, &[u8])], options: &Options,
    ) -> Vec<Result<Signature<K::Algorithm>, Error>> {
        let options = options.raw(ptr::null());
        let mut signatures: Vec<_> = rows.iter().map(|_| Signature::<K::Algorithm>::empty()).collect();
        let row = |((key, message), signature): (&(&K, &[u8]), &mut Signature<K::Algorithm>)| {
            let ((key, secret), room) = (key.handle(), signature.bytes.as_mut());
            sys::girih_sign_row {
                key,
                secret_key: secret.as_ptr(),
                secret_key_bytes: secret.len(),
                message: message.as_ptr(),
                message_bytes: message.len(),
                options: &options,
                signature: room.as_mut_ptr(),
                signature_capacity: room.len(),
                signature_bytes: 0,
                result: 0,
            }
        };
        let mut raw: Vec<_> = rows.iter().zip(&mut signatures).map(row).collect();
        // SAFETY: the rows' pointers are passed with their lengths. The result is that of a row.
        unsafe { sys::girih_sign_many(K::Algorithm::raw(), raw.as_mut_ptr(), raw.len()) };
        let done = raw.iter().zip(signatures);
        done.map(|(row, signature)| {
            check::<K::Algorithm>(row.result).map(|()| Signature { length: row.signature_bytes, ..signature })
        })
        .collect()
    }

    /// A key, a message and its signature.
    pub type Claim<'a, K> = (&'a K, &'a [u8], &'a Signature<<K as Verifying>::Algorithm>);

    /// Verifies signatures side by side in the processor's vectors.
    pub fn verify_many<K: Verifying>(rows: &[Claim<K>], options: &Options) -> Vec<Result<(), Error>> {
        let options = options.raw(ptr::null());
        let row = |(key, message, signature): &Claim<K>| {
            let ((key, public), signature) = (key.handle(), signature.as_bytes());
            sys::girih_verify_row {
                key,
                public_key: public.as_ptr(),
                public_key_bytes: public.len(),
                message: message.as_ptr(),
                message_bytes: message.len(),
                options: &options,
                signature: signature.as_ptr(),
                signature_bytes: signature.len(),
                result: 0,
            }
        };
        let mut raw: Vec<_> = rows.iter().map(row).collect();
        // SAFETY: the rows' pointers are passed with their lengths. The result is that of a row.
        unsafe { sys::girih_verify_many(K::Algorithm::raw(), raw.as_mut_ptr(), raw.len()) };
        raw.iter().map(|row| check::<K::Algorithm>(row.result)).collect()
    }
}
