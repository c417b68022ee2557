//! Misuse is refused, with an error that names it.

mod support;

use girih::ml_dsa_65::{MlDsa65, Signature, SigningKey, VerifyingKey};
use girih::{Decapsulating, Encapsulating, ErrorKind, Message, Options, Signing, Verifying};
use girih::{falcon_512, ml_kem_768, sntrup761};
use support::{Broken, Pattern};

fn key() -> SigningKey {
    SigningKey::generate_with(&mut Pattern).expect("a key")
}

#[test]
fn wrong_lengths_are_named() {
    let refused_as = |kind: ErrorKind, error: girih::Error, text: &str| {
        assert_eq!((error.kind(), error.to_string()), (kind, text.to_string()));
    };
    let refused = |error, text| refused_as(ErrorKind::Length, error, text);
    refused_as(
        ErrorKind::PublicKeyLength,
        VerifyingKey::from_bytes(&[1; 10]).unwrap_err(),
        "the ML-DSA-65 public key has 10 bytes, but should have 1952",
    );
    refused_as(
        ErrorKind::SecretKeyLength,
        SigningKey::from_bytes(&[]).unwrap_err(),
        "the ML-DSA-65 secret key has 0 bytes, but should have 4032",
    );
    refused(
        Signature::from_bytes(&[0; 3310]).unwrap_err(),
        "the ML-DSA-65 signature has 3310 bytes, but should have 3309",
    );
    refused(
        Signature::from_bytes(&[0; 3308]).unwrap_err(),
        "the ML-DSA-65 signature has 3308 bytes, but should have 3309",
    );
    let key = ml_kem_768::DecapsulationKey::generate().expect("a key");
    refused(key.decap(&[0; 1087]).unwrap_err(), "the ML-KEM-768 ciphertext has 1087 bytes, but should have 1088");
    assert!(falcon_512::Signature::from_bytes(&[0; 700]).is_ok(), "Falcon's differ in length");
    assert!(falcon_512::Signature::from_bytes(&[0; 753]).is_err());
}

#[test]
fn a_changed_message_signature_context_or_key_does_not_verify() {
    let (key, options) = (key(), Options { context: b"one", ..Options::default() });
    let signature = key.sign_with(b"message", &options).expect("a signature");
    let public = key.public_key();
    assert_eq!(public.verify_with(b"message", &signature, &options), Ok(()));
    let kind = |result: Result<(), girih::Error>| result.unwrap_err().kind();
    assert_eq!(kind(public.verify_with(b"massage", &signature, &options)), ErrorKind::Signature);
    assert_eq!(kind(public.verify_with(b"message", &signature, &Options::default())), ErrorKind::Signature);
    for byte in [0, 1000, 3308] {
        let mut bytes = signature.as_bytes().to_vec();
        bytes[byte] ^= 1;
        let changed = Signature::from_bytes(&bytes).expect("the right length");
        assert_eq!(kind(public.verify_with(b"message", &changed, &options)), ErrorKind::Signature);
    }
    let other = SigningKey::generate().expect("a key");
    let error = other.public_key().verify_with(b"message", &signature, &options).unwrap_err();
    assert_eq!(error.to_string(), "ML-DSA-65: the signature does not verify");
}

#[test]
fn options_that_an_algorithm_lacks_are_refused() {
    let (key, falcon) = (key(), falcon_512::SigningKey::generate_with(&mut Pattern).expect("a key"));
    let kind = |options: &Options| key.sign_with(b"", options).unwrap_err().kind();
    assert_eq!(kind(&Options { context: &[0; 256], ..Options::default() }), ErrorKind::Context);
    assert_eq!(kind(&Options { pre_hash: Some(c"MD5"), ..Options::default() }), ErrorKind::PreHash);
    let kind = |options: &Options| falcon.sign_with(b"", options).unwrap_err().kind();
    assert_eq!(kind(&Options { context: b"x", ..Options::default() }), ErrorKind::Context);
    assert_eq!(kind(&Options { deterministic: true, ..Options::default() }), ErrorKind::Option);
    let sntrup = sntrup761::DecapsulationKey::generate().expect("a key");
    assert_eq!(sntrup.prepare_to_decapsulate().unwrap_err().kind(), ErrorKind::Algorithm);
}

