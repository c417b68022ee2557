//! Every algorithm's bytes are those of the native library: the program of tests/amalgamate, which
//! is linked with it, prints its results from fixed randomness. GIRIH_PROGRAM names it.

mod support;

use girih::{Algorithm, Decapsulating, Encapsulating, KemAlgorithm, Options, Signing, Verifying};
use girih::{SecretKey, Signature, SignatureAlgorithm};
use support::{Pattern, hex, output_of};

/// The program's results of an algorithm, without its first line, which is the engine.
fn expected<A: Algorithm>() -> Vec<String> {
    let program = std::env::var("GIRIH_PROGRAM").expect("GIRIH_PROGRAM");
    output_of(&program, &[A::NAME]).lines().skip(1).map(String::from).collect()
}

fn key<A: Algorithm>() -> SecretKey<A> {
    SecretKey::generate_with(&mut Pattern).expect("a key")
}

fn signs<A: SignatureAlgorithm>(deterministic: bool) {
    let (key, message) = (key::<A>(), [0x6d; 100]);
    let options = Options { deterministic, ..Options::default() };
    let sign = |signer: &dyn Fn() -> Result<Signature<A>, girih::Error>| signer().expect("a signature");
    let signature = sign(&|| {
        if deterministic { key.sign_with(&message, &options) } else { key.sign_from(&mut Pattern, &message, &options) }
    });
    let found = [
        format!("public key {}", hex(key.public_key().as_ref())),
        format!("secret key {}", hex(key.as_bytes().as_ref())),
        format!("signature {}", hex(signature.as_bytes())),
    ];
    assert!(expected::<A>() == found, "{}", A::NAME);

    let prepared = key.prepare().expect("a prepared key");
    let again = sign(&|| {
        if deterministic {
            prepared.sign_with(&message, &options)
        } else {
            prepared.sign_from(&mut Pattern, &message, &options)
        }
    });
    assert!(again == signature, "{} prepared", A::NAME);
    let verifying = key.public_key().prepare().expect("a prepared key");
    verifying.verify_with(&message, &signature, &Options::default()).expect("verifies");
    key.public_key().verify_with(&message, &signature, &Options::default()).expect("verifies");
    assert!(SecretKey::<A>::from_bytes(key.as_bytes().as_ref()).expect("a key").public_key() == key.public_key());
    batches_of_signatures(&key);
}

/// Batches sign what verifies, and refuse what does not, row by row.
fn batches_of_signatures<A: SignatureAlgorithm>(key: &SecretKey<A>) {
    let messages: Vec<_> = (0..9u8).map(|i| vec![i; 10 * usize::from(i)]).collect();
    let options = Options::default();
    let prepared = (key.prepare().expect("a key"), key.public_key().prepare().expect("a key"));
    let rows: Vec<_> = messages.iter().map(|message| (&prepared.0, &message[..])).collect();
    let signatures: Vec<_> = girih::sign_many(&rows, &options).into_iter().map(|row| row.expect("a row")).collect();
    let claims: Vec<_> =
        (0..9).map(|i| (&prepared.1, &messages[i][..], &signatures[if i == 4 { 5 } else { i }])).collect();
    for (i, result) in girih::verify_many(&claims, &options).iter().enumerate() {
        assert_eq!(result.is_ok(), i != 4, "{} row {i}", A::NAME);
    }
    let plain: Vec<_> = claims.iter().map(|claim| (key.public_key(), claim.1, claim.2)).collect();
    assert_eq!(girih::verify_many(&plain, &options), girih::verify_many(&claims, &options));
}

