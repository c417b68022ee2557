//! PQClean's NTRU Prime, as `pqcrypto-ntruprime` packs it: its portable C and its AVX2 code are
//! both in the package.
//!
//! PQClean draws its own randomness. The package takes it from `getrandom`, whose custom back end
//! is below. Build with `--cfg getrandom_backend="custom"`.

use contender::draws::{NistFunctions, ntru_prime_randomness};
use contender::{Code, Contender, MaybeJob, contenders, kem};
use pqcrypto_ntruprime::ffi::*;

#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(out: *mut u8, bytes: usize) -> Result<(), getrandom::Error> {
    unsafe { contender::draws::draw(out, bytes) }.then_some(()).ok_or(getrandom::Error::UNSUPPORTED)
}

macro_rules! job {
    ($algorithm:expr, $operation:expr, $inputs:expr, $keypair:ident, $enc:ident, $dec:ident) => {{
        let sizes = kem::ntru_prime($algorithm)?;
        let (randomness, success) = (ntru_prime_randomness, 0);
        let functions = NistFunctions { sizes, randomness, keypair: $keypair, enc: $enc, dec: $dec, success };
        kem::job(functions, $operation, $inputs)
    }};
}

fn clean(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "sntrup653" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_SNTRUP653_CLEAN_crypto_kem_keypair,
            PQCLEAN_SNTRUP653_CLEAN_crypto_kem_enc,
            PQCLEAN_SNTRUP653_CLEAN_crypto_kem_dec
        ),
        "sntrup761" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_SNTRUP761_CLEAN_crypto_kem_keypair,
            PQCLEAN_SNTRUP761_CLEAN_crypto_kem_enc,
            PQCLEAN_SNTRUP761_CLEAN_crypto_kem_dec
        ),
        "sntrup857" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_SNTRUP857_CLEAN_crypto_kem_keypair,
            PQCLEAN_SNTRUP857_CLEAN_crypto_kem_enc,
            PQCLEAN_SNTRUP857_CLEAN_crypto_kem_dec
        ),
        "sntrup953" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_SNTRUP953_CLEAN_crypto_kem_keypair,
            PQCLEAN_SNTRUP953_CLEAN_crypto_kem_enc,
            PQCLEAN_SNTRUP953_CLEAN_crypto_kem_dec
        ),
        "sntrup1013" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_SNTRUP1013_CLEAN_crypto_kem_keypair,
            PQCLEAN_SNTRUP1013_CLEAN_crypto_kem_enc,
            PQCLEAN_SNTRUP1013_CLEAN_crypto_kem_dec
        ),
        "sntrup1277" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_SNTRUP1277_CLEAN_crypto_kem_keypair,
            PQCLEAN_SNTRUP1277_CLEAN_crypto_kem_enc,
            PQCLEAN_SNTRUP1277_CLEAN_crypto_kem_dec
        ),
        "ntrulpr653" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_NTRULPR653_CLEAN_crypto_kem_keypair,
            PQCLEAN_NTRULPR653_CLEAN_crypto_kem_enc,
            PQCLEAN_NTRULPR653_CLEAN_crypto_kem_dec
        ),
        "ntrulpr761" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_NTRULPR761_CLEAN_crypto_kem_keypair,
            PQCLEAN_NTRULPR761_CLEAN_crypto_kem_enc,
            PQCLEAN_NTRULPR761_CLEAN_crypto_kem_dec
        ),
        "ntrulpr857" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_NTRULPR857_CLEAN_crypto_kem_keypair,
            PQCLEAN_NTRULPR857_CLEAN_crypto_kem_enc,
            PQCLEAN_NTRULPR857_CLEAN_crypto_kem_dec
        ),
        "ntrulpr953" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_NTRULPR953_CLEAN_crypto_kem_keypair,
            PQCLEAN_NTRULPR953_CLEAN_crypto_kem_enc,
            PQCLEAN_NTRULPR953_CLEAN_crypto_kem_dec
        ),
        "ntrulpr1013" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_NTRULPR1013_CLEAN_crypto_kem_keypair,
            PQCLEAN_NTRULPR1013_CLEAN_crypto_kem_enc,
            PQCLEAN_NTRULPR1013_CLEAN_crypto_kem_dec
        ),
        "ntrulpr1277" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_NTRULPR1277_CLEAN_crypto_kem_keypair,
            PQCLEAN_NTRULPR1277_CLEAN_crypto_kem_enc,
            PQCLEAN_NTRULPR1277_CLEAN_crypto_kem_dec
        ),
        _ => None,
    }
}

