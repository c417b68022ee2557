//! AWS-LC, built from the sources in `aws-lc-sys`.
//!
//! Called below its EVP interface: the library exports functions for the internal algorithms of
//! FIPS 203 and 204, which take seeds and the randomness of a signature, and cost less than EVP.

use contender::kem::{self, Kem};
use contender::{Code, Contender, ML_DSA_44, ML_DSA_65, ML_DSA_87, MaybeJob, contenders, keys_as_bytes};
use std::ffi::c_int;

// Links the static library; the package has no bindings of its ML-DSA and ML-KEM.
use aws_lc_sys as _;

/// M' = 0x00 | length of the context | context | M (FIPS 204, Algorithm 2, line 10), up to M.
const EMPTY_CONTEXT: [u8; 2] = [0, 0];
const DETERMINISTIC: [u8; 32] = [0; 32];

/// The prefix of the package's symbols.
macro_rules! prefix {
    () => {
        "aws_lc_0_47_0_"
    };
}

macro_rules! ml_dsa {
    ($name:literal, $sizes:expr, $operation:expr, $inputs:expr) => {{
        unsafe extern "C" {
            #[link_name = concat!(prefix!(), $name, "_keypair_internal")]
            fn keypair(public: *mut u8, secret: *mut u8, seed: *const u8) -> c_int;
            #[link_name = concat!(prefix!(), $name, "_sign_internal")]
            fn sign(
                secret: *const u8, signature: *mut u8, signature_bytes: *mut usize, message: *const u8,
                message_bytes: usize, prefix: *const u8, prefix_bytes: usize, randomness: *const u8,
            ) -> c_int;
            #[link_name = concat!(prefix!(), $name, "_verify")]
            fn verify(
                public: *const u8, signature: *const u8, signature_bytes: usize, message: *const u8,
                message_bytes: usize, context: *const u8, context_bytes: usize,
            ) -> c_int;
        }
        keys_as_bytes(
            $sizes,
            $operation,
            $inputs,
            |seed, public, secret| unsafe { keypair(public.as_mut_ptr(), secret.as_mut_ptr(), seed.as_ptr()) == 1 },
            |secret, m, out| unsafe {
                let (mut bytes, sk, s) = (out.len(), secret.as_ptr(), out.as_mut_ptr());
                let (pre, rnd) = (EMPTY_CONTEXT, DETERMINISTIC.as_ptr());
                sign(sk, s, &mut bytes, m.as_ptr(), m.len(), pre.as_ptr(), pre.len(), rnd) == 1
            },
            |public, m, s| unsafe {
                let (pk, none) = (public.as_ptr(), std::ptr::null());
                verify(pk, s.as_ptr(), s.len(), m.as_ptr(), m.len(), none, 0) == 1
            },
        )
    }};
}

/// ML-KEM, whose functions return 0 if they succeed.
macro_rules! ml_kem {
    ($name:literal, $sizes:expr, $operation:expr, $inputs:expr) => {{
        unsafe extern "C" {
            #[link_name = concat!(prefix!(), $name, "_keypair_deterministic")]
            fn keypair(p: *mut u8, p_bytes: *mut usize, s: *mut u8, s_bytes: *mut usize, seed: *const u8) -> c_int;
            #[link_name = concat!(prefix!(), $name, "_encapsulate_deterministic")]
            fn encapsulate(
                ciphertext: *mut u8, ciphertext_bytes: *mut usize, shared: *mut u8, shared_bytes: *mut usize,
                public: *const u8, seed: *const u8,
            ) -> c_int;
            #[link_name = concat!(prefix!(), $name, "_decapsulate")]
            fn decapsulate(s: *mut u8, s_bytes: *mut usize, ciphertext: *const u8, secret: *const u8) -> c_int;
        }

        #[derive(Clone)]
        struct Mechanism;

        impl Kem for Mechanism {
            fn sizes(&self) -> kem::Sizes {
                $sizes
            }

            fn keygen(&self, seed: &[u8], public: &mut [u8], secret: &mut [u8]) -> bool {
                let (mut pk, mut sk) = (public.len(), secret.len());
                let (public, secret) = (public.as_mut_ptr(), secret.as_mut_ptr());
                unsafe { keypair(public, &mut pk, secret, &mut sk, seed.as_ptr()) == 0 }
            }

            fn encapsulate(&self, seed: &[u8], public: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> bool {
                let (mut c, mut s) = (ciphertext.len(), shared.len());
                let (ciphertext, shared) = (ciphertext.as_mut_ptr(), shared.as_mut_ptr());
                unsafe { encapsulate(ciphertext, &mut c, shared, &mut s, public.as_ptr(), seed.as_ptr()) == 0 }
            }

            fn decapsulate(&self, secret: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool {
                let (mut bytes, shared) = (shared.len(), shared.as_mut_ptr());
                unsafe { decapsulate(shared, &mut bytes, ciphertext.as_ptr(), secret.as_ptr()) == 0 }
            }
        }

        kem::job(Mechanism, $operation, $inputs)
    }};
}

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "ML-DSA-44" => ml_dsa!("ml_dsa_44", ML_DSA_44, operation, inputs),
        "ML-DSA-65" => ml_dsa!("ml_dsa_65", ML_DSA_65, operation, inputs),
        "ML-DSA-87" => ml_dsa!("ml_dsa_87", ML_DSA_87, operation, inputs),
        "ML-KEM-512" => ml_kem!("ml_kem_512", kem::ML_KEM_512, operation, inputs),
        "ML-KEM-768" => ml_kem!("ml_kem_768", kem::ML_KEM_768, operation, inputs),
        "ML-KEM-1024" => ml_kem!("ml_kem_1024", kem::ML_KEM_1024, operation, inputs),
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
