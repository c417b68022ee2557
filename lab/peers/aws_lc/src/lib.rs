//! AWS-LC, built from the sources in `aws-lc-sys`.
//!
//! Called below its EVP interface, at the functions that the library exports for the internal
//! algorithms of FIPS 203 and 204: those take seeds and the randomness of a signature, and cost
//! less than the way through EVP.

use contender::kem::{self, Drawn, Kem, ml_kem_randomness};
use contender::{Code, Contender, ML_DSA_44, ML_DSA_65, ML_DSA_87, MaybeJob, contenders, keys_as_bytes};
use std::ffi::c_int;

// Links the static library; the package has no bindings of its ML-DSA and ML-KEM.
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

type Keypair = unsafe extern "C" fn(*mut u8, *mut usize, *mut u8, *mut usize, *const u8) -> c_int;
type Encapsulate =
    unsafe extern "C" fn(*mut u8, *mut usize, *mut u8, *mut usize, *const u8, *const u8) -> c_int;
type Decapsulate = unsafe extern "C" fn(*mut u8, *mut usize, *const u8, *const u8) -> c_int;

/// ML-KEM, whose functions return 0 if they succeed.
#[derive(Clone, Copy)]
struct MlKem {
    sizes: kem::Sizes,
    keypair: Keypair,
    encapsulate: Encapsulate,
    decapsulate: Decapsulate,
}

impl Kem for MlKem {
    fn sizes(&self) -> kem::Sizes {
        self.sizes
    }

    fn randomness(&self, seed: &[u8; 32], drawn: Drawn) -> Vec<u8> {
        ml_kem_randomness(seed, drawn)
    }

    fn keygen(&self, seed: &[u8], public: &mut [u8], secret: &mut [u8]) -> bool {
        let (mut pk, mut sk) = (public.len(), secret.len());
        let (public, secret) = (public.as_mut_ptr(), secret.as_mut_ptr());
        unsafe { (self.keypair)(public, &mut pk, secret, &mut sk, seed.as_ptr()) == 0 }
    }

    fn encapsulate(&self, seed: &[u8], public: &[u8], ciphertext: &mut [u8], shared: &mut [u8]) -> bool {
        let (mut c, mut s) = (ciphertext.len(), shared.len());
        let (ciphertext, shared) = (ciphertext.as_mut_ptr(), shared.as_mut_ptr());
        unsafe { (self.encapsulate)(ciphertext, &mut c, shared, &mut s, public.as_ptr(), seed.as_ptr()) == 0 }
    }

    fn decapsulate(&self, secret: &[u8], ciphertext: &[u8], shared: &mut [u8]) -> bool {
        let mut bytes = shared.len();
        let shared = shared.as_mut_ptr();
        unsafe { (self.decapsulate)(shared, &mut bytes, ciphertext.as_ptr(), secret.as_ptr()) == 0 }
    }
}

macro_rules! ml_kem {
    ($name:ident, $sizes:expr, $keypair:literal, $encapsulate:literal, $decapsulate:literal) => {
        mod $name {
            use super::*;

            unsafe extern "C" {
                #[link_name = $keypair]
                fn keypair(
                    public: *mut u8,
                    public_bytes: *mut usize,
                    secret: *mut u8,
                    secret_bytes: *mut usize,
                    seed: *const u8,
                ) -> c_int;
                #[link_name = $encapsulate]
                fn encapsulate(
                    ciphertext: *mut u8,
                    ciphertext_bytes: *mut usize,
                    shared: *mut u8,
                    shared_bytes: *mut usize,
                    public: *const u8,
                    seed: *const u8,
                ) -> c_int;
                #[link_name = $decapsulate]
                fn decapsulate(
                    shared: *mut u8,
                    shared_bytes: *mut usize,
                    ciphertext: *const u8,
                    secret: *const u8,
                ) -> c_int;
            }

            pub const MECHANISM: MlKem = MlKem { sizes: $sizes, keypair, encapsulate, decapsulate };
        }
    };
}

ml_kem!(
    ml_kem_512,
    kem::ML_KEM_512,
    "aws_lc_0_47_0_ml_kem_512_keypair_deterministic",
    "aws_lc_0_47_0_ml_kem_512_encapsulate_deterministic",
    "aws_lc_0_47_0_ml_kem_512_decapsulate"
);
ml_kem!(
    ml_kem_768,
    kem::ML_KEM_768,
    "aws_lc_0_47_0_ml_kem_768_keypair_deterministic",
    "aws_lc_0_47_0_ml_kem_768_encapsulate_deterministic",
    "aws_lc_0_47_0_ml_kem_768_decapsulate"
);
ml_kem!(
    ml_kem_1024,
    kem::ML_KEM_1024,
    "aws_lc_0_47_0_ml_kem_1024_keypair_deterministic",
    "aws_lc_0_47_0_ml_kem_1024_encapsulate_deterministic",
    "aws_lc_0_47_0_ml_kem_1024_decapsulate"
);

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "ML-DSA-44" => ml_dsa_44::job(operation, inputs),
        "ML-DSA-65" => ml_dsa_65::job(operation, inputs),
        "ML-DSA-87" => ml_dsa_87::job(operation, inputs),
        "ML-KEM-512" => kem::job(ml_kem_512::MECHANISM, operation, inputs),
        "ML-KEM-768" => kem::job(ml_kem_768::MECHANISM, operation, inputs),
        "ML-KEM-1024" => kem::job(ml_kem_1024::MECHANISM, operation, inputs),
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
