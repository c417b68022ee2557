//! The time of operations through this crate over that of girih.h called directly: medians of
//! interleaved runs. `cargo bench`.

use std::ptr::null;
use std::time::Instant;

use girih::{Algorithm, Decapsulating, Encapsulating, Options, Signing, Verifying, ml_dsa_65, ml_kem_768};
use girih_sys as sys;

const ROUNDS: usize = 400;

/// Nanoseconds of one call, of several together.
fn time(calls: usize, operation: &mut dyn FnMut()) -> f64 {
    let start = Instant::now();
    (0..calls).for_each(|_| operation());
    start.elapsed().as_nanos() as f64 / calls as f64
}

fn compare(name: &str, calls: usize, mut crates: impl FnMut(), mut direct: impl FnMut()) {
    let mut times = [vec![], vec![]];
    for round in 0..ROUNDS {
        for turn in [round % 2, 1 - round % 2] {
            let operation: &mut dyn FnMut() = if turn == 0 { &mut crates } else { &mut direct };
            times[turn].push(time(calls, operation));
        }
    }
    let [through, direct] = times.map(|mut times| {
        times.sort_by(f64::total_cmp);
        times[ROUNDS / 2]
    });
    println!("{name:24} {through:9.0} ns  {direct:9.0} ns  {:.4}", through / direct);
}

fn main() {
    let engine = unsafe { std::ffi::CStr::from_ptr(sys::girih_engine()) };
    println!("{:24} {:>12}  {:>12}  ratio", engine.to_str().expect("ASCII"), "girih", "girih-sys");
    let (message, options) = ([7; 64], Options { deterministic: true, ..Options::default() });
    let key = ml_dsa_65::SigningKey::from_seed(&[7; 32]).expect("a key");
    let (alg, secret, public) = (ml_dsa_65::MlDsa65::raw(), key.as_bytes(), key.public_key().as_bytes());
    let mut raw: sys::girih_options = unsafe { std::mem::zeroed() };
    raw.deterministic = 1;
    let (mut out, mut length) = ([0; sys::GIRIH_ML_DSA_65_SIGNATURE_BYTES], 0);
    let signature = key.sign_with(&message, &options).expect("a signature");
    compare(
        "ML-DSA-65 sign",
        4,
        || assert!(key.sign_with(&message, &options).is_ok()),
        || unsafe {
            assert_eq!(sys::call!(girih_sign(alg, [secret], [message], &raw, [mut out], &mut length)), 0);
        },
    );
    compare(
        "ML-DSA-65 verify",
        4,
        || assert!(key.public_key().verify_with(&message, &signature, &options).is_ok()),
        || unsafe {
            let bytes = signature.as_bytes();
            assert_eq!(sys::call!(girih_verify(alg, [public], [message], null(), [bytes])), 0);
        },
    );

    let key = ml_kem_768::DecapsulationKey::from_seed(&[7; 64]).expect("a key");
    let (alg, secret, public) = (ml_kem_768::MlKem768::raw(), key.as_bytes(), key.public_key().as_bytes());
    let (mut text, mut shared) = ([0; sys::GIRIH_ML_KEM_768_CIPHERTEXT_BYTES], [0; sys::GIRIH_SHARED_SECRET_BYTES]);
    let (ciphertext, _) = key.public_key().encap().expect("a ciphertext");
    compare(
        "ML-KEM-768 encapsulate",
        16,
        || assert!(key.public_key().encap().is_ok()),
        || unsafe {
            assert_eq!(sys::call!(girih_encapsulate(alg, null(), [public], [mut text], [mut shared])), 0);
        },
    );
    compare(
        "ML-KEM-768 decapsulate",
        16,
        || assert!(key.decap(&ciphertext).is_ok()),
        || unsafe {
            assert_eq!(sys::call!(girih_decapsulate(alg, [secret], [ciphertext], [mut shared])), 0);
        },
    );
}
