//! RustCrypto's `ml-dsa` and `ml-kem`. The key objects of the first keep the matrix and the NTT
//! forms, those of the second the NTT forms and a hash, so both race in both forms: from the keys'
//! bytes (plain), and with the objects made before the clock (prepared).

// The expanded secret key is deprecated by the package in favour of the seed; it is what
// the others sign from.
#![allow(deprecated)]

use contender::kem::{self, Kem, PreparedKem};
use contender::{Code, Contender, ML_DSA_44, ML_DSA_65, ML_DSA_87, MaybeJob, Sizes, contenders, keys_as_objects};
use ml_dsa::{EncodedSignature, EncodedVerifyingKey, Keypair, Signature, SigningKey, VerifyingKey};
use ml_dsa::{ExpandedSigningKey, ExpandedSigningKeyBytes, MlDsa44, MlDsa65, MlDsa87, MlDsaParams};

fn load_secret<P: MlDsaParams>(secret: &[u8]) -> Option<ExpandedSigningKey<P>> {
    let bytes = ExpandedSigningKeyBytes::<P>::try_from(secret).ok()?;
    Some(ExpandedSigningKey::from_expanded(&bytes))
}

fn load_public<P: MlDsaParams>(public: &[u8]) -> Option<VerifyingKey<P>> {
    Some(VerifyingKey::decode(&EncodedVerifyingKey::<P>::try_from(public).ok()?))
}

fn sign<P: MlDsaParams>(key: &ExpandedSigningKey<P>, message: &[u8], out: &mut [u8]) -> bool {
    let Ok(signature) = key.sign_deterministic(message, b"") else { return false };
    out.copy_from_slice(&signature.encode());
    true
}

fn verify<P: MlDsaParams>(key: &VerifyingKey<P>, message: &[u8], signature: &[u8]) -> bool {
    EncodedSignature::<P>::try_from(signature)
        .ok()
        .and_then(|bytes| Signature::decode(&bytes))
        .is_some_and(|signature| key.verify_with_context(message, b"", &signature))
}

fn level<P: MlDsaParams + 'static>(sizes: Sizes, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    keys_as_objects(
        sizes,
        operation,
        inputs,
        |seed, public, secret| {
            let key = SigningKey::<P>::from_seed(&(*seed).into());
            public.copy_from_slice(&key.verifying_key().encode());
            secret.copy_from_slice(&key.expanded_key().to_expanded());
            true
        },
        load_secret::<P>,
        load_public::<P>,
        sign::<P>,
        verify::<P>,
    )
}

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "ML-DSA-44" => level::<MlDsa44>(ML_DSA_44, operation, inputs),
        "ML-DSA-65" => level::<MlDsa65>(ML_DSA_65, operation, inputs),
        "ML-DSA-87" => level::<MlDsa87>(ML_DSA_87, operation, inputs),
        _ => None,
    }
}

/// ML-KEM of one level.
macro_rules! mechanism {
    ($level:ident, $sizes:expr) => {{
        use ml_kem::$level::{Ciphertext, DecapsulationKey, EncapsulationKey};
        use ml_kem::{Decapsulate, ExpandedKeyEncoding, KeyExport};

        #[derive(Clone)]
        struct Mechanism;

        impl Kem for Mechanism {
            fn sizes(&self) -> kem::Sizes {
                $sizes
            }

            fn keygen(&self, seed: &[u8], public: &mut [u8], secret: &mut [u8]) -> bool {
                let Ok(seed) = seed.try_into() else { return false };
                let key = DecapsulationKey::from_seed(seed);
                public.copy_from_slice(&key.encapsulation_key().to_bytes());
                secret.copy_from_slice(&key.to_expanded_bytes());
                true
            }

            fn encapsulate(&self, m: &[u8], public: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> bool {
                let key = self.load_public(public);
                key.is_some_and(|key| self.encapsulate_prepared(m, &key, ciphertext, shared))
            }

            fn decapsulate(&self, secret: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool {
                let key = self.load_secret(secret);
                key.is_some_and(|key| self.decapsulate_prepared(&key, ciphertext, shared))
            }
        }

        impl PreparedKem for Mechanism {
            type Public = EncapsulationKey;
            type Secret = DecapsulationKey;

            fn load_public(&self, public: &[u8]) -> Option<EncapsulationKey> {
                EncapsulationKey::new(public.try_into().ok()?).ok()
            }

            fn load_secret(&self, secret: &[u8]) -> Option<DecapsulationKey> {
                DecapsulationKey::from_expanded_bytes(secret.try_into().ok()?).ok()
            }

            fn encapsulate_prepared(
                &self, m: &[u8], public: &EncapsulationKey, ciphertext: &mut [u8], shared: &mut [u8],
            ) -> bool {
                let Ok(m) = m.try_into() else { return false };
                let made = public.encapsulate_deterministic(m);
                ciphertext.copy_from_slice(&made.0);
                shared.copy_from_slice(&made.1);
                true
            }

            fn decapsulate_prepared(&self, secret: &DecapsulationKey, ciphertext: &[u8], shared: &mut [u8]) -> bool {
                let Ok(ciphertext) = <&Ciphertext>::try_from(ciphertext) else { return false };
                shared.copy_from_slice(&secret.decapsulate(ciphertext));
                true
            }
        }

        Mechanism
    }};
}

fn kem_job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "ML-KEM-512" => kem::prepared_job(mechanism!(ml_kem_512, kem::ML_KEM_512), operation, inputs),
        "ML-KEM-768" => kem::prepared_job(mechanism!(ml_kem_768, kem::ML_KEM_768), operation, inputs),
        "ML-KEM-1024" => kem::prepared_job(mechanism!(ml_kem_1024, kem::ML_KEM_1024), operation, inputs),
        _ => None,
    }
}

/// The compiler makes vector code of it if it may.
const CODE: Code = if cfg!(target_feature = "avx2") { Code::Vector } else { Code::Portable };

contenders![
    Contender { name: "RustCrypto ml-dsa", package: "ml-dsa", code: CODE, note: "", job },
    Contender {
        name: "RustCrypto ml-kem",
        package: "ml-kem",
        code: CODE,
        note: "key objects without the matrix",
        job: kem_job
    },
];
