//! Key files of the girih command, GIRIH_COMMAND, are read, and it reads those of this crate.
//! GIRIH_VECTORS names a folder with the examples of RFC 9881 and RFC 9935, if they are here.

mod support;

use std::path::{Path, PathBuf};
use std::{env, fs};

use girih::pkcs8::{AssociatedOid, DecodePrivateKey, DecodePublicKey, EncodePrivateKey, EncodePublicKey, LineEnding};
use girih::{Algorithm, PublicKey, SecretKey, ml_dsa_44, ml_dsa_65, ml_dsa_87, ml_kem_512, ml_kem_768, ml_kem_1024};
use support::output_of;

fn folder(name: &str) -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::create_dir_all(&folder).expect("a folder");
    folder
}

/// Both ways, for each form of a private key.
fn crosses<A: Algorithm + AssociatedOid>() {
    let girih = env::var("GIRIH_COMMAND").expect("GIRIH_COMMAND");
    let folder = folder(A::NAME);
    let file = |name: &str| folder.join(name).to_str().expect("UTF-8").to_string();
    let (private, public) = (file("private.pem"), file("public.pem"));
    output_of(&girih, &["keygen", "--force", "--alg", A::NAME, "--secret", &private, "--public", &public]);
    let key = SecretKey::<A>::read_pkcs8_pem_file(&private).expect("a private key");
    assert_eq!(PublicKey::<A>::read_public_key_pem_file(&public).expect("a public key"), *key.public_key());
    assert_eq!(*key.to_pkcs8_pem(LineEnding::LF).expect("PEM"), fs::read_to_string(&private).expect("a file"));
    assert_eq!(
        key.public_key().to_public_key_pem(LineEnding::LF).expect("PEM"),
        fs::read_to_string(&public).expect("a file")
    );
    for form in ["seed", "expanded", "both"] {
        let converted = file(form);
        output_of(&girih, &["convert", "--force", "--private-form", form, &private, &converted]);
        let read = SecretKey::<A>::read_pkcs8_pem_file(&converted).expect(form);
        assert!(read.as_bytes() == key.as_bytes() && read.seed().is_some() == (form != "expanded"), "{form}");
    }
}

#[test]
fn the_command_and_this_crate_read_each_other() {
    crosses::<ml_dsa_65::MlDsa65>();
    crosses::<ml_kem_768::MlKem768>();
}

fn examples<A: Algorithm + AssociatedOid>(folder: &str) {
    let Some(vectors) = env::var_os("GIRIH_VECTORS") else { return };
    let file = |name: &str| Path::new(&vectors).join(folder).join(format!("{}{name}", A::NAME));
    let text = |name: &str| fs::read_to_string(file(name)).expect("a file");
    let public = PublicKey::<A>::from_public_key_pem(&text(".pub")).expect("a public key");
    for form in ["seed", "expanded", "both"] {
        let key = SecretKey::<A>::from_pkcs8_pem(&text(&format!("-{form}.priv"))).expect(form);
        assert_eq!(*key.public_key(), public);
        if form != "both" {
            let again = SecretKey::<A>::from_pkcs8_der(key.to_pkcs8_der().expect("DER").as_bytes()).expect("a key");
            assert!(again.as_bytes() == key.as_bytes() && again.seed() == key.seed());
        }
    }
}

#[test]
fn examples_of_the_standards_are_read() {
    examples::<ml_dsa_44::MlDsa44>("rfc9881");
    examples::<ml_dsa_65::MlDsa65>("rfc9881");
    examples::<ml_dsa_87::MlDsa87>("rfc9881");
    examples::<ml_kem_512::MlKem512>("rfc9935");
    examples::<ml_kem_768::MlKem768>("rfc9935");
    examples::<ml_kem_1024::MlKem1024>("rfc9935");
}

#[test]
fn bad_examples_are_refused() {
    let Some(vectors) = env::var_os("GIRIH_VECTORS") else { return };
    let mut count = 0;
    for folder in ["rfc9881", "rfc9935"] {
        for file in fs::read_dir(Path::new(&vectors).join(folder)).expect("a folder").flatten() {
            let name = file.file_name().into_string().expect("UTF-8");
            if !name.starts_with("bad-") {
                continue;
            }
            let text = fs::read_to_string(file.path()).expect("a file");
            let is_read = ml_dsa_44::SigningKey::from_pkcs8_pem(&text).is_ok()
                || ml_kem_512::DecapsulationKey::from_pkcs8_pem(&text).is_ok();
            assert!(!is_read, "{name}");
            count += 1;
        }
    }
    assert!(count >= 3, "{count} bad keys");
}

#[test]
fn other_algorithms_and_trailing_bytes_are_refused() {
    let key = ml_dsa_44::SigningKey::generate().expect("a key");
    let private = key.to_pkcs8_der().expect("DER");
    assert!(ml_dsa_65::SigningKey::from_pkcs8_der(private.as_bytes()).is_err());
    assert!(ml_dsa_44::SigningKey::from_pkcs8_der(&[private.as_bytes(), &[0]].concat()).is_err());
    let public = key.public_key().to_public_key_der().expect("DER");
    assert!(ml_dsa_65::VerifyingKey::from_public_key_der(public.as_bytes()).is_err());
}
