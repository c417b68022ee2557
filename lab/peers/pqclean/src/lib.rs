//! PQClean's ML-DSA, Falcon, ML-KEM and NTRU Prime, as the `pqcrypto` packages have them: the
//! portable C and the AVX2 code are both in each.
//!
//! PQClean draws its own randomness. The packages take it from `getrandom`, whose custom back end
//! is below. Build with `--cfg getrandom_backend="custom"`.

use contender::kem::{self, ml_kem_randomness, ntru_prime};
use contender::nist::{Beyond, Signatures, answer_beyond, ntru_prime_randomness, random_bytes};
use contender::{Code, Contender, MaybeJob, contenders, nist_kem, nist_signatures, signature_sizes};

use std::ffi::c_int;
use std::ptr::null;

// Link the static libraries.
use {pqcrypto_falcon as _, pqcrypto_mldsa as _, pqcrypto_mlkem as _, pqcrypto_ntruprime as _};

#[unsafe(no_mangle)]
unsafe extern "Rust" fn __getrandom_v03_custom(out: *mut u8, bytes: usize) -> Result<(), getrandom::Error> {
    unsafe { random_bytes(out, bytes) };
    Ok(())
}

type In = *const u8;
type Out = *mut u8;

/// The jobs of one kind of code, `CLEAN` or `AVX2`, which is part of the functions' names.
macro_rules! jobs {
    ($name:ident, $code:literal) => {
        fn $name(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
            macro_rules! falcon {
                                        ($set:literal) => {
                                            nist_signatures!(
                                                "PQCLEAN_", $set, "_", $code, "_crypto_sign";
                                                "_keypair", "_signature", "_verify"
                                            )
                                            .job(signature_sizes(algorithm)?, operation, inputs)
                                        };
                                    }
            // With a context, which is empty.
            macro_rules! ml_dsa {
                ($set:literal) => {{
                    unsafe extern "C" {
                        #[link_name = concat!("PQCLEAN_", $set, "_", $code, "_crypto_sign_keypair")]
                        fn keypair(public: *mut u8, secret: *mut u8) -> c_int;
                        #[link_name = concat!("PQCLEAN_", $set, "_", $code, "_crypto_sign_signature_ctx")]
                        fn sign(
                            s: Out, bytes: *mut usize, m: In, m_bytes: usize, c: In, c_bytes: usize, sk: In,
                        ) -> c_int;
                        #[link_name = concat!("PQCLEAN_", $set, "_", $code, "_crypto_sign_verify_ctx")]
                        fn verify(s: In, bytes: usize, m: In, m_bytes: usize, c: In, c_bytes: usize, pk: In) -> c_int;
                    }
                    unsafe extern "C" fn sign_it(s: Out, bytes: *mut usize, m: In, m_bytes: usize, sk: In) -> c_int {
                        unsafe { sign(s, bytes, m, m_bytes, null(), 0, sk) }
                    }
                    unsafe extern "C" fn verify_it(s: In, bytes: usize, m: In, m_bytes: usize, pk: In) -> c_int {
                        unsafe { verify(s, bytes, m, m_bytes, null(), 0, pk) }
                    }
                    Signatures { keypair, sign: sign_it, verify: verify_it, message_first: false }.job(
                        signature_sizes(algorithm)?,
                        operation,
                        inputs,
                    )
                }};
            }
            macro_rules! kem {
                                        ($set:literal, $sizes:expr, $randomness:expr) => {
                                            kem::job(
                                                nist_kem!(
                                                    $sizes, $randomness, "PQCLEAN_", $set, "_", $code, "_crypto_kem";
                                                    "_keypair", "_enc", "_dec"
                                                ),
                                                operation,
                                                inputs,
                                            )
                                        };
                                    }
            macro_rules! ml_kem {
                ($set:literal, $sizes:expr) => {
                    kem!($set, $sizes, ml_kem_randomness)
                };
            }
            macro_rules! ntru {
                ($set:literal) => {
                    kem!($set, ntru_prime(algorithm)?, ntru_prime_randomness)
                };
            }
            answer_beyond(if algorithm.starts_with("Falcon") { Beyond::Numbers } else { Beyond::Zeros });
            match algorithm {
                "ML-DSA-44" => ml_dsa!("MLDSA44"),
                "ML-DSA-65" => ml_dsa!("MLDSA65"),
                "ML-DSA-87" => ml_dsa!("MLDSA87"),
                "Falcon-padded-512" => falcon!("FALCONPADDED512"),
                "Falcon-padded-1024" => falcon!("FALCONPADDED1024"),
                "ML-KEM-512" => ml_kem!("MLKEM512", kem::ML_KEM_512),
                "ML-KEM-768" => ml_kem!("MLKEM768", kem::ML_KEM_768),
                "ML-KEM-1024" => ml_kem!("MLKEM1024", kem::ML_KEM_1024),
                "sntrup653" => ntru!("SNTRUP653"),
                "sntrup761" => ntru!("SNTRUP761"),
                "sntrup857" => ntru!("SNTRUP857"),
                "sntrup953" => ntru!("SNTRUP953"),
                "sntrup1013" => ntru!("SNTRUP1013"),
                "sntrup1277" => ntru!("SNTRUP1277"),
                "ntrulpr653" => ntru!("NTRULPR653"),
                "ntrulpr761" => ntru!("NTRULPR761"),
                "ntrulpr857" => ntru!("NTRULPR857"),
                "ntrulpr953" => ntru!("NTRULPR953"),
                "ntrulpr1013" => ntru!("NTRULPR1013"),
                "ntrulpr1277" => ntru!("NTRULPR1277"),
                _ => None,
            }
        }
    };
}

jobs!(clean, "CLEAN");
#[cfg(target_arch = "x86_64")]
jobs!(avx2_code, "AVX2");

#[cfg(not(target_arch = "x86_64"))]
fn avx2(_: &str, _: &str, _: &[&[u8]]) -> MaybeJob {
    None
}
#[cfg(target_arch = "x86_64")]
fn avx2(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    let runs = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("bmi2");
    if runs { avx2_code(algorithm, operation, inputs) } else { None }
}

const NOTE: &str = "its draws of randomness are answered, without a system call; checks no keys of ML-KEM";

/// The algorithms of one package, whose names have something in common.
macro_rules! contender {
    ($package:literal, $of:literal, $name:literal, $code:expr, $job:ident) => {
        Contender {
            name: concat!($package, " ", $name),
            package: $package,
            code: $code,
            note: NOTE,
            job: |algorithm, operation, inputs| {
                if algorithm.contains($of) { $job(algorithm, operation, inputs) } else { None }
            },
        }
    };
}

contenders![
    contender!("pqcrypto-mldsa", "ML-DSA", "clean", Code::Portable, clean),
    contender!("pqcrypto-mldsa", "ML-DSA", "avx2", Code::Vector, avx2),
    contender!("pqcrypto-falcon", "Falcon", "clean", Code::Portable, clean),
    contender!("pqcrypto-falcon", "Falcon", "avx2", Code::Vector, avx2),
    contender!("pqcrypto-mlkem", "ML-KEM", "clean", Code::Portable, clean),
    contender!("pqcrypto-mlkem", "ML-KEM", "avx2", Code::Vector, avx2),
    contender!("pqcrypto-ntruprime", "ntru", "clean", Code::Portable, clean),
    contender!("pqcrypto-ntruprime", "ntru", "avx2", Code::Vector, avx2),
];
