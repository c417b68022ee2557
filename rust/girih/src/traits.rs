//! RustCrypto's traits. The traits of `kem` cannot fail, so an operation that fails panics: only an
//! engine that does not run here (GIRIH_ISA), a failing source of randomness or a fault makes it.

use hybrid_array::{Array, sizes as n};
use kem::{
    Decapsulate, Decapsulator, Encapsulate, Generate, InvalidKey, Kem, KeyExport, KeyInit, KeySizeUser, TryKeyInit,
};
use rand_core::{CryptoRng, TryCryptoRng};
use zeroize::Zeroizing;

use crate::algorithms::*;
use crate::{
    Algorithm, ByteArray, Decapsulating, Encapsulating, Error, HasMu, KemAlgorithm, Options, PublicKey, SecretKey,
    Signature, SignatureAlgorithm, Signing, Verifying,
};

impl From<Error> for signature::Error {
    fn from(_: Error) -> Self {
        Self::new()
    }
}

impl<A: SignatureAlgorithm> signature::SignatureEncoding for Signature<A> {
    type Repr = Self;
}

/// Hedged with the operating system's randomness.
impl<A: SignatureAlgorithm> signature::Signer<Signature<A>> for SecretKey<A> {
    fn try_sign(&self, message: &[u8]) -> Result<Signature<A>, signature::Error> {
        Ok(self.sign_with(message, &Options::default())?)
    }
}

impl<A: SignatureAlgorithm> signature::RandomizedSigner<Signature<A>> for SecretKey<A> {
    fn try_sign_with_rng<R: TryCryptoRng + ?Sized>(
        &self, rng: &mut R, message: &[u8],
    ) -> Result<Signature<A>, signature::Error> {
        Ok(self.sign_from(rng, message, &Options::default())?)
    }
}

impl<A: HasMu> signature::MultipartSigner<Signature<A>> for SecretKey<A> {
    fn try_multipart_sign(&self, message: &[&[u8]]) -> Result<Signature<A>, signature::Error> {
        Ok(self.sign_mu(&mu(self.public_key(), message)?, &Options::default())?)
    }
}

impl<A: HasMu> signature::MultipartVerifier<Signature<A>> for PublicKey<A> {
    fn multipart_verify(&self, message: &[&[u8]], signature: &Signature<A>) -> Result<(), signature::Error> {
        Ok(self.verify_mu(&mu(self, message)?, signature)?)
    }
}

fn mu<A: HasMu>(key: &PublicKey<A>, pieces: &[&[u8]]) -> Result<[u8; 64], Error> {
    let mut message = crate::Message::new(key, &Options::default())?;
    pieces.iter().try_for_each(|piece| message.update(piece))?;
    message.mu()
}

impl<A: SignatureAlgorithm> signature::KeypairRef for SecretKey<A> {
    type VerifyingKey = PublicKey<A>;
}

impl<A: SignatureAlgorithm> signature::Verifier<Signature<A>> for PublicKey<A> {
    fn verify(&self, message: &[u8], signature: &Signature<A>) -> Result<(), signature::Error> {
        Ok(self.verify_with(message, signature, &Options::default())?)
    }
}

#[cfg(feature = "alloc")]
mod prepared {
    use super::*;
    use crate::{PreparedSigningKey, PreparedVerifyingKey};

    impl<A: SignatureAlgorithm> signature::Signer<Signature<A>> for PreparedSigningKey<A> {
        fn try_sign(&self, message: &[u8]) -> Result<Signature<A>, signature::Error> {
            Ok(self.sign_with(message, &Options::default())?)
        }
    }

    impl<A: SignatureAlgorithm> signature::Verifier<Signature<A>> for PreparedVerifyingKey<A> {
        fn verify(&self, message: &[u8], signature: &Signature<A>) -> Result<(), signature::Error> {
            Ok(self.verify_with(message, signature, &Options::default())?)
        }
    }
}

