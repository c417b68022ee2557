//! Key pairs and public keys.

use core::fmt;

use girih_sys as sys;
use rand_core::TryCryptoRng;
use zeroize::{Zeroize, ZeroizeOnDrop, Zeroizing};

use crate::error::check;
use crate::{Algorithm, ByteArray, Error, ErrorKind};

/// A public key: it verifies signatures, or encapsulates secrets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PublicKey<A: Algorithm> {
    pub(crate) bytes: A::PublicKey,
}

impl<A: Algorithm> PublicKey<A> {
    /// Takes the key's bytes. A malformed Falcon or ML-KEM key of the right length is refused by
    /// the operations.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        Ok(Self { bytes: array::<A, _>("public key", bytes)? })
    }

    /// The key's bytes.
    pub fn as_bytes(&self) -> &A::PublicKey {
        &self.bytes
    }
}

impl<A: Algorithm> AsRef<[u8]> for PublicKey<A> {
    fn as_ref(&self) -> &[u8] {
        self.bytes.as_ref()
    }
}

/// A secret key, with its public key and, if known, the seed from which it was made. It is zeroized
/// when dropped. Moving a value copies it, as everywhere in Rust: box a key that moves.
#[derive(Clone)]
pub struct SecretKey<A: Algorithm> {
    seed: Option<A::Seed>,
    pub(crate) bytes: A::SecretKey,
    pub(crate) public: PublicKey<A>,
}

impl<A: Algorithm> SecretKey<A> {
    /// A new key from the operating system's randomness.
    #[cfg(feature = "getrandom")]
    pub fn generate() -> Result<Self, Error> {
        let mut seed = Zeroizing::new(A::Seed::ZERO);
        getrandom::fill((*seed).as_mut()).map_err(|_| Error::new::<A>(ErrorKind::Random))?;
        Self::from_seed(&seed)
    }

    /// A new key from a source of randomness, of which it draws a seed.
    pub fn generate_with<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, Error> {
        let mut seed = Zeroizing::new(A::Seed::ZERO);
        rng.try_fill_bytes((*seed).as_mut()).map_err(|_| Error::new::<A>(ErrorKind::Random))?;
        Self::from_seed(&seed)
    }

    /// The key of a seed.
    pub fn from_seed(seed: &A::Seed) -> Result<Self, Error> {
        let mut key = Self::zeroed();
        let (given, secret, public) = (seed.as_ref(), key.bytes.as_mut(), key.public.bytes.as_mut());
        // SAFETY: each pointer is passed with its length.
        check::<A>(unsafe { sys::call!(girih_keygen_from_seed(A::raw(), [given], [mut public], [mut secret])) })?;
        key.seed = Some(seed.clone());
        Ok(key)
    }

    /// Takes the key's bytes, with every check that its encoding allows.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, Error> {
        let mut key = Self::zeroed();
        copy::<A, _>("secret key", bytes, &mut key.bytes)?;
        let (secret, public) = (key.bytes.as_ref(), key.public.bytes.as_mut());
        // SAFETY: each pointer is passed with its length.
        check::<A>(unsafe { sys::call!(girih_public_key(A::raw(), [secret], [mut public])) })?;
        Ok(key)
    }

    /// The key's bytes.
    pub fn as_bytes(&self) -> &A::SecretKey {
        &self.bytes
    }

    /// The seed, unless the key came without it.
    pub fn seed(&self) -> Option<&A::Seed> {
        self.seed.as_ref()
    }

    /// The public key.
    pub fn public_key(&self) -> &PublicKey<A> {
        &self.public
    }

    fn zeroed() -> Self {
        let public = PublicKey { bytes: A::PublicKey::ZERO };
        Self { seed: None, bytes: A::SecretKey::ZERO, public }
    }
}

impl<A: Algorithm> AsRef<PublicKey<A>> for SecretKey<A> {
    fn as_ref(&self) -> &PublicKey<A> {
        &self.public
    }
}

/// Shows the public key alone.
impl<A: Algorithm> fmt::Debug for SecretKey<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(A::NAME).field("public", &self.public).finish_non_exhaustive()
    }
}

impl<A: Algorithm> Drop for SecretKey<A> {
    fn drop(&mut self) {
        if let Some(seed) = &mut self.seed {
            seed.zeroize();
        }
        self.bytes.zeroize();
    }
}

impl<A: Algorithm> ZeroizeOnDrop for SecretKey<A> {}

/// Copies bytes of the algorithm's length, or says which length is wrong.
pub(crate) fn copy<A: Algorithm, B: ByteArray>(of: &'static str, bytes: &[u8], to: &mut B) -> Result<(), Error> {
    if bytes.len() != B::BYTES {
        return Err(Error::length::<A>(of, bytes.len(), B::BYTES));
    }
    to.as_mut().copy_from_slice(bytes);
    Ok(())
}

pub(crate) fn array<A: Algorithm, B: ByteArray>(of: &'static str, bytes: &[u8]) -> Result<B, Error> {
    let mut copied = B::ZERO;
    copy::<A, _>(of, bytes, &mut copied)?;
    Ok(copied)
}