fn avx2(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    if !std::arch::is_x86_feature_detected!("avx2") || !std::arch::is_x86_feature_detected!("bmi2") {
        return None;
    }
    match algorithm {
        "sntrup653" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_SNTRUP653_AVX2_crypto_kem_keypair,
            PQCLEAN_SNTRUP653_AVX2_crypto_kem_enc,
            PQCLEAN_SNTRUP653_AVX2_crypto_kem_dec
        ),
        "sntrup761" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_SNTRUP761_AVX2_crypto_kem_keypair,
            PQCLEAN_SNTRUP761_AVX2_crypto_kem_enc,
            PQCLEAN_SNTRUP761_AVX2_crypto_kem_dec
        ),
        "sntrup857" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_SNTRUP857_AVX2_crypto_kem_keypair,
            PQCLEAN_SNTRUP857_AVX2_crypto_kem_enc,
            PQCLEAN_SNTRUP857_AVX2_crypto_kem_dec
        ),
        "sntrup953" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_SNTRUP953_AVX2_crypto_kem_keypair,
            PQCLEAN_SNTRUP953_AVX2_crypto_kem_enc,
            PQCLEAN_SNTRUP953_AVX2_crypto_kem_dec
        ),
        "sntrup1013" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_SNTRUP1013_AVX2_crypto_kem_keypair,
            PQCLEAN_SNTRUP1013_AVX2_crypto_kem_enc,
            PQCLEAN_SNTRUP1013_AVX2_crypto_kem_dec
        ),
        "sntrup1277" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_SNTRUP1277_AVX2_crypto_kem_keypair,
            PQCLEAN_SNTRUP1277_AVX2_crypto_kem_enc,
            PQCLEAN_SNTRUP1277_AVX2_crypto_kem_dec
        ),
        "ntrulpr653" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_NTRULPR653_AVX2_crypto_kem_keypair,
            PQCLEAN_NTRULPR653_AVX2_crypto_kem_enc,
            PQCLEAN_NTRULPR653_AVX2_crypto_kem_dec
        ),
        "ntrulpr761" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_NTRULPR761_AVX2_crypto_kem_keypair,
            PQCLEAN_NTRULPR761_AVX2_crypto_kem_enc,
            PQCLEAN_NTRULPR761_AVX2_crypto_kem_dec
        ),
        "ntrulpr857" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_NTRULPR857_AVX2_crypto_kem_keypair,
            PQCLEAN_NTRULPR857_AVX2_crypto_kem_enc,
            PQCLEAN_NTRULPR857_AVX2_crypto_kem_dec
        ),
        "ntrulpr953" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_NTRULPR953_AVX2_crypto_kem_keypair,
            PQCLEAN_NTRULPR953_AVX2_crypto_kem_enc,
            PQCLEAN_NTRULPR953_AVX2_crypto_kem_dec
        ),
        "ntrulpr1013" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_NTRULPR1013_AVX2_crypto_kem_keypair,
            PQCLEAN_NTRULPR1013_AVX2_crypto_kem_enc,
            PQCLEAN_NTRULPR1013_AVX2_crypto_kem_dec
        ),
        "ntrulpr1277" => job!(
            algorithm,
            operation,
            inputs,
            PQCLEAN_NTRULPR1277_AVX2_crypto_kem_keypair,
            PQCLEAN_NTRULPR1277_AVX2_crypto_kem_enc,
            PQCLEAN_NTRULPR1277_AVX2_crypto_kem_dec
        ),
        _ => None,
    }
}

const NOTE: &str = "its draws of randomness are answered by bytes made before the clock";

contenders![
    Contender {
        name: "pqcrypto-ntruprime clean",
        package: "pqcrypto-ntruprime",
        code: Code::Portable,
        note: NOTE,
        job: clean
    },
    Contender {
        name: "pqcrypto-ntruprime avx2",
        package: "pqcrypto-ntruprime",
        code: Code::Vector,
        note: NOTE,
        job: avx2
    },
];
