//! PQClean's ML-KEM, as `pqcrypto-mlkem` packs it: its portable C and its AVX2 code are both in the
//! package.
//!
//! PQClean draws its own randomness. The package takes it from `getrandom`, whose custom back end
//! is below. Build with `--cfg getrandom_backend="custom"`.

use contender::draws::NistFunctions;
use contender::{Code, Contender, MaybeJob, contenders, kem};
use pqcrypto_mlkem::ffi::*;

#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(out: *mut u8, bytes: usize) -> Result<(), getrandom::Error> {
    unsafe { contender::draws::draw(out, bytes) }.then_some(()).ok_or(getrandom::Error::UNSUPPORTED)
}

macro_rules! job {
    ($sizes:expr, $operation:expr, $inputs:expr, $keypair:ident, $enc:ident, $dec:ident) => {{
        let (sizes, randomness, success) = ($sizes, kem::ml_kem_randomness, 0);
        let functions = NistFunctions { sizes, randomness, keypair: $keypair, enc: $enc, dec: $dec, success };
        kem::job(functions, $operation, $inputs)
    }};
}

fn clean(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "ML-KEM-512" => job!(
            kem::ML_KEM_512,
            operation,
            inputs,
            PQCLEAN_MLKEM512_CLEAN_crypto_kem_keypair,
            PQCLEAN_MLKEM512_CLEAN_crypto_kem_enc,
            PQCLEAN_MLKEM512_CLEAN_crypto_kem_dec
        ),
        "ML-KEM-768" => job!(
            kem::ML_KEM_768,
            operation,
            inputs,
            PQCLEAN_MLKEM768_CLEAN_crypto_kem_keypair,
            PQCLEAN_MLKEM768_CLEAN_crypto_kem_enc,
            PQCLEAN_MLKEM768_CLEAN_crypto_kem_dec
        ),
        "ML-KEM-1024" => job!(
            kem::ML_KEM_1024,
            operation,
            inputs,
            PQCLEAN_MLKEM1024_CLEAN_crypto_kem_keypair,
            PQCLEAN_MLKEM1024_CLEAN_crypto_kem_enc,
            PQCLEAN_MLKEM1024_CLEAN_crypto_kem_dec
        ),
        _ => None,
    }
}

fn avx2(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    if !std::arch::is_x86_feature_detected!("avx2") || !std::arch::is_x86_feature_detected!("bmi2") {
        return None;
    }
    match algorithm {
        "ML-KEM-512" => job!(
            kem::ML_KEM_512,
            operation,
            inputs,
            PQCLEAN_MLKEM512_AVX2_crypto_kem_keypair,
            PQCLEAN_MLKEM512_AVX2_crypto_kem_enc,
            PQCLEAN_MLKEM512_AVX2_crypto_kem_dec
        ),
        "ML-KEM-768" => job!(
            kem::ML_KEM_768,
            operation,
            inputs,
            PQCLEAN_MLKEM768_AVX2_crypto_kem_keypair,
            PQCLEAN_MLKEM768_AVX2_crypto_kem_enc,
            PQCLEAN_MLKEM768_AVX2_crypto_kem_dec
        ),
        "ML-KEM-1024" => job!(
            kem::ML_KEM_1024,
            operation,
            inputs,
            PQCLEAN_MLKEM1024_AVX2_crypto_kem_keypair,
            PQCLEAN_MLKEM1024_AVX2_crypto_kem_enc,
            PQCLEAN_MLKEM1024_AVX2_crypto_kem_dec
        ),
        _ => None,
    }
}

const NOTE: &str = "its draws of randomness are answered by bytes made before the clock; checks no keys";

contenders![
    Contender {
        name: "pqcrypto-mlkem clean",
        package: "pqcrypto-mlkem",
        code: Code::Portable,
        note: NOTE,
        job: clean
    },
    Contender {
        name: "pqcrypto-mlkem avx2",
        package: "pqcrypto-mlkem",
        code: Code::Vector,
        note: NOTE,
        job: avx2
    },
];
