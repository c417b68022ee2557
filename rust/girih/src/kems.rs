//! Encapsulating and decapsulating secrets.

#[cfg(feature = "alloc")]
use alloc::vec::Vec;
use core::{fmt, ptr};

use girih_sys as sys;
use rand_core::TryCryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::algorithms::sealed::Sealed;
use crate::error::check;
use crate::handles::{Handle, operate};
#[cfg(feature = "alloc")]
use crate::handles::{row, run_batch};
use crate::random::source;
use crate::{ByteArray, Error, KemAlgorithm};

/// A shared secret. It is zeroized when dropped.
#[derive(Clone)]
pub struct SharedSecret([u8; sys::GIRIH_SHARED_SECRET_BYTES]);

impl SharedSecret {
    const ZERO: Self = Self([0; sys::GIRIH_SHARED_SECRET_BYTES]);

    /// The secret's bytes.
    pub fn as_bytes(&self) -> &[u8; sys::GIRIH_SHARED_SECRET_BYTES] {
        &self.0
    }
}

impl AsRef<[u8]> for SharedSecret {
    fn as_ref(&self) -> &[u8] {
        &self.0
    }
}

impl fmt::Debug for SharedSecret {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("SharedSecret(..)")
    }
}

impl Drop for SharedSecret {
    fn drop(&mut self) {
        self.0.zeroize();
    }
}

impl ZeroizeOnDrop for SharedSecret {}

/// A ciphertext, and the secret that it carries.
pub type Encapsulated<A> = (<A as KemAlgorithm>::Ciphertext, SharedSecret);

/// A key that encapsulates: [`PublicKey`](crate::PublicKey), or a prepared one.
pub trait Encapsulating: Sealed {
    /// The algorithm.
    type Algorithm: KemAlgorithm;

    #[doc(hidden)]
    fn handle(&self) -> Handle<'_, sys::girih_encapsulation_key>;

    /// Makes a secret, and the ciphertext that carries it, from the operating system's randomness.
    fn encap(&self) -> Result<Encapsulated<Self::Algorithm>, Error> {
        encapsulate(self, ptr::null())
    }

    /// Makes a secret, and the ciphertext that carries it, with randomness from a source.
    fn encap_from<R: TryCryptoRng + ?Sized>(&self, rng: &mut R) -> Result<Encapsulated<Self::Algorithm>, Error> {
        let mut rng = rng;
        encapsulate(self, &source(&mut rng))
    }
}

fn encapsulate<K: Encapsulating + ?Sized>(
    key: &K, random: *const sys::girih_random,
) -> Result<Encapsulated<K::Algorithm>, Error> {
    let (mut ciphertext, mut secret) = zeroed::<K::Algorithm>();
    let (out, shared) = (ciphertext.as_mut(), &mut secret.0);
    // SAFETY: each pointer is passed with its length.
    check::<K::Algorithm>(unsafe {
        operate!(key, girih_encapsulate girih_encapsulate_prepared(random; [mut out], [mut shared]))
    })?;
    Ok((ciphertext, secret))
}

fn zeroed<A: KemAlgorithm>() -> Encapsulated<A> {
    (A::Ciphertext::ZERO, SharedSecret::ZERO)
}

/// A key that decapsulates: [`SecretKey`](crate::SecretKey), or a prepared one.
pub trait Decapsulating: Sealed {
    /// The algorithm.
    type Algorithm: KemAlgorithm;

    #[doc(hidden)]
    fn handle(&self) -> Handle<'_, sys::girih_decapsulation_key>;

    /// The secret of a ciphertext. One that was changed, or made with another key, gives a secret
    /// that only this key's owner could compute.
    fn decap(&self, ciphertext: &[u8]) -> Result<SharedSecret, Error> {
        let expected = <Self::Algorithm as KemAlgorithm>::Ciphertext::BYTES;
        if ciphertext.len() != expected {
            return Err(Error::length::<Self::Algorithm>("ciphertext", ciphertext.len(), expected));
        }
        let mut secret = SharedSecret::ZERO;
        // SAFETY: each pointer is passed with its length.
        check::<Self::Algorithm>(unsafe {
            operate!(self, girih_decapsulate girih_decapsulate_prepared([ciphertext], [mut secret.0]))
        })?;
        Ok(secret)
    }
}

/// Encapsulates a secret for each key, side by side in the processor's vectors.
#[cfg(feature = "alloc")]
pub fn encapsulate_many<K: Encapsulating>(keys: &[&K]) -> Vec<Result<Encapsulated<K::Algorithm>, Error>> {
    let row = |key: &&K, (ciphertext, secret): &mut Encapsulated<K::Algorithm>| {
        let ((_, key, public), out) = (key.handle(), ciphertext.as_mut());
        row!(girih_encapsulate_row { key: key, random: ptr::null() } public_key public_key_bytes [public],
             ciphertext ciphertext_bytes [mut out], shared_secret shared_secret_bytes [mut secret.0])
    };
    run_batch::<K::Algorithm, _, _, _>(keys, zeroed::<K::Algorithm>, row, |_, made| made)
}

/// The secret of each ciphertext, side by side in the processor's vectors.
#[cfg(feature = "alloc")]
pub fn decapsulate_many<K: Decapsulating>(rows: &[(&K, &[u8])]) -> Vec<Result<SharedSecret, Error>> {
    let row = |(key, ciphertext): &(&K, &[u8]), secret: &mut SharedSecret| {
        let (_, key, bytes) = key.handle();
        row!(girih_decapsulate_row { key: key } secret_key secret_key_bytes [bytes],
             ciphertext ciphertext_bytes [ciphertext], shared_secret shared_secret_bytes [mut secret.0])
    };
    run_batch::<K::Algorithm, _, _, _>(rows, || SharedSecret::ZERO, row, |_, secret| secret)
}
