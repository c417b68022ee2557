//! liboqs, built from the sources in `oqs-sys`; it picks AVX2 code at run time.
//!
//! Its source of randomness is replaced, by its own interface for that: what a seed expands to for
//! NTRU Prime; the seed for key generation of signatures; zeros for signing with ML-DSA, which
//! makes a hedged signature the deterministic one (FIPS 204, Algorithm 2, line 5); cheap numbers
//! for signing with Falcon.

use contender::draws::{NistFunctions, answered, draw, ntru_prime_randomness};
use contender::kem::ml_kem_randomness;
use contender::{
    Code, Contender, FALCON_PADDED_512, FALCON_PADDED_1024, ML_DSA_44, ML_DSA_65, ML_DSA_87, MaybeJob,
    contenders, falcon_seed, kem, keys_as_bytes, randomness,
};
use oqs_sys::kem::*;
use oqs_sys::rand::OQS_randombytes_custom_algorithm;
use oqs_sys::sig::*;
use std::cell::Cell;
use std::sync::Once;

thread_local! {
    /// Whether what is drawn beyond the answers is zeros, or else cheap numbers.
    static ZEROS: Cell<bool> = const { Cell::new(true) };
}

unsafe extern "C" fn random_bytes(out: *mut u8, bytes: usize) {
    if unsafe { draw(out, bytes) } {
        return;
    }
    let out = unsafe { std::slice::from_raw_parts_mut(out, bytes) };
    match ZEROS.get() {
        true => out.fill(0),
        false => randomness::fill(out),
    }
}

use oqs_sys::common::OQS_STATUS::OQS_SUCCESS;

macro_rules! job {
    ($operation:expr, $inputs:expr, $sizes:expr, $keypair:ident, $sign:ident, $verify:ident) => {
        keys_as_bytes(
            $sizes,
            $operation,
            $inputs,
            |seed, public, secret| {
                let make = || unsafe { $keypair(public.as_mut_ptr(), secret.as_mut_ptr()) };
                answered(&falcon_seed(seed), make) == OQS_SUCCESS
            },
            |secret, message, out| unsafe {
                let (mut bytes, m) = (0, message);
                $sign(out.as_mut_ptr(), &mut bytes, m.as_ptr(), m.len(), secret.as_ptr()) == OQS_SUCCESS
            },
            |public, m, s| unsafe {
                $verify(m.as_ptr(), m.len(), s.as_ptr(), s.len(), public.as_ptr()) == OQS_SUCCESS
            },
        )
    };
}

/// The functions of a mechanism.
macro_rules! kem {
    ($sizes:expr, $randomness:expr, $keypair:ident, $encaps:ident, $decaps:ident) => {
        NistFunctions {
            sizes: $sizes,
            randomness: $randomness,
            keypair: $keypair,
            enc: $encaps,
            dec: $decaps,
            success: OQS_SUCCESS,
        }
    };
}

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    static OWN_RANDOMNESS: Once = Once::new();
    OWN_RANDOMNESS.call_once(|| unsafe { OQS_randombytes_custom_algorithm(Some(random_bytes)) });
    ZEROS.set(!algorithm.starts_with("Falcon"));
    match algorithm {
        "ML-DSA-44" => job!(
            operation,
            inputs,
            ML_DSA_44,
            OQS_SIG_ml_dsa_44_keypair,
            OQS_SIG_ml_dsa_44_sign,
            OQS_SIG_ml_dsa_44_verify
        ),
        "ML-DSA-65" => job!(
            operation,
            inputs,
            ML_DSA_65,
            OQS_SIG_ml_dsa_65_keypair,
            OQS_SIG_ml_dsa_65_sign,
            OQS_SIG_ml_dsa_65_verify
        ),
        "ML-DSA-87" => job!(
            operation,
            inputs,
            ML_DSA_87,
            OQS_SIG_ml_dsa_87_keypair,
            OQS_SIG_ml_dsa_87_sign,
            OQS_SIG_ml_dsa_87_verify
        ),
        "Falcon-padded-512" => job!(
            operation,
            inputs,
            FALCON_PADDED_512,
            OQS_SIG_falcon_padded_512_keypair,
            OQS_SIG_falcon_padded_512_sign,
            OQS_SIG_falcon_padded_512_verify
        ),
        "Falcon-padded-1024" => job!(
            operation,
            inputs,
            FALCON_PADDED_1024,
            OQS_SIG_falcon_padded_1024_keypair,
            OQS_SIG_falcon_padded_1024_sign,
            OQS_SIG_falcon_padded_1024_verify
        ),
        "ML-KEM-512" => kem::job(
            kem!(
                kem::ML_KEM_512,
                ml_kem_randomness,
                OQS_KEM_ml_kem_512_keypair,
                OQS_KEM_ml_kem_512_encaps,
                OQS_KEM_ml_kem_512_decaps
            ),
            operation,
            inputs,
        ),
        "ML-KEM-768" => kem::job(
            kem!(
                kem::ML_KEM_768,
                ml_kem_randomness,
                OQS_KEM_ml_kem_768_keypair,
                OQS_KEM_ml_kem_768_encaps,
                OQS_KEM_ml_kem_768_decaps
            ),
            operation,
            inputs,
        ),
        "ML-KEM-1024" => kem::job(
            kem!(
                kem::ML_KEM_1024,
                ml_kem_randomness,
                OQS_KEM_ml_kem_1024_keypair,
                OQS_KEM_ml_kem_1024_encaps,
                OQS_KEM_ml_kem_1024_decaps
            ),
            operation,
            inputs,
        ),
        "sntrup761" => kem::job(
            kem!(
                kem::ntru_prime(algorithm)?,
                ntru_prime_randomness,
                OQS_KEM_ntruprime_sntrup761_keypair,
                OQS_KEM_ntruprime_sntrup761_encaps,
                OQS_KEM_ntruprime_sntrup761_decaps
            ),
            operation,
            inputs,
        ),
        _ => None,
    }
}

contenders![Contender {
    name: "liboqs",
    package: "oqs-sys",
    code: Code::Vector,
    note: "its draws of randomness are answered by a seed, what it expands to, zeros, or cheap numbers",
    job,
}];
