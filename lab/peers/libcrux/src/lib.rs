//! libcrux's ML-DSA and ML-KEM, their portable and their AVX2 instances.

use contender::kem::{self, Kem, PreparedKem};
use contender::{Code, Contender, ML_DSA_44, ML_DSA_65, ML_DSA_87, MaybeJob, contenders};
use libcrux_ml_dsa::{MLDSASignature, MLDSASigningKey, MLDSAVerificationKey};

const DETERMINISTIC: [u8; 32] = [0; 32];

macro_rules! job {
    ($operation:expr, $inputs:expr, $sizes:expr, $level:ident, $instance:ident) => {{
        use libcrux_ml_dsa::$level::$instance;
        match $operation {
            "keygen" => contender::keygen($inputs, $sizes.public, $sizes.secret, |seed, public, secret| {
                let keys = $instance::generate_key_pair(*seed);
                public.copy_from_slice(keys.verification_key.as_slice());
                secret.copy_from_slice(keys.signing_key.as_slice());
                true
            }),
            "sign" => contender::sign(
                $inputs,
                $sizes.signature,
                |secret| <[u8; $sizes.secret]>::try_from(secret).ok().map(MLDSASigningKey::new),
                |secret, message, out| {
                    let Ok(signature) = $instance::sign(secret, message, b"", DETERMINISTIC) else {
                        return false;
                    };
                    out.copy_from_slice(signature.as_slice());
                    true
                },
            ),
            "verify" => contender::verify(
                $inputs,
                |public| <[u8; $sizes.public]>::try_from(public).ok().map(MLDSAVerificationKey::new),
                |public, message, signature| {
                    let Ok(signature) = signature.try_into() else { return false };
                    $instance::verify(public, message, b"", &MLDSASignature::new(signature)).is_ok()
                },
            ),
            _ => None,
        }
    }};
}

/// The jobs of an instance, if it runs here.
macro_rules! instance {
    ($name:ident, $kem_name:ident, $instance:ident, $runs:expr) => {
        fn $name(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
            match algorithm {
                _ if !$runs => None,
                "ML-DSA-44" => job!(operation, inputs, ML_DSA_44, ml_dsa_44, $instance),
                "ML-DSA-65" => job!(operation, inputs, ML_DSA_65, ml_dsa_65, $instance),
                "ML-DSA-87" => job!(operation, inputs, ML_DSA_87, ml_dsa_87, $instance),
                _ => None,
            }
        }

        fn $kem_name(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
            macro_rules! level {
                ($level:ident, $sizes:expr, $public:ident, $secret:ident) => {
                    kem::prepared_job(mechanism!($level, $instance, $sizes, $public, $secret), operation, inputs)
                };
            }
            match algorithm {
                _ if !$runs => None,
                "ML-KEM-512" => {
                    level!(mlkem512, kem::ML_KEM_512, MlKem512PublicKeyUnpacked, MlKem512KeyPairUnpacked)
                }
                "ML-KEM-768" => {
                    level!(mlkem768, kem::ML_KEM_768, MlKem768PublicKeyUnpacked, MlKem768KeyPairUnpacked)
                }
                "ML-KEM-1024" => {
                    level!(mlkem1024, kem::ML_KEM_1024, MlKem1024PublicKeyUnpacked, MlKem1024KeyPairUnpacked)
                }
                _ => None,
            }
        }
    };
}

/// ML-KEM of one level and instance.
macro_rules! mechanism {
    ($level:ident, $instance:ident, $sizes:expr, $public:ident, $secret:ident) => {{
        use libcrux_ml_kem::$level::$instance;
        use $instance::unpacked;

        #[derive(Clone)]
        struct Mechanism;

        fn write(made: (impl AsRef<[u8]>, [u8; 32]), ciphertext: &mut [u8], shared: &mut [u8]) -> bool {
            ciphertext.copy_from_slice(made.0.as_ref());
            shared.copy_from_slice(&made.1);
            true
        }

        impl Kem for Mechanism {
            fn sizes(&self) -> kem::Sizes {
                $sizes
            }

            fn keygen(&self, seed: &[u8], public: &mut [u8], secret: &mut [u8]) -> bool {
                let Ok(seed) = seed.try_into() else { return false };
                let keys = $instance::generate_key_pair(seed);
                public.copy_from_slice(keys.pk());
                secret.copy_from_slice(keys.sk());
                true
            }

            fn encapsulate(&self, m: &[u8], public: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> bool {
                let (Ok(m), Ok(public)) = (m.try_into(), public.try_into()) else { return false };
                write($instance::encapsulate(&public, m), ciphertext, shared)
            }

            fn decapsulate(&self, secret: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool {
                let (Ok(secret), Ok(ciphertext)) = (secret.try_into(), ciphertext.try_into()) else {
                    return false;
                };
                shared.copy_from_slice(&$instance::decapsulate(&secret, &ciphertext));
                true
            }
        }

        impl PreparedKem for Mechanism {
            type Public = Box<unpacked::$public>;
            type Secret = Box<unpacked::$secret>;

            fn load_public(&self, public: &[u8]) -> Option<Self::Public> {
                let mut key = Box::new(unpacked::init_public_key());
                unpacked::unpacked_public_key(&public.try_into().ok()?, &mut key);
                Some(key)
            }

            fn load_secret(&self, secret: &[u8]) -> Option<Self::Secret> {
                let mut key = Box::new(unpacked::init_key_pair());
                unpacked::key_pair_from_private_mut(&secret.try_into().ok()?, &mut key);
                Some(key)
            }

            fn encapsulate_prepared(
                &self, m: &[u8], public: &Self::Public, ciphertext: &mut [u8], shared: &mut [u8],
            ) -> bool {
                let Ok(m) = m.try_into() else { return false };
                write(unpacked::encapsulate(public, m), ciphertext, shared)
            }

            fn decapsulate_prepared(&self, key: &Self::Secret, ciphertext: &[u8], shared: &mut [u8]) -> bool {
                let Ok(ciphertext) = ciphertext.try_into() else { return false };
                shared.copy_from_slice(&unpacked::decapsulate(key, &ciphertext));
                true
            }
        }

        Mechanism
    }};
}

instance!(portable, kem_portable, portable, true);
instance!(avx2, kem_avx2, avx2, std::arch::is_x86_feature_detected!("avx2"));

/// The compiler makes vector code of it if it may.
const CODE: Code = if cfg!(target_feature = "avx2") { Code::Vector } else { Code::Portable };

const KEM_NOTE: &str = "encapsulation and decapsulation leave the checks of keys to functions of their own";

macro_rules! contender {
    ($package:literal, $instance:literal, $code:expr, $note:expr, $job:ident) => {
        Contender { name: concat!($package, " ", $instance), package: $package, code: $code, note: $note, job: $job }
    };
}

contenders![
    contender!("libcrux-ml-dsa", "portable", CODE, "", portable),
    contender!("libcrux-ml-dsa", "avx2", Code::Vector, "", avx2),
    contender!("libcrux-ml-kem", "portable", CODE, KEM_NOTE, kem_portable),
    contender!("libcrux-ml-kem", "avx2", Code::Vector, KEM_NOTE, kem_avx2),
];
