//! Programs written for RustCrypto's traits run.

mod support;

use girih::kem::{Ciphertext, Decapsulate, Encapsulate, Generate, Kem, KeyExport, KeyInit, TryKeyInit};
use girih::signature::{Keypair, RandomizedSigner, SignatureEncoding, Signer, Verifier};
use girih::signature::{MultipartSigner, MultipartVerifier};
use girih::{falcon_padded_512, ml_dsa_44, ml_kem_768, sntrup761};
use support::{Broken, Pattern};

/// Knows nothing of girih.
fn signs_and_verifies<S, K>(key: &K)
where
    S: SignatureEncoding,
    K: Signer<S> + Keypair<VerifyingKey: Verifier<S>> + RandomizedSigner<S>,
{
    for signature in [key.sign(b"message"), key.sign_with_rng(&mut Pattern, b"message")] {
        let received = S::try_from(signature.to_bytes().as_ref()).ok().expect("its own encoding");
        key.verifying_key().verify(b"message", &received).expect("verifies");
        key.verifying_key().verify(b"massage", &received).expect_err("another message");
    }
    assert!(key.try_sign_with_rng(&mut Broken, b"message").is_err());
}

#[test]
fn signatures() {
    let key = ml_dsa_44::SigningKey::generate_from_rng(&mut Pattern);
    signs_and_verifies::<ml_dsa_44::Signature, _>(&key);
    let padded = falcon_padded_512::SigningKey::generate_from_rng(&mut Pattern);
    signs_and_verifies::<falcon_padded_512::Signature, _>(&padded);

    let prepared = key.prepare().expect("a prepared key");
    let signature: ml_dsa_44::Signature = prepared.sign(b"message");
    key.public_key().prepare().expect("a prepared key").verify(b"message", &signature).expect("verifies");
    key.public_key().multipart_verify(&[b"mess", b"age"], &signature).expect("verifies");
    key.public_key().verify(b"message", &key.multipart_sign(&[b"m", b"essage"])).expect("verifies");
}

/// Knows nothing of girih.
fn agrees<K>()
where
    K: Kem<DecapsulationKey: Decapsulate + KeyInit>,
{
    let (secret_key, public_key) = K::generate_keypair_from_rng(&mut Pattern);
    let received = K::EncapsulationKey::new(&public_key.to_bytes()).expect("its own encoding");
    assert_eq!(received, public_key);
    let (mut ciphertext, secret): (Ciphertext<K>, _) = received.encapsulate_with_rng(&mut Pattern);
    assert_eq!(secret_key.decapsulate_slice(&ciphertext).expect("the right length"), secret);
    ciphertext[0] ^= 1;
    assert_ne!(secret_key.decapsulate(&ciphertext), secret, "implicit rejection");
}

#[test]
fn kems() {
    agrees::<ml_kem_768::MlKem768>();
    agrees::<sntrup761::Sntrup761>();
    assert!(<ml_kem_768::EncapsulationKey as TryKeyInit>::new_from_slice(&[0xff; 1184]).is_err(), "not below q");
}

/// A program for the crate ml-kem does it this way.
#[cfg(feature = "getrandom")]
#[test]
fn kems_draw_their_randomness() {
    let (secret_key, public_key) = ml_kem_768::MlKem768::generate_keypair();
    let (ciphertext, secret) = public_key.encapsulate();
    assert_eq!(secret_key.decapsulate(&ciphertext), secret);
}
