//! PQClean's ML-DSA, as `pqcrypto-mldsa` packs it: its portable C and its AVX2 code are
//! both in the package.
//!
//! PQClean draws its own randomness. The package takes it from `getrandom`, whose custom back end
//! is below: it gives the seed to key generation and zeros to signing, which makes a hedged
//! signature the deterministic one (FIPS 204, Algorithm 2, line 5). Build with
//! `--cfg getrandom_backend="custom"`.

use contender::{Code, Contender, ML_DSA_44, ML_DSA_65, ML_DSA_87, MaybeJob, contenders, keys_as_bytes};
use pqcrypto_mldsa::ffi::*;
use std::cell::Cell;

thread_local! {
    static RANDOMNESS: Cell<[u8; 32]> = const { Cell::new([0; 32]) };
}

#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(out: *mut u8, bytes: usize) -> Result<(), getrandom::Error> {
    let randomness = RANDOMNESS.get();
    let out = unsafe { std::slice::from_raw_parts_mut(out, bytes) };
    out.copy_from_slice(randomness.get(..bytes).ok_or(getrandom::Error::UNSUPPORTED)?);
    Ok(())
}

macro_rules! job {
    ($operation:expr, $inputs:expr, $sizes:expr, $keypair:ident, $sign:ident, $verify:ident) => {
        keys_as_bytes(
            $sizes,
            $operation,
            $inputs,
            |seed, public, secret| {
                RANDOMNESS.set(*seed);
                let result = unsafe { $keypair(public.as_mut_ptr(), secret.as_mut_ptr()) };
                RANDOMNESS.set([0; 32]);
                result == 0
            },
            |secret, message, out| unsafe {
                let (mut bytes, m, s) = (0, message, out.as_mut_ptr());
                $sign(s, &mut bytes, m.as_ptr(), m.len(), std::ptr::null(), 0, secret.as_ptr()) == 0
            },
            |public, m, s| unsafe {
                let (pk, no_context) = (public.as_ptr(), std::ptr::null());
                $verify(s.as_ptr(), s.len(), m.as_ptr(), m.len(), no_context, 0, pk) == 0
            },
        )
    };
}

fn clean(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "ML-DSA-44" => job!(
            operation,
            inputs,
            ML_DSA_44,
            PQCLEAN_MLDSA44_CLEAN_crypto_sign_keypair,
            PQCLEAN_MLDSA44_CLEAN_crypto_sign_signature_ctx,
            PQCLEAN_MLDSA44_CLEAN_crypto_sign_verify_ctx
        ),
        "ML-DSA-65" => job!(
            operation,
            inputs,
            ML_DSA_65,
            PQCLEAN_MLDSA65_CLEAN_crypto_sign_keypair,
            PQCLEAN_MLDSA65_CLEAN_crypto_sign_signature_ctx,
            PQCLEAN_MLDSA65_CLEAN_crypto_sign_verify_ctx
        ),
        "ML-DSA-87" => job!(
            operation,
            inputs,
            ML_DSA_87,
            PQCLEAN_MLDSA87_CLEAN_crypto_sign_keypair,
            PQCLEAN_MLDSA87_CLEAN_crypto_sign_signature_ctx,
            PQCLEAN_MLDSA87_CLEAN_crypto_sign_verify_ctx
        ),
        _ => None,
    }
}

fn avx2(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    if !std::arch::is_x86_feature_detected!("avx2") {
        return None;
    }
    match algorithm {
        "ML-DSA-44" => job!(
            operation,
            inputs,
            ML_DSA_44,
            PQCLEAN_MLDSA44_AVX2_crypto_sign_keypair,
            PQCLEAN_MLDSA44_AVX2_crypto_sign_signature_ctx,
            PQCLEAN_MLDSA44_AVX2_crypto_sign_verify_ctx
        ),
        "ML-DSA-65" => job!(
            operation,
            inputs,
            ML_DSA_65,
            PQCLEAN_MLDSA65_AVX2_crypto_sign_keypair,
            PQCLEAN_MLDSA65_AVX2_crypto_sign_signature_ctx,
            PQCLEAN_MLDSA65_AVX2_crypto_sign_verify_ctx
        ),
        "ML-DSA-87" => job!(
            operation,
            inputs,
            ML_DSA_87,
            PQCLEAN_MLDSA87_AVX2_crypto_sign_keypair,
            PQCLEAN_MLDSA87_AVX2_crypto_sign_signature_ctx,
            PQCLEAN_MLDSA87_AVX2_crypto_sign_verify_ctx
        ),
        _ => None,
    }
}

const NOTE: &str = "its draws of randomness are answered by a seed or zeros, without a system call";

contenders![
    Contender {
        name: "pqcrypto-mldsa clean",
        package: "pqcrypto-mldsa",
        code: Code::Portable,
        note: NOTE,
        job: clean
    },
    Contender {
        name: "pqcrypto-mldsa avx2",
        package: "pqcrypto-mldsa",
        code: Code::Vector,
        note: NOTE,
        job: avx2
    },
];
