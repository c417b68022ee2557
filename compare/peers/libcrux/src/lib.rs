//! libcrux's ML-DSA, its portable and its AVX2 instance.

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
                |secret, _| <[u8; $sizes.secret]>::try_from(secret).ok().map(MLDSASigningKey::new),
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

fn portable(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "ML-DSA-44" => job!(operation, inputs, ML_DSA_44, ml_dsa_44, portable),
        "ML-DSA-65" => job!(operation, inputs, ML_DSA_65, ml_dsa_65, portable),
        "ML-DSA-87" => job!(operation, inputs, ML_DSA_87, ml_dsa_87, portable),
        _ => None,
    }
}

fn avx2(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    if !std::arch::is_x86_feature_detected!("avx2") {
        return None;
    }
    match algorithm {
        "ML-DSA-44" => job!(operation, inputs, ML_DSA_44, ml_dsa_44, avx2),
        "ML-DSA-65" => job!(operation, inputs, ML_DSA_65, ml_dsa_65, avx2),
        "ML-DSA-87" => job!(operation, inputs, ML_DSA_87, ml_dsa_87, avx2),
        _ => None,
    }
}

/// The compiler makes vector code of it if it may.
const CODE: Code = if cfg!(target_feature = "avx2") { Code::Vector } else { Code::Portable };

contenders![
    Contender {
        name: "libcrux-ml-dsa portable",
        package: "libcrux-ml-dsa",
        code: CODE,
        note: "",
        job: portable
    },
    Contender {
        name: "libcrux-ml-dsa avx2",
        package: "libcrux-ml-dsa",
        code: Code::Vector,
        note: "",
        job: avx2
    },
];
