//! PQClean's Falcon, as `pqcrypto-falcon` packs it: its portable C, with floating point in
//! integers, and its AVX2 code are both in the package.
//!
//! PQClean draws its own randomness. The package takes it from `getrandom`, whose custom back end
//! is below. Build with `--cfg getrandom_backend="custom"`.

use contender::draws::{answered, draw};
use contender::{
    Code, Contender, FALCON_PADDED_512, FALCON_PADDED_1024, MaybeJob, contenders, falcon_seed, keys_as_bytes,
    randomness,
};
use pqcrypto_falcon::ffi::*;

#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(out: *mut u8, bytes: usize) -> Result<(), getrandom::Error> {
    if !unsafe { draw(out, bytes) } {
        randomness::fill(unsafe { std::slice::from_raw_parts_mut(out, bytes) });
    }
    Ok(())
}

macro_rules! job {
    ($operation:expr, $inputs:expr, $sizes:expr, $keypair:ident, $sign:ident, $verify:ident) => {
        keys_as_bytes(
            $sizes,
            $operation,
            $inputs,
            |seed, public, secret| {
                let make = || unsafe { $keypair(public.as_mut_ptr(), secret.as_mut_ptr()) };
                answered(&falcon_seed(seed), make) == 0
            },
            |secret, m, out| unsafe {
                let mut bytes = 0;
                $sign(out.as_mut_ptr(), &mut bytes, m.as_ptr(), m.len(), secret.as_ptr()) == 0
            },
            |public, m, s| unsafe { $verify(s.as_ptr(), s.len(), m.as_ptr(), m.len(), public.as_ptr()) == 0 },
        )
    };
}

fn clean(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "Falcon-padded-512" => job!(
            operation,
            inputs,
            FALCON_PADDED_512,
            PQCLEAN_FALCONPADDED512_CLEAN_crypto_sign_keypair,
            PQCLEAN_FALCONPADDED512_CLEAN_crypto_sign_signature,
            PQCLEAN_FALCONPADDED512_CLEAN_crypto_sign_verify
        ),
        "Falcon-padded-1024" => job!(
            operation,
            inputs,
            FALCON_PADDED_1024,
            PQCLEAN_FALCONPADDED1024_CLEAN_crypto_sign_keypair,
            PQCLEAN_FALCONPADDED1024_CLEAN_crypto_sign_signature,
            PQCLEAN_FALCONPADDED1024_CLEAN_crypto_sign_verify
        ),
        _ => None,
    }
}

fn avx2(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    if !std::arch::is_x86_feature_detected!("avx2") {
        return None;
    }
    match algorithm {
        "Falcon-padded-512" => job!(
            operation,
            inputs,
            FALCON_PADDED_512,
            PQCLEAN_FALCONPADDED512_AVX2_crypto_sign_keypair,
            PQCLEAN_FALCONPADDED512_AVX2_crypto_sign_signature,
            PQCLEAN_FALCONPADDED512_AVX2_crypto_sign_verify
        ),
        "Falcon-padded-1024" => job!(
            operation,
            inputs,
            FALCON_PADDED_1024,
            PQCLEAN_FALCONPADDED1024_AVX2_crypto_sign_keypair,
            PQCLEAN_FALCONPADDED1024_AVX2_crypto_sign_signature,
            PQCLEAN_FALCONPADDED1024_AVX2_crypto_sign_verify
        ),
        _ => None,
    }
}

const NOTE: &str = "its draws of randomness are answered by a seed or cheap numbers, without a system call";

contenders![
    Contender {
        name: "pqcrypto-falcon clean",
        package: "pqcrypto-falcon",
        code: Code::Portable,
        note: NOTE,
        job: clean
    },
    Contender {
        name: "pqcrypto-falcon avx2",
        package: "pqcrypto-falcon",
        code: Code::Vector,
        note: NOTE,
        job: avx2
    },
];