#[test]
fn broken_randomness_is_an_error() {
    assert_eq!(SigningKey::generate_with(&mut Broken).unwrap_err().kind(), ErrorKind::Random);
    let signed = key().sign_from(&mut Broken, b"", &Options::default());
    assert_eq!(signed.unwrap_err().kind(), ErrorKind::Random);
    let kem = ml_kem_768::DecapsulationKey::generate().expect("a key");
    assert_eq!(kem.public_key().encap_from(&mut Broken).unwrap_err().kind(), ErrorKind::Random);
}

#[test]
fn malformed_keys_are_refused() {
    let mut secret = *key().as_bytes();
    secret[128] = 0xff; // in s1, whose coefficients have four bits, of which 9 to 15 are none
    assert_eq!(SigningKey::from_bytes(&secret).unwrap_err().kind(), ErrorKind::SecretKey);
    let mut secret = *key().as_bytes();
    secret[64] ^= 1; // tr
    assert_eq!(SigningKey::from_bytes(&secret).unwrap_err().kind(), ErrorKind::KeyMismatch);
    let public = ml_kem_768::EncapsulationKey::from_bytes(&[0xff; 1184]).expect("the right length");
    assert_eq!(public.encap().unwrap_err().kind(), ErrorKind::PublicKey);
    let public = falcon_512::VerifyingKey::from_bytes(&[0xff; 897]).expect("the right length");
    assert_eq!(public.prepare().unwrap_err().kind(), ErrorKind::PublicKey);
}

#[test]
fn a_message_in_pieces_has_the_signature_of_the_whole() {
    let (key, options) = (key(), Options { context: b"c", deterministic: true, ..Options::default() });
    let mut message = Message::<MlDsa65>::new(key.public_key(), &options).expect("a message");
    [&b"a mes"[..], b"", b"sage"].iter().for_each(|piece| message.update(piece).expect("a piece"));
    let mu = message.mu().expect("mu");
    let plain = Options { deterministic: true, ..Options::default() };
    let signature = key.sign_mu(&mu, &plain).expect("a signature");
    assert_eq!(signature, key.sign_with(b"a message", &options).expect("a signature"));
    assert_eq!(signature, key.prepare().expect("a key").sign_mu(&mu, &plain).expect("a signature"));
    assert_eq!(key.public_key().verify_mu(&mu, &signature), Ok(()));
    assert_eq!(key.public_key().prepare().expect("a key").verify_mu(&mu, &signature), Ok(()));
}

#[test]
fn prepared_keys_move_between_threads() {
    let prepared = key().prepare().expect("a key");
    let moved = std::thread::spawn(move || (prepared.sign_with(b"m", &Options::default()), prepared));
    let (signature, prepared) = moved.join().expect("no panic");
    assert_eq!(key().public_key().verify_with(b"m", &signature.expect("a signature"), &Options::default()), Ok(()));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            scope.spawn(|| prepared.sign_with(b"m", &Options::default()).expect("a signature"));
        }
    });
}

#[test]
fn secrets_are_not_shown_and_are_wiped() {
    let mut key = std::mem::ManuallyDrop::new(key());
    let shown = format!("{:?}", *key);
    assert!(shown.starts_with("ML-DSA-65 { public: ") && shown.ends_with(", .. }"), "{shown}");
    let at = key.as_bytes().as_ptr().addr() - (&raw const key).addr();
    // SAFETY: the memory is this function's; a dropped array of bytes is still bytes.
    let wiped = unsafe {
        std::mem::ManuallyDrop::drop(&mut key);
        (&raw const key).byte_add(at).cast::<[u8; 4032]>().read_volatile()
    };
    assert_eq!(wiped, [0; 4032]);
}
