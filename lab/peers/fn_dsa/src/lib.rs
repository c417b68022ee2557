//! `fn-dsa`, in the mode that signs as Falcon was submitted. It uses AVX2 where there is that.
//!
//! A decoded signing key keeps the basis' transforms, not the tree; a decoded verifying key
//! the transform of h.

use contender::randomness::{self, SplitMix};
use contender::{Code, Contender, FALCON_PADDED_512, FALCON_PADDED_1024, MaybeJob, Sizes, contenders, keys_as_objects};
use fn_dsa::*;
use std::cell::RefCell;

/// The numbers that everybody gets, or those of a seed.
struct Numbers(Option<SplitMix>);

impl CryptoRng for Numbers {}
impl RngCore for Numbers {
    fn next_u32(&mut self) -> u32 {
        self.next_u64() as u32
    }
    fn next_u64(&mut self) -> u64 {
        let mut bytes = [0; 8];
        self.fill_bytes(&mut bytes);
        u64::from_le_bytes(bytes)
    }
    fn fill_bytes(&mut self, out: &mut [u8]) {
        match &mut self.0 {
            Some(stream) => stream.fill(out),
            None => randomness::fill(out),
        }
    }
    fn try_fill_bytes(&mut self, out: &mut [u8]) -> Result<(), RngError> {
        self.fill_bytes(out);
        Ok(())
    }
}

fn of_degree<K: KeyPairGenerator, S: SigningKey + 'static, V: VerifyingKey + 'static>(
    logn: u32, sizes: Sizes, operation: &str, inputs: &[&[u8]],
) -> MaybeJob {
    keys_as_objects(
        sizes,
        operation,
        inputs,
        move |seed, public, secret| {
            K::default().keygen(logn, &mut Numbers(Some(SplitMix::of(seed))), secret, public);
            true
        },
        |secret| S::decode(secret).map(RefCell::new),
        V::decode,
        |key, message, out| {
            let mut key = key.borrow_mut();
            key.sign(&mut Numbers(None), &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON, message, out);
            true
        },
        |key, message, s| key.verify(s, &DOMAIN_NONE, &HASH_ID_ORIGINAL_FALCON, message),
    )
}

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "Falcon-padded-512" => of_degree::<KeyPairGenerator512, SigningKey512, VerifyingKey512>(
            FN_DSA_LOGN_512,
            FALCON_PADDED_512,
            operation,
            inputs,
        ),
        "Falcon-padded-1024" => of_degree::<KeyPairGenerator1024, SigningKey1024, VerifyingKey1024>(
            FN_DSA_LOGN_1024,
            FALCON_PADDED_1024,
            operation,
            inputs,
        ),
        _ => None,
    }
}

contenders![Contender {
    name: "fn-dsa",
    package: "fn-dsa",
    code: Code::Vector,
    note: "hashes as Falcon was submitted; its draws of randomness are answered by cheap numbers",
    job,
}];
