//! AWS-LC, built from the sources in `aws-lc-sys`.
//!
//! Called below its EVP interface, at the functions that the library exports for FIPS 204's
//! internal algorithms: those take a seed and the randomness of a signature, and cost less than
//! the way through EVP.

use contender::{Code, Contender, ML_DSA_44, ML_DSA_65, ML_DSA_87, MaybeJob, contenders, keys_as_bytes};
use std::ffi::c_int;

// Links the static library; its functions for ML-DSA are not among the package's bindings.
use aws_lc_sys as _;

/// M' = 0x00 | length of the context | context | M (FIPS 204, Algorithm 2, line 10), up to M.
const EMPTY_CONTEXT: [u8; 2] = [0, 0];
const DETERMINISTIC: [u8; 32] = [0; 32];

macro_rules! level {
    ($level:ident, $sizes:expr, $keypair:literal, $sign:literal, $verify:literal) => {
        mod $level {
            use super::*;

            unsafe extern "C" {
                #[link_name = $keypair]
                fn keypair(public: *mut u8, secret: *mut u8, seed: *const u8) -> c_int;
                #[link_name = $sign]
                fn sign(
                    secret: *const u8,
                    signature: *mut u8,
                    signature_bytes: *mut usize,
                    message: *const u8,
                    message_bytes: usize,
                    prefix: *const u8,
                    prefix_bytes: usize,
                    randomness: *const u8,
                ) -> c_int;
                #[link_name = $verify]
                fn verify(
                    public: *const u8,
                    signature: *const u8,
                    signature_bytes: usize,
                    message: *const u8,
                    message_bytes: usize,
                    context: *const u8,
                    context_bytes: usize,
                ) -> c_int;
            }

            pub fn job(operation: &str, inputs: &[&[u8]]) -> MaybeJob {
                keys_as_bytes(
                    $sizes,
                    operation,
                    inputs,
                    |seed, public, secret| unsafe {
                        keypair(public.as_mut_ptr(), secret.as_mut_ptr(), seed.as_ptr()) == 1
                    },
                    |secret, message, out| unsafe {
                        let (mut bytes, sk, m) = (out.len(), secret.as_ptr(), message);
                        let (pre, rnd) = (EMPTY_CONTEXT, DETERMINISTIC.as_ptr());
                        sign(
                            sk,
                            out.as_mut_ptr(),
                            &mut bytes,
                            m.as_ptr(),
                            m.len(),
                            pre.as_ptr(),
                            pre.len(),
                            rnd,
                        ) == 1
                    },
                    |public, m, s| unsafe {
                        let (pk, none) = (public.as_ptr(), std::ptr::null());
                        verify(pk, s.as_ptr(), s.len(), m.as_ptr(), m.len(), none, 0) == 1
                    },
                )
            }
        }
    };
}

level!(
    ml_dsa_44,
    ML_DSA_44,
    "aws_lc_0_47_0_ml_dsa_44_keypair_internal",
    "aws_lc_0_47_0_ml_dsa_44_sign_internal",
    "aws_lc_0_47_0_ml_dsa_44_verify"
);
level!(
    ml_dsa_65,
    ML_DSA_65,
    "aws_lc_0_47_0_ml_dsa_65_keypair_internal",
    "aws_lc_0_47_0_ml_dsa_65_sign_internal",
    "aws_lc_0_47_0_ml_dsa_65_verify"
);
level!(
    ml_dsa_87,
    ML_DSA_87,
    "aws_lc_0_47_0_ml_dsa_87_keypair_internal",
    "aws_lc_0_47_0_ml_dsa_87_sign_internal",
    "aws_lc_0_47_0_ml_dsa_87_verify"
);

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "ML-DSA-44" => ml_dsa_44::job(operation, inputs),
        "ML-DSA-65" => ml_dsa_65::job(operation, inputs),
        "ML-DSA-87" => ml_dsa_87::job(operation, inputs),
        _ => None,
    }
}

contenders![Contender {
    name: "aws-lc",
    package: "aws-lc-sys",
    code: Code::Vector,
    note: "called below its EVP interface, at the exported internal functions",
    job,
}];
