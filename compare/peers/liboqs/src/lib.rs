//! liboqs, built from the sources in `oqs-sys`; it picks AVX2 code at run time.
//!
//! Its source of randomness is replaced, by its own interface for that: what a seed expands to for NTRU Prime; of
//! ML-DSA the seed for key generation, and zeros for signing, which makes a hedged signature the deterministic one
//! (FIPS 204, Algorithm 2, line 5).

use contender::draws::{NistFunctions, draw};
use contender::{Code, Contender, ML_DSA_44, ML_DSA_65, ML_DSA_87, MaybeJob, contenders, kem, keys_as_bytes};
use oqs_sys::kem::*;
use oqs_sys::rand::OQS_randombytes_custom_algorithm;
use oqs_sys::sig::*;
use std::cell::Cell;
use std::sync::Once;

thread_local! {
    static RANDOMNESS: Cell<[u8; 32]> = const { Cell::new([0; 32]) };
}

unsafe extern "C" fn randomness(out: *mut u8, bytes: usize) {
    if unsafe { draw(out, bytes) } {
        return;
    }
    let source = RANDOMNESS.get();
    unsafe { std::ptr::copy_nonoverlapping(source[..bytes].as_ptr(), out, bytes) };
}

use oqs_sys::common::OQS_STATUS::OQS_SUCCESS;

macro_rules! job {
    ($operation:expr, $inputs:expr, $sizes:expr, $keypair:ident, $sign:ident, $verify:ident) => {
        keys_as_bytes(
            $sizes,
            $operation,
            $inputs,
            |seed, public, secret| {
                RANDOMNESS.set(*seed);
                let status = unsafe { $keypair(public.as_mut_ptr(), secret.as_mut_ptr()) };
                RANDOMNESS.set([0; 32]);
                status == OQS_SUCCESS
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

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    static OWN_RANDOMNESS: Once = Once::new();
    OWN_RANDOMNESS.call_once(|| unsafe { OQS_randombytes_custom_algorithm(Some(randomness)) });
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
        "sntrup761" => kem::job(
            NistFunctions {
                sizes: kem::ntru_prime(algorithm)?,
                keypair: OQS_KEM_ntruprime_sntrup761_keypair,
                enc: OQS_KEM_ntruprime_sntrup761_encaps,
                dec: OQS_KEM_ntruprime_sntrup761_decaps,
                success: OQS_SUCCESS,
            },
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
    note: "its draws of randomness are answered by a seed, what it expands to, or zeros, without a system call",
    job,
}];