impl<A: Algorithm> Generate for SecretKey<A> {
    fn try_generate_from_rng<R: TryCryptoRng + ?Sized>(rng: &mut R) -> Result<Self, R::Error> {
        let mut seed = Zeroizing::new(A::Seed::ZERO);
        rng.try_fill_bytes((*seed).as_mut())?;
        Ok(Self::from_seed(&seed).expect("a key of a seed"))
    }
}

/// ML-KEM and Streamlined NTRU Prime: `hybrid-array` lacks the sizes of NTRU LPRime.
macro_rules! kems {
    ($($module:ident::$marker:ident $seed:ident $public:ident $ciphertext:ident;)*) => {$(
        impl Kem for $module::$marker {
            type DecapsulationKey = SecretKey<Self>;
            type EncapsulationKey = PublicKey<Self>;
            type SharedKeySize = n::U32;
            type CiphertextSize = n::$ciphertext;
        }

        impl Decapsulator for SecretKey<$module::$marker> {
            type Kem = $module::$marker;
            fn encapsulation_key(&self) -> &PublicKey<$module::$marker> {
                self.public_key()
            }
        }

        impl Decapsulate for SecretKey<$module::$marker> {
            fn decapsulate(&self, ciphertext: &Array<u8, n::$ciphertext>) -> Array<u8, n::U32> {
                Array(*self.decap(ciphertext).expect("a secret of a ciphertext").as_bytes())
            }
        }

        impl Encapsulate for PublicKey<$module::$marker> {
            type Kem = $module::$marker;
            fn encapsulate_with_rng<R>(&self, rng: &mut R) -> (Array<u8, n::$ciphertext>, Array<u8, n::U32>)
            where
                R: CryptoRng + ?Sized,
            {
                let (ciphertext, secret) = self.encap_from(rng).expect("a ciphertext for a key");
                (Array(ciphertext), Array(*secret.as_bytes()))
            }
        }

        impl KeySizeUser for SecretKey<$module::$marker> {
            type KeySize = n::$seed;
        }

        /// From a seed.
        impl KeyInit for SecretKey<$module::$marker> {
            fn new(seed: &Array<u8, n::$seed>) -> Self {
                Self::from_seed(&seed.0).expect("a key of a seed")
            }
        }

        impl KeySizeUser for PublicKey<$module::$marker> {
            type KeySize = n::$public;
        }

        /// With the check of FIPS 203, Section 7.2.
        impl TryKeyInit for PublicKey<$module::$marker> {
            fn new(bytes: &Array<u8, n::$public>) -> Result<Self, InvalidKey> {
                let key = Self { bytes: bytes.0 };
                check_public_key(&key).map_err(|_| InvalidKey)?;
                Ok(key)
            }
        }

        impl KeyExport for PublicKey<$module::$marker> {
            fn to_bytes(&self) -> Array<u8, n::$public> {
                Array(self.bytes)
            }
        }
    )*};
}

kems! {
    // facts: kems
ml_kem_512::MlKem512 U64 U800 U768;
ml_kem_768::MlKem768 U64 U1184 U1088;
ml_kem_1024::MlKem1024 U64 U1568 U1568;
sntrup653::Sntrup653 U32 U994 U897;
sntrup761::Sntrup761 U32 U1158 U1039;
sntrup857::Sntrup857 U32 U1322 U1184;
sntrup953::Sntrup953 U32 U1505 U1349;
sntrup1013::Sntrup1013 U32 U1623 U1455;
sntrup1277::Sntrup1277 U32 U2067 U1847;
    // facts: end
}

/// Encapsulates a secret that nobody uses, because encapsulation checks the key.
fn check_public_key<A: KemAlgorithm>(key: &PublicKey<A>) -> Result<(), Error> {
    key.encap_from(&mut Zeros).map(|_| ())
}

struct Zeros;

impl rand_core::TryRng for Zeros {
    type Error = core::convert::Infallible;
    fn try_next_u32(&mut self) -> Result<u32, Self::Error> {
        Ok(0)
    }
    fn try_next_u64(&mut self) -> Result<u64, Self::Error> {
        Ok(0)
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), Self::Error> {
        out.fill(0);
        Ok(())
    }
}

impl TryCryptoRng for Zeros {}
