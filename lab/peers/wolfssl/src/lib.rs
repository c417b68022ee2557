//! wolfSSL's ML-DSA, ML-KEM and Falcon, compiled from the sources that `wolfssl-sys` has
//! (`build.rs`): the assembly language for AVX2 and AVX-512 is picked at run time.
//!
//! A key object of ML-DSA keeps its matrix and vectors only where the library is compiled so, for
//! all its keys (the feature `cached`). That build races with its key objects, the usual one from
//! bytes; without the caches an object holds the bytes alone.

mod mechanism;
mod signature;

use contender::{Code, Contender, MaybeJob, contenders};

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match cfg!(feature = "cached") {
        true => signature::prepared_job(algorithm, operation, inputs),
        false => signature::job(algorithm, operation, inputs)
            .or_else(|| mechanism::job(algorithm, operation, inputs))
            .or_else(|| signature::falcon_job(algorithm, operation, inputs)),
    }
}

contenders![Contender {
    name: "wolfSSL",
    package: "wolfssl-sys",
    code: Code::Vector,
    note: match (cfg!(feature = "cached"), cfg!(feature = "avx2")) {
        (false, false) =>
            "wolfSSL 5.9.4, with its code for AVX-512; key objects of ML-KEM without the matrix; Falcon with \
             doubles and AVX2",
        (false, true) => "wolfSSL 5.9.4, with its code for AVX2 (NO_AVX512_SUPPORT)",
        (true, false) =>
            "wolfSSL 5.9.4, with its code for AVX-512 and WC_MLDSA_CACHE_MATRIX_A, _PRIV_VECTORS, _PUB_VECTORS",
        (true, true) =>
            "wolfSSL 5.9.4, with its code for AVX2 and WC_MLDSA_CACHE_MATRIX_A, _PRIV_VECTORS, _PUB_VECTORS",
    },
    job,
}];
