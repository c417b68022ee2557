//! `fips204`. Its key objects keep NTT forms but not the matrix; it races in both forms: from the
//! keys' bytes (plain), and with the objects made before the clock (prepared).

use contender::{Code, Contender, ML_DSA_44, ML_DSA_65, ML_DSA_87, MaybeJob, contenders};
use fips204::traits::{KeyGen, SerDes, Signer, Verifier};

const DETERMINISTIC: [u8; 32] = [0; 32];

macro_rules! job {
    ($operation:expr, $inputs:expr, $sizes:expr, $level:ident) => {{
        use fips204::$level::{KG, PrivateKey, PublicKey};

        fn load_secret(secret: &[u8], _seed: &[u8; 32]) -> Option<PrivateKey> {
            PrivateKey::try_from_bytes(secret.try_into().ok()?).ok()
        }
        fn load_public(public: &[u8]) -> Option<PublicKey> {
            PublicKey::try_from_bytes(public.try_into().ok()?).ok()
        }
        fn sign(key: &PrivateKey, message: &[u8], out: &mut [u8]) -> bool {
            let Ok(signature) = key.try_sign_with_seed(&DETERMINISTIC, message, b"") else { return false };
            out.copy_from_slice(&signature);
            true
        }
        fn verify(key: &PublicKey, message: &[u8], signature: &[u8]) -> bool {
            signature.try_into().is_ok_and(|signature| key.verify(message, &signature, b""))
        }

        match $operation {
            "keygen" => contender::keygen($inputs, $sizes.public, $sizes.secret, |seed, public, secret| {
                let (public_key, secret_key) = KG::keygen_from_seed(seed);
                public.copy_from_slice(&public_key.into_bytes());
                secret.copy_from_slice(&secret_key.into_bytes());
                true
            }),
            "sign" => contender::sign(
                $inputs,
                $sizes.signature,
                |secret, _| Some(secret.to_vec()),
                |secret, message, out| {
                    load_secret(secret, &DETERMINISTIC).is_some_and(|key| sign(&key, message, out))
                },
            ),
            "sign prepared" => contender::sign($inputs, $sizes.signature, load_secret, sign),
            "verify" => contender::verify(
                $inputs,
                |public| Some(public.to_vec()),
                |public, message, signature| {
                    load_public(public).is_some_and(|key| verify(&key, message, signature))
                },
            ),
            "verify prepared" => contender::verify($inputs, load_public, verify),
            _ => None,
        }
    }};
}

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "ML-DSA-44" => job!(operation, inputs, ML_DSA_44, ml_dsa_44),
        "ML-DSA-65" => job!(operation, inputs, ML_DSA_65, ml_dsa_65),
        "ML-DSA-87" => job!(operation, inputs, ML_DSA_87, ml_dsa_87),
        _ => None,
    }
}

/// The compiler makes vector code of it if it may.
const CODE: Code = if cfg!(target_feature = "avx2") { Code::Vector } else { Code::Portable };

contenders![Contender { name: "fips204", package: "fips204", code: CODE, note: "", job }];
