//! mldsa-native (PQ Code Package), as `mldsa-native-rs` packs it: with the feature `native` (the
//! default) AVX2 code picked at run time, without it portable C.

use contender::{Code, Contender, ML_DSA_44, ML_DSA_65, ML_DSA_87, MaybeJob, contenders, keys_as_bytes};
use mldsa_native_rs::ffi::*;

/// The library's source of randomness, which it leaves to its user. No call below
/// needs one: it fails.
#[unsafe(no_mangle)]
extern "C" fn _mldsa_native_rs_internal_randombytes(_out: *mut u8, _bytes: usize) -> c_int {
    FAILURE
}

/// M' = 0x00 | length of the context | context | M (FIPS 204, Algorithm 2, line 10), up to M.
const EMPTY_CONTEXT: [u8; 2] = [0, 0];
const DETERMINISTIC: [u8; 32] = [0; 32];

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    macro_rules! level {
        ($sizes:expr, $keypair:ident, $sign:ident, $verify:ident) => {
            keys_as_bytes(
                $sizes,
                operation,
                inputs,
                |seed, public, secret| unsafe {
                    $keypair(public.as_mut_ptr(), secret.as_mut_ptr(), seed.as_ptr()) == 0
                },
                |secret, m, out| unsafe {
                    let (mut bytes, s, pre) = (0, out.as_mut_ptr(), EMPTY_CONTEXT);
                    let (rnd, sk) = (DETERMINISTIC.as_ptr(), secret.as_ptr());
                    $sign(s, &mut bytes, m.as_ptr(), m.len(), pre.as_ptr(), pre.len(), rnd, sk, 0) == 0
                },
                |public, m, s| unsafe {
                    let (pk, none) = (public.as_ptr(), std::ptr::null());
                    $verify(s.as_ptr(), s.len(), m.as_ptr(), m.len(), none, 0, pk) == 0
                },
            )
        };
    }
    match algorithm {
        "ML-DSA-44" => {
            level!(ML_DSA_44, mldsa44_keypair_internal, mldsa44_signature_internal, mldsa44_verify)
        }
        "ML-DSA-65" => {
            level!(ML_DSA_65, mldsa65_keypair_internal, mldsa65_signature_internal, mldsa65_verify)
        }
        "ML-DSA-87" => {
            level!(ML_DSA_87, mldsa87_keypair_internal, mldsa87_signature_internal, mldsa87_verify)
        }
        _ => None,
    }
}

const VECTORS: &str = if cfg!(target_arch = "aarch64") { "mldsa-native neon" } else { "mldsa-native avx2" };

contenders![Contender {
    name: if cfg!(feature = "native") { VECTORS } else { "mldsa-native portable" },
    package: "mldsa-native-rs",
    code: if cfg!(feature = "native") { Code::Vector } else { Code::Portable },
    note: "",
    job,
}];
