//! Lattice cryptography: ML-DSA (FIPS 204), ML-KEM (FIPS 203), Falcon, Dilithium, NTRU Prime.
//!
//! Each algorithm has a module with the types of its keys. [`SecretKey`] and [`PublicKey`] have
//! what all share; the traits [`Signing`], [`Verifying`], [`Encapsulating`] and [`Decapsulating`]
//! have the operations, of plain and of prepared keys, with errors that say what was wrong. With
//! the feature `traits`, RustCrypto's `signature` and `kem` are implemented as well; with
//! `key-files`, `pkcs8`.
//!
#![cfg_attr(feature = "std", doc = "```")]
#![cfg_attr(not(feature = "std"), doc = "```ignore")]
//! use girih::ml_dsa_65::{Signature, SigningKey};
//! use girih::{Options, Signing, Verifying};
//!
//! # fn main() -> Result<(), girih::Error> {
//! let key = SigningKey::generate()?;
//! let options = Options { context: b"example", ..Options::default() };
//! let signature = key.sign_with(b"a message", &options)?;
//!
//! let received = Signature::from_bytes(signature.as_bytes())?;
//! key.public_key().verify_with(b"a message", &received, &options)?;
//!
//! use girih::{Decapsulating, Encapsulating, ml_kem_768::DecapsulationKey};
//! let key = DecapsulationKey::generate()?;
//! let (ciphertext, secret) = key.public_key().encap()?;
//! assert_eq!(key.decap(&ciphertext)?.as_bytes(), secret.as_bytes());
//! # Ok(())
//! # }
//! ```
#![no_std]

#[cfg(feature = "alloc")]
extern crate alloc;

mod algorithms;
mod error;
mod handles;
mod kems;
#[cfg(feature = "key-files")]
mod key_files;
mod keys;
#[cfg(feature = "alloc")]
mod prepared;
mod random;
mod signatures;
#[cfg(feature = "traits")]
mod traits;

pub use algorithms::*;
pub use error::{Error, ErrorKind};
pub use kems::{Decapsulating, Encapsulated, Encapsulating, SharedSecret};
#[cfg(feature = "alloc")]
pub use kems::{decapsulate_many, encapsulate_many};
pub use keys::{PublicKey, SecretKey};
#[cfg(feature = "alloc")]
pub use prepared::{
    Kind, Prepared, PreparedDecapsulationKey, PreparedEncapsulationKey, PreparedSigningKey, PreparedVerifyingKey,
};
pub use signatures::{Message, Options, Signature, Signing, Verifying};
#[cfg(feature = "alloc")]
pub use signatures::{sign_many, verify_many};

/// RustCrypto's keys in DER and PEM, as implemented here.
#[cfg(feature = "key-files")]
pub use pkcs8;
/// RustCrypto's traits, as implemented here.
#[cfg(feature = "traits")]
pub use {kem, signature};
