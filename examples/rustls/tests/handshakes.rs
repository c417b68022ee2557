//! Handshakes with girih's provider on either side or both; the other is rustls's own by aws-lc-rs.

use std::str::FromStr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use girih::SecretKey;
use girih::ml_dsa_65::MlDsa65;
use pkcs8::EncodePrivateKey;
use rustls::client::Resumption;
use rustls::crypto::{CryptoProvider, aws_lc_rs, ring};
use rustls::pki_types::{CertificateDer, PrivateKeyDer, ServerName};
use rustls::{ClientConfig, ClientConnection, Error, NamedGroup, RootCertStore, ServerConfig, ServerConnection};
use x509_cert::builder::profile::{BuilderProfile, cabf};
use x509_cert::builder::{Builder, CertificateBuilder};
use x509_cert::der::{Encode, asn1::Ia5String};
use x509_cert::ext::pkix::{SubjectAltName, name::GeneralName};
use x509_cert::spki::SubjectPublicKeyInfoOwned;
use x509_cert::{name::Name, serial_number::SerialNumber, time::Validity};

type Chain = (Vec<CertificateDer<'static>>, PrivateKeyDer<'static>);

fn certificate<P: BuilderProfile>(
    profile: P, names: Vec<GeneralName>, key: &SecretKey<MlDsa65>, issuer: &SecretKey<MlDsa65>,
) -> CertificateDer<'static> {
    let validity = Validity::from_now(Duration::from_secs(3600)).expect("a time");
    let key = SubjectPublicKeyInfoOwned::from_key(key.public_key()).expect("a key");
    let mut builder = CertificateBuilder::new(profile, SerialNumber::from(1u32), validity, key).expect("a builder");
    if !names.is_empty() {
        builder.add_extension(&SubjectAltName(names)).expect("an extension");
    }
    let certificate = builder.build::<_, girih::ml_dsa_65::Signature>(issuer).expect("a certificate");
    certificate.to_der().expect("DER").into()
}

/// A root, and a server's certificate and key, by ML-DSA-65.
fn chain() -> (RootCertStore, Chain) {
    let [root, server] = [1, 2].map(|seed| SecretKey::<MlDsa65>::from_seed(&[seed; 32]).expect("a key"));
    let issuer = Name::from_str("CN=Root,O=Example,C=NL").expect("a name");
    let names = vec![GeneralName::DnsName(Ia5String::new("localhost").expect("a name"))];
    let of_server = cabf::tls::Subscriber {
        certificate_type: cabf::tls::CertificateType::domain_validated(Name::default(), names.clone()).expect("a type"),
        issuer: issuer.clone(),
        client_auth: false,
    };
    let mut roots = RootCertStore::empty();
    let of_root = cabf::Root::new(false, issuer).expect("a profile");
    roots.add(certificate(of_root, vec![], &root, &root)).expect("a root");
    let key = server.to_pkcs8_der().expect("PKCS#8").as_bytes().to_vec();
    (roots, (vec![certificate(of_server, names, &server, &root)], PrivateKeyDer::Pkcs8(key.into())))
}

fn client(provider: CryptoProvider, roots: &RootCertStore) -> ClientConfig {
    let builder = ClientConfig::builder_with_provider(provider.into()).with_safe_default_protocol_versions();
    let mut config = builder.expect("TLS 1.3").with_root_certificates(roots.clone()).with_no_client_auth();
    config.resumption = Resumption::disabled();
    config
}

fn server(provider: CryptoProvider, (certificates, key): Chain) -> Result<ServerConfig, Error> {
    let builder = ServerConfig::builder_with_provider(provider.into()).with_safe_default_protocol_versions()?;
    builder.with_no_client_auth().with_single_cert(certificates, key)
}

