//! NIST's ACVP vectors for deterministic signatures of FIPS 204. GIRIH_VECTORS names their folder.

mod support;

use std::env;
use std::ffi::CString;

use girih::{HasMu, Options, SecretKey, Signing, ml_dsa_44, ml_dsa_65, ml_dsa_87};
use support::{hex, output_of};

fn unhex(text: &str) -> Vec<u8> {
    let byte = |at| u8::from_str_radix(&text[at..at + 2], 16).expect("hexadecimal digits");
    (0..text.len()).step_by(2).map(byte).collect()
}

fn expect<A>(seed: &[u8], sk: &[u8], mu: &[u8], message: &[u8], options: &Options, signature: &str)
where
    A: HasMu<Seed = [u8; 32]>,
{
    let key = seed.try_into().map_or_else(|_| SecretKey::<A>::from_bytes(sk), SecretKey::<A>::from_seed);
    let key = key.expect("a key");
    let prepared = key.prepare().expect("a prepared key");
    let found = match <&[u8; 64]>::try_from(mu) {
        Ok(mu) => [key.sign_mu(mu, options), prepared.sign_mu(mu, options)],
        Err(_) => [key.sign_with(message, options), prepared.sign_with(message, options)],
    };
    for one in found {
        assert!(hex(one.expect("a signature").as_bytes()).eq_ignore_ascii_case(signature), "{}", A::NAME);
    }
}

#[test]
fn signatures_are_nists() {
    let Ok(vectors) = env::var("GIRIH_VECTORS") else {
        return eprintln!("skipped: GIRIH_VECTORS names no folder of test vectors");
    };
    let lines = output_of("python3", &[concat!(env!("CARGO_MANIFEST_DIR"), "/tests/support/acvp.py"), &vectors]);
    for line in lines.lines() {
        let fields: Vec<_> = line.split('\t').collect();
        let [seed, sk, mu, message, context] = [1, 2, 3, 4, 5].map(|i| unhex(fields[i]));
        let pre_hash = (!fields[6].is_empty()).then(|| CString::new(fields[6]).expect("a name"));
        let options =
            Options { context: &context, pre_hash: pre_hash.as_deref(), deterministic: true, ..Options::default() };
        match fields[0] {
            "ML-DSA-44" => expect::<ml_dsa_44::MlDsa44>(&seed, &sk, &mu, &message, &options, fields[7]),
            "ML-DSA-65" => expect::<ml_dsa_65::MlDsa65>(&seed, &sk, &mu, &message, &options, fields[7]),
            _ => expect::<ml_dsa_87::MlDsa87>(&seed, &sk, &mu, &message, &options, fields[7]),
        }
    }
    assert_eq!(lines.lines().count(), 405);
}
