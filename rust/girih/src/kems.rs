//! Encapsulating and decapsulating secrets.

use core::{fmt, ptr};

use girih_sys as sys;
use rand_core::TryCryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop};

use crate::algorithms::sealed::Sealed;
use crate::error::check;
use crate::random::source;
use crate::{Algorithm, ByteArray, Error, KemAlgorithm, PublicKey, SecretKey};

/// A shared secret. It is zeroized when dropped.
#[derive(Clone)]
pub struct SharedSecret([u8; sys::GIRIH_SHARED_SECRET_BYTES]);

impl SharedSecret {
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

/// A key that encapsulates: [`PublicKey`], or a prepared one.
pub trait Encapsulating: Sealed {
    /// The algorithm.
    type Algorithm: KemAlgorithm;

    #[doc(hidden)]
    fn handle(&self) -> (*const sys::girih_encapsulation_key, &[u8]);

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
    let (key, public) = key.handle();
    let (mut ciphertext, mut secret) = (<K::Algorithm as KemAlgorithm>::Ciphertext::ZERO, SharedSecret([0; 32]));
    let (text, shared) = (ciphertext.as_mut(), &mut secret.0);
    let (out, room) = (text.as_mut_ptr(), text.len());
    // SAFETY: each pointer is passed with its length.
    check::<K::Algorithm>(unsafe {
        if key.is_null() {
            sys::girih_encapsulate(
                K::Algorithm::raw(),
                random,
                public.as_ptr(),
                public.len(),
                out,
                room,
                shared.as_mut_ptr(),
                shared.len(),
            )
        } else {
            sys::girih_encapsulate_prepared(key, random, out, room, shared.as_mut_ptr(), shared.len())
        }
    })?;
    Ok((ciphertext, secret))
}

/// A key that decapsulates: [`SecretKey`], or a prepared one.
pub trait Decapsulating: Sealed {
    /// The algorithm.
    type Algorithm: KemAlgorithm;

    #[doc(hidden)]
    fn handle(&self) -> (*const sys::girih_decapsulation_key, &[u8]);

    /// The secret of a ciphertext. One that was changed, or made with another key, gives a secret
    /// that only this key's owner could compute.
    fn decap(&self, ciphertext: &[u8]) -> Result<SharedSecret, Error> {
        let expected = <Self::Algorithm as KemAlgorithm>::Ciphertext::BYTES;
        if ciphertext.len() != expected {
            return Err(Error::length::<Self::Algorithm>("ciphertext", ciphertext.len(), expected));
        }
        let ((key, bytes), mut secret) = (self.handle(), SharedSecret([0; 32]));
        let (text, length, shared) = (ciphertext.as_ptr(), ciphertext.len(), &mut secret.0);
        // SAFETY: each pointer is passed with its length.
        check::<Self::Algorithm>(unsafe {
            if key.is_null() {
                sys::girih_decapsulate(
                    Self::Algorithm::raw(),
                    bytes.as_ptr(),
                    bytes.len(),
                    text,
                    length,
                    shared.as_mut_ptr(),
                    shared.len(),
                )
            } else {
                sys::girih_decapsulate_prepared(key, text, length, shared.as_mut_ptr(), shared.len())
            }
        })?;
        Ok(secret)
    }
}

impl<A: KemAlgorithm> Encapsulating for PublicKey<A> {
    type Algorithm = A;
    fn handle(&self) -> (*const sys::girih_encapsulation_key, &[u8]) {
        (ptr::null(), self.as_ref())
    }
}

impl<A: KemAlgorithm> Decapsulating for SecretKey<A> {
    type Algorithm = A;
    fn handle(&self) -> (*const sys::girih_decapsulation_key, &[u8]) {
        (ptr::null(), self.bytes.as_ref())
    }
}

#[cfg(feature = "alloc")]
pub use batches::{decapsulate_many, encapsulate_many};

#[cfg(feature = "alloc")]
mod batches {
    use super::*;
    use crate::prepared::{PreparedDecapsulationKey, PreparedEncapsulationKey};
    use alloc::vec::Vec;

    impl<A: KemAlgorithm> Encapsulating for PreparedEncapsulationKey<A> {
        type Algorithm = A;
        fn handle(&self) -> (*const sys::girih_encapsulation_key, &[u8]) {
            (self.key, &[])
        }
    }

    impl<A: KemAlgorithm> Decapsulating for PreparedDecapsulationKey<A> {
        type Algorithm = A;
        fn handle(&self) -> (*const sys::girih_decapsulation_key, &[u8]) {
            (self.key, &[])
        }
    }

    /// Encapsulates a secret for each key, side by side in the processor's vectors.
    pub fn encapsulate_many<K: Encapsulating>(keys: &[&K]) -> Vec<Result<Encapsulated<K::Algorithm>, Error>> {
        let zero = || (<K::Algorithm as KemAlgorithm>::Ciphertext::ZERO, SharedSecret([0; 32]));
        let mut made: Vec<Encapsulated<K::Algorithm>> = keys.iter().map(|_| zero()).collect();
        let row = |(key, (ciphertext, secret)): (&&K, &mut Encapsulated<K::Algorithm>)| {
            let ((key, public), ciphertext) = (key.handle(), ciphertext.as_mut());
            sys::girih_encapsulate_row {
                key,
                public_key: public.as_ptr(),
                public_key_bytes: public.len(),
                random: ptr::null(),
                ciphertext: ciphertext.as_mut_ptr(),
                ciphertext_bytes: ciphertext.len(),
                shared_secret: secret.0.as_mut_ptr(),
                shared_secret_bytes: secret.0.len(),
                result: 0,
            }
        };
        let mut raw: Vec<_> = keys.iter().zip(&mut made).map(row).collect();
        // SAFETY: the rows' pointers are passed with their lengths. The result is that of a row.
        unsafe { sys::girih_encapsulate_many(K::Algorithm::raw(), raw.as_mut_ptr(), raw.len()) };
        raw.iter().zip(made).map(|(row, made)| check::<K::Algorithm>(row.result).map(|()| made)).collect()
    }

    /// The secret of each ciphertext, side by side in the processor's vectors.
    pub fn decapsulate_many<K: Decapsulating>(rows: &[(&K, &[u8])]) -> Vec<Result<SharedSecret, Error>> {
        let mut secrets: Vec<_> = rows.iter().map(|_| SharedSecret([0; 32])).collect();
        let row = |((key, ciphertext), secret): (&(&K, &[u8]), &mut SharedSecret)| {
            let (key, bytes) = key.handle();
            sys::girih_decapsulate_row {
                key,
                secret_key: bytes.as_ptr(),
                secret_key_bytes: bytes.len(),
                ciphertext: ciphertext.as_ptr(),
                ciphertext_bytes: ciphertext.len(),
                shared_secret: secret.0.as_mut_ptr(),
                shared_secret_bytes: secret.0.len(),
                result: 0,
            }
        };
        let mut raw: Vec<_> = rows.iter().zip(&mut secrets).map(row).collect();
        // SAFETY: the rows' pointers are passed with their lengths. The result is that of a row.
        unsafe { sys::girih_decapsulate_many(K::Algorithm::raw(), raw.as_mut_ptr(), raw.len()) };
        raw.iter().zip(secrets).map(|(row, secret)| check::<K::Algorithm>(row.result).map(|()| secret)).collect()
    }
}
