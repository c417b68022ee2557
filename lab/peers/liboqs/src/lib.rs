//! liboqs, built from the sources in `oqs-sys`; it picks AVX2 code at run time. Its source of
//! randomness is replaced, by its own interface for that.

use contender::kem::{self, ml_kem_randomness, ntru_prime};
use contender::nist::{Beyond, Signatures, answer_beyond, ntru_prime_randomness, random_bytes};
use contender::{Code, Contender, MaybeJob, contenders, nist_kem, nist_signatures, signature_sizes};
use oqs_sys::rand::OQS_randombytes_custom_algorithm;
use std::sync::Once;

unsafe extern "C" fn answer(out: *mut u8, bytes: usize) {
    unsafe { random_bytes(out, bytes) };
}

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    static OWN_RANDOMNESS: Once = Once::new();
    OWN_RANDOMNESS.call_once(|| unsafe { OQS_randombytes_custom_algorithm(Some(answer)) });
    answer_beyond(if algorithm.starts_with("Falcon") { Beyond::Numbers } else { Beyond::Zeros });
    macro_rules! sign {
        ($name:literal) => {{
            let functions = nist_signatures!("OQS_SIG_", $name; "_keypair", "_sign", "_verify");
            let functions = Signatures { message_first: true, ..functions };
            functions.job(signature_sizes(algorithm)?, operation, inputs)
        }};
    }
    macro_rules! kem {
        ($name:literal, $sizes:expr, $randomness:expr) => {{
            let functions =
                nist_kem!($sizes, $randomness, "OQS_KEM_", $name; "_keypair", "_encaps", "_decaps");
            kem::job(functions, operation, inputs)
        }};
    }
    match algorithm {
        "ML-DSA-44" => sign!("ml_dsa_44"),
        "ML-DSA-65" => sign!("ml_dsa_65"),
        "ML-DSA-87" => sign!("ml_dsa_87"),
        "Falcon-padded-512" => sign!("falcon_padded_512"),
        "Falcon-padded-1024" => sign!("falcon_padded_1024"),
        "ML-KEM-512" => kem!("ml_kem_512", kem::ML_KEM_512, ml_kem_randomness),
        "ML-KEM-768" => kem!("ml_kem_768", kem::ML_KEM_768, ml_kem_randomness),
        "ML-KEM-1024" => kem!("ml_kem_1024", kem::ML_KEM_1024, ml_kem_randomness),
        "sntrup761" => kem!("ntruprime_sntrup761", ntru_prime(algorithm)?, ntru_prime_randomness),
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
