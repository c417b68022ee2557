//! `fips204`. Its key objects keep NTT forms but not the matrix; it races in both forms: from the
//! keys' bytes (plain), and with the objects made before the clock (prepared).

use contender::{Code, Contender, ML_DSA_44, ML_DSA_65, ML_DSA_87, MaybeJob, contenders, keys_as_objects};
use fips204::traits::{KeyGen, SerDes, Signer, Verifier};

const DETERMINISTIC: [u8; 32] = [0; 32];

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    macro_rules! level {
        ($sizes:expr, $level:ident) => {{
            use fips204::$level::{KG, PrivateKey, PublicKey};
            keys_as_objects(
                $sizes,
                operation,
                inputs,
                |seed, public, secret| {
                    let (public_key, secret_key) = KG::keygen_from_seed(seed);
                    public.copy_from_slice(&public_key.into_bytes());
                    secret.copy_from_slice(&secret_key.into_bytes());
                    true
                },
                |secret| PrivateKey::try_from_bytes(secret.try_into().ok()?).ok(),
                |public| PublicKey::try_from_bytes(public.try_into().ok()?).ok(),
                |key, message, out| {
                    let Ok(signature) = key.try_sign_with_seed(&DETERMINISTIC, message, b"") else {
                        return false;
                    };
                    out.copy_from_slice(&signature);
                    true
                },
                |key, message, signature| {
                    signature.try_into().is_ok_and(|signature| key.verify(message, &signature, b""))
                },
            )
        }};
    }
    match algorithm {
        "ML-DSA-44" => level!(ML_DSA_44, ml_dsa_44),
        "ML-DSA-65" => level!(ML_DSA_65, ml_dsa_65),
        "ML-DSA-87" => level!(ML_DSA_87, ml_dsa_87),
        _ => None,
    }
}

/// The compiler makes vector code of it if it may.
const CODE: Code = if cfg!(target_feature = "avx2") { Code::Vector } else { Code::Portable };

contenders![Contender { name: "fips204", package: "fips204", code: CODE, note: "", job }];