/// A handshake in memory, and its group.
fn handshake(client: &Arc<ClientConfig>, server: &Arc<ServerConfig>) -> Result<NamedGroup, Error> {
    let name = ServerName::try_from("localhost").expect("a name");
    let (mut client, mut server) =
        (ClientConnection::new(client.clone(), name)?, ServerConnection::new(server.clone())?);
    while client.is_handshaking() || server.is_handshaking() {
        let mut wire = Vec::new();
        client.write_tls(&mut wire).expect("a vector");
        server.read_tls(&mut &wire[..]).expect("a slice");
        server.process_new_packets()?;
        wire.clear();
        server.write_tls(&mut wire).expect("a vector");
        let mut wire = &wire[..];
        while !wire.is_empty() {
            client.read_tls(&mut wire).expect("a slice");
            client.process_new_packets()?;
        }
    }
    Ok(client.negotiated_key_exchange_group().expect("a group").name())
}

fn peer() -> CryptoProvider {
    let kx_groups = vec![aws_lc_rs::kx_group::X25519MLKEM768, aws_lc_rs::kx_group::X25519];
    CryptoProvider { kx_groups, ..aws_lc_rs::default_provider() }
}

#[test]
fn both_sides_agree_with_each_other_and_with_aws_lc() {
    let (roots, chain) = chain();
    let (own, other) = (girih_rustls::provider, peer as fn() -> CryptoProvider);
    for (of_client, of_server) in
        [(own as fn() -> CryptoProvider, own as fn() -> CryptoProvider), (own, other), (other, own)]
    {
        let chain = (chain.0.clone(), chain.1.clone_key());
        let (client, server) = (client(of_client(), &roots).into(), server(of_server(), chain).expect("a key").into());
        assert_eq!(handshake(&client, &server), Ok(NamedGroup::X25519MLKEM768));
    }
}

#[test]
fn a_server_without_ml_kem_gets_x25519() {
    let (roots, chain) = chain();
    let classical = CryptoProvider { kx_groups: ring::default_provider().kx_groups, ..girih_rustls::provider() };
    let (client, server) = (client(girih_rustls::provider(), &roots), server(classical, chain).expect("a key"));
    assert_eq!(handshake(&client.into(), &server.into()), Ok(NamedGroup::X25519));
}

#[test]
fn forged_certificates_other_keys_and_bad_shares_are_refused() {
    let (roots, (certificates, key)) = chain();
    let mut forged = certificates[0].to_vec();
    *forged.last_mut().expect("a byte") ^= 1; // of the root's signature
    let server_of_forged = server(girih_rustls::provider(), (vec![forged.into()], key)).expect("a key");
    let refused = handshake(&client(girih_rustls::provider(), &roots).into(), &server_of_forged.into());
    assert!(refused.as_ref().is_err_and(|error| error.to_string().contains("BadSignature")), "{refused:?}");

    let other = SecretKey::<MlDsa65>::generate().expect("a key").to_pkcs8_der().expect("PKCS#8").as_bytes().to_vec();
    let mismatch = server(girih_rustls::provider(), (certificates, PrivateKeyDer::Pkcs8(other.into())));
    assert!(matches!(mismatch, Err(Error::InconsistentKeys(_))));

    let group = girih_rustls::provider().kx_groups[0];
    for share in [&[0xff; 1216][..], &[0; 1215], &[]] {
        assert!(group.start_and_complete(share).is_err(), "{} bytes", share.len());
    }
    assert!(group.start().expect("a share").complete(&[0; 1119]).is_err());
}

/// Milliseconds of a handshake, both sides: make rustls ARGS="-- --ignored --nocapture"
#[test]
#[ignore = "a measurement"]
fn speed() {
    let (roots, chain) = chain();
    let configs = [girih_rustls::provider(), peer()].map(|provider| {
        let chain = (chain.0.clone(), chain.1.clone_key());
        (Arc::new(client(provider.clone(), &roots)), Arc::new(server(provider, chain).expect("a key")))
    });
    let mut times = [vec![], vec![]];
    for round in 0..600 {
        let (start, (client, server)) = (Instant::now(), &configs[round % 2]);
        handshake(client, server).expect("a handshake");
        times[round % 2].push(start.elapsed());
    }
    let [girih, aws_lc] = times.map(|mut times| {
        times.sort();
        times[times.len() / 2].as_secs_f64() * 1e3
    });
    println!("a handshake: girih {girih:.3} ms, aws-lc-rs {aws_lc:.3} ms, ratio {:.2}", aws_lc / girih);
}