fn encapsulates<A: KemAlgorithm>(has_prepared: bool) {
    let key = key::<A>();
    let (ciphertext, secret) = key.public_key().encap_from(&mut Pattern).expect("a ciphertext");
    let found = [
        format!("public key {}", hex(key.public_key().as_ref())),
        format!("secret key {}", hex(key.as_bytes().as_ref())),
        format!("ciphertext {}", hex(ciphertext.as_ref())),
        format!("secret {}", hex(secret.as_ref())),
    ];
    assert!(expected::<A>() == found, "{}", A::NAME);
    assert_eq!(key.decap(ciphertext.as_ref()).expect("a secret").as_bytes(), secret.as_bytes());

    let made: Vec<_> =
        girih::encapsulate_many(&[key.public_key(); 9]).into_iter().map(|row| row.expect("a row")).collect();
    let rows: Vec<_> = made.iter().map(|(ciphertext, _)| (&key, ciphertext.as_ref())).collect();
    for (found, (_, expected)) in girih::decapsulate_many(&rows).iter().zip(&made) {
        assert_eq!(found.as_ref().expect("a secret").as_bytes(), expected.as_bytes());
    }
    let prepared = (key.prepare_to_decapsulate(), key.public_key().prepare_to_encapsulate());
    assert_eq!((prepared.0.is_ok(), prepared.1.is_ok()), (has_prepared, has_prepared), "{}", A::NAME);
    let (Ok(decapsulation), Ok(encapsulation)) = prepared else { return };
    assert_eq!(encapsulation.encap_from(&mut Pattern).expect("a ciphertext").0, ciphertext);
    assert_eq!(decapsulation.decap(ciphertext.as_ref()).expect("a secret").as_bytes(), secret.as_bytes());
}

macro_rules! algorithms {
    ($($name:ident $claim:ident $module:ident::$marker:ident $argument:literal;)*) => {
        $(#[test] fn $name() { $claim::<girih::$module::$marker>($argument) })*

        #[test]
        fn no_algorithm_is_left_out() {
            use girih_sys as sys;
            let sizes = |alg| unsafe {
                [sys::girih_seed_bytes(alg), sys::girih_public_key_bytes(alg), sys::girih_secret_key_bytes(alg)]
            };
            let here = [$((girih::$module::$marker::NAME, support::sizes::<girih::$module::$marker>())),*];
            let mut count = 0;
            loop {
                let alg = unsafe { sys::girih_algorithm_at(count) };
                if alg.is_null() { break }
                let name = unsafe { std::ffi::CStr::from_ptr(sys::girih_name(alg)) }.to_str().expect("ASCII");
                assert!(here.contains(&(name, sizes(alg))), "{name}");
                count += 1;
            }
            assert_eq!(count, here.len());
        }
    };
}

algorithms! {
    ml_dsa_44 signs ml_dsa_44::MlDsa44 true;
    ml_dsa_65 signs ml_dsa_65::MlDsa65 true;
    ml_dsa_87 signs ml_dsa_87::MlDsa87 true;
    dilithium2 signs dilithium2::Dilithium2 true;
    dilithium3 signs dilithium3::Dilithium3 true;
    dilithium5 signs dilithium5::Dilithium5 true;
    falcon_512 signs falcon_512::Falcon512 false;
    falcon_1024 signs falcon_1024::Falcon1024 false;
    falcon_padded_512 signs falcon_padded_512::FalconPadded512 false;
    falcon_padded_1024 signs falcon_padded_1024::FalconPadded1024 false;
    falcon_ct_512 signs falcon_ct_512::FalconCt512 false;
    falcon_ct_1024 signs falcon_ct_1024::FalconCt1024 false;
    ml_kem_512 encapsulates ml_kem_512::MlKem512 true;
    ml_kem_768 encapsulates ml_kem_768::MlKem768 true;
    ml_kem_1024 encapsulates ml_kem_1024::MlKem1024 true;
    sntrup653 encapsulates sntrup653::Sntrup653 false;
    sntrup761 encapsulates sntrup761::Sntrup761 false;
    sntrup857 encapsulates sntrup857::Sntrup857 false;
    sntrup953 encapsulates sntrup953::Sntrup953 false;
    sntrup1013 encapsulates sntrup1013::Sntrup1013 false;
    sntrup1277 encapsulates sntrup1277::Sntrup1277 false;
    ntrulpr653 encapsulates ntrulpr653::Ntrulpr653 false;
    ntrulpr761 encapsulates ntrulpr761::Ntrulpr761 false;
    ntrulpr857 encapsulates ntrulpr857::Ntrulpr857 false;
    ntrulpr953 encapsulates ntrulpr953::Ntrulpr953 false;
    ntrulpr1013 encapsulates ntrulpr1013::Ntrulpr1013 false;
    ntrulpr1277 encapsulates ntrulpr1277::Ntrulpr1277 false;
}
