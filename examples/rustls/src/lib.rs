//! A `CryptoProvider` for rustls: certificates by ML-DSA and the key exchange X25519MLKEM768 by
//! girih, and everything else by ring.

use std::fmt;
use std::marker::PhantomData;
use std::sync::{Arc, LazyLock};

use girih::ml_dsa_44::MlDsa44;
use girih::ml_dsa_65::MlDsa65;
use girih::ml_dsa_87::MlDsa87;
use girih::{Decapsulating, Encapsulating, Options, Signing, Verifying, ml_kem_768};
use girih::{PreparedSigningKey, PublicKey, SecretKey, Signature, SignatureAlgorithm};
use pkcs8::{AssociatedOid, DecodePrivateKey};
use rustls::crypto::{ActiveKeyExchange, CompletedKeyExchange, SharedSecret, SupportedKxGroup};
use rustls::crypto::{CryptoProvider, KeyProvider, WebPkiSupportedAlgorithms, ring};
use rustls::pki_types::{AlgorithmIdentifier, InvalidSignature, PrivateKeyDer, SignatureVerificationAlgorithm};
use rustls::pki_types::{SubjectPublicKeyInfoDer, alg_id};
use rustls::sign::{Signer, SigningKey, public_key_to_spki};
use rustls::{Error, NamedGroup, PeerMisbehaved, ProtocolVersion, SignatureScheme};

/// ML-DSA and X25519MLKEM768 first, then what ring's provider has.
pub fn provider() -> CryptoProvider {
    let ring = ring::default_provider();
    let mut kx_groups: Vec<&dyn SupportedKxGroup> = vec![&X25519MlKem768];
    kx_groups.extend(&ring.kx_groups);
    CryptoProvider { kx_groups, signature_verification_algorithms: *VERIFIERS, key_provider: &Keys, ..ring }
}

fn failed(error: girih::Error) -> Error {
    Error::General(error.to_string())
}

/// ML-DSA as rustls calls it (RFC 9881, and draft-ietf-tls-mldsa for the scheme).
trait MlDsa: SignatureAlgorithm + AssociatedOid {
    const SCHEME: SignatureScheme;
    const ID: AlgorithmIdentifier;
}

macro_rules! ml_dsa {
    ($($algorithm:ident $name:ident;)*) => {$(
        impl MlDsa for $algorithm {
            const SCHEME: SignatureScheme = SignatureScheme::$name;
            const ID: AlgorithmIdentifier = alg_id::$name;
        }
    )*};
}
ml_dsa! { MlDsa44 ML_DSA_44; MlDsa65 ML_DSA_65; MlDsa87 ML_DSA_87; }

#[derive(Debug)]
struct Verifier<A>(PhantomData<A>);

impl<A: MlDsa> Verifier<A> {
    const LIST: &[&dyn SignatureVerificationAlgorithm] = &[&Self(PhantomData)];
}

impl<A: MlDsa> SignatureVerificationAlgorithm for Verifier<A> {
    fn verify_signature(&self, public_key: &[u8], message: &[u8], signature: &[u8]) -> Result<(), InvalidSignature> {
        let verified = PublicKey::<A>::from_bytes(public_key)
            .and_then(|key| key.verify_with(message, &Signature::from_bytes(signature)?, &Options::default()));
        verified.map_err(|_| InvalidSignature)
    }

    fn public_key_alg_id(&self) -> AlgorithmIdentifier {
        A::ID
    }

    fn signature_alg_id(&self) -> AlgorithmIdentifier {
        A::ID
    }
}

static VERIFIERS: LazyLock<WebPkiSupportedAlgorithms> = LazyLock::new(|| {
    let (ring, own) = (
        ring::default_provider().signature_verification_algorithms,
        [
            (MlDsa44::SCHEME, Verifier::<MlDsa44>::LIST),
            (MlDsa65::SCHEME, Verifier::<MlDsa65>::LIST),
            (MlDsa87::SCHEME, Verifier::<MlDsa87>::LIST),
        ],
    );
    let all = own.iter().flat_map(|(_, list)| *list).chain(ring.all).copied().collect::<Vec<_>>();
    WebPkiSupportedAlgorithms { all: all.leak(), mapping: [&own, ring.mapping].concat().leak() }
});

/// Private keys in PKCS#8: those of ML-DSA, or whatever ring reads.
#[derive(Debug)]
struct Keys;

impl KeyProvider for Keys {
    fn load_private_key(&self, key: PrivateKeyDer<'static>) -> Result<Arc<dyn SigningKey>, Error> {
        let own = load::<MlDsa65>(&key).or_else(|| load::<MlDsa87>(&key)).or_else(|| load::<MlDsa44>(&key));
        own.unwrap_or_else(|| ring::default_provider().key_provider.load_private_key(key))
    }
}

fn load<A: MlDsa>(key: &PrivateKeyDer<'_>) -> Option<Result<Arc<dyn SigningKey>, Error>> {
    let key = SecretKey::<A>::from_pkcs8_der(key.secret_der()).ok()?;
    let public = public_key_to_spki(&A::ID, key.public_key());
    Some(key.prepare().map_err(failed).map(|key| -> Arc<dyn SigningKey> { Arc::new(Key { key: key.into(), public }) }))
}

#[derive(Clone)]
struct Key<A: MlDsa> {
    key: Arc<PreparedSigningKey<A>>,
    public: SubjectPublicKeyInfoDer<'static>,
}

impl<A: MlDsa> fmt::Debug for Key<A> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.key.fmt(f)
    }
}

impl<A: MlDsa> SigningKey for Key<A> {
    fn choose_scheme(&self, offered: &[SignatureScheme]) -> Option<Box<dyn Signer>> {
        offered.contains(&A::SCHEME).then(|| -> Box<dyn Signer> { Box::new(self.clone()) })
    }

    fn public_key(&self) -> Option<SubjectPublicKeyInfoDer<'_>> {
        Some(self.public.clone())
    }

    fn algorithm(&self) -> rustls::SignatureAlgorithm {
        rustls::SignatureAlgorithm::Unknown(0) // of TLS 1.2, which has no ML-DSA
    }
}

impl<A: MlDsa> Signer for Key<A> {
    fn sign(&self, message: &[u8]) -> Result<Vec<u8>, Error> {
        let signature = self.key.sign_with(message, &Options::default()).map_err(failed)?;
        Ok(signature.as_bytes().to_vec())
    }

    fn scheme(&self) -> SignatureScheme {
        A::SCHEME
    }
}

/// ML-KEM-768, then X25519 (draft-ietf-tls-ecdhe-mlkem).
#[derive(Debug)]
struct X25519MlKem768;

/// Bytes of ML-KEM-768's part of the client's and of the server's share.
const CLIENT_BYTES: usize = 1184;
const SERVER_BYTES: usize = 1088;

fn split(share: &[u8], bytes: usize) -> Result<(&[u8], &[u8]), Error> {
    share.split_at_checked(bytes).ok_or(PeerMisbehaved::InvalidKeyShare.into())
}

fn joined(kem: girih::SharedSecret, classical: SharedSecret) -> SharedSecret {
    [&kem.as_bytes()[..], classical.secret_bytes()].concat().into()
}

impl SupportedKxGroup for X25519MlKem768 {
    fn start(&self) -> Result<Box<dyn ActiveKeyExchange>, Error> {
        let (kem, classical) =
            (ml_kem_768::DecapsulationKey::generate().map_err(failed)?, ring::kx_group::X25519.start()?);
        let share = [kem.public_key().as_bytes(), classical.pub_key()].concat();
        Ok(Box::new(Exchange { kem, classical, share }))
    }

    fn start_and_complete(&self, share: &[u8]) -> Result<CompletedKeyExchange, Error> {
        let (key, peer) = split(share, CLIENT_BYTES)?;
        let key = ml_kem_768::EncapsulationKey::from_bytes(key).map_err(failed)?;
        let (ciphertext, secret) = key.encap().map_err(|_| PeerMisbehaved::InvalidKeyShare)?;
        let classical = ring::kx_group::X25519.start_and_complete(peer)?;
        let pub_key = [&ciphertext[..], &classical.pub_key].concat();
        Ok(CompletedKeyExchange { group: self.name(), pub_key, secret: joined(secret, classical.secret) })
    }

    fn name(&self) -> NamedGroup {
        NamedGroup::X25519MLKEM768
    }

    fn usable_for_version(&self, version: ProtocolVersion) -> bool {
        version == ProtocolVersion::TLSv1_3
    }
}

struct Exchange {
    kem: ml_kem_768::DecapsulationKey,
    classical: Box<dyn ActiveKeyExchange>,
    share: Vec<u8>,
}

impl ActiveKeyExchange for Exchange {
    fn complete(self: Box<Self>, share: &[u8]) -> Result<SharedSecret, Error> {
        let (ciphertext, peer) = split(share, SERVER_BYTES)?;
        let secret = self.kem.decap(ciphertext).map_err(failed)?;
        Ok(joined(secret, self.classical.complete(peer)?))
    }

    fn pub_key(&self) -> &[u8] {
        &self.share
    }

    fn group(&self) -> NamedGroup {
        NamedGroup::X25519MLKEM768
    }

    // A server without ML-KEM takes the classical share.
    fn hybrid_component(&self) -> Option<(NamedGroup, &[u8])> {
        Some((self.classical.group(), self.classical.pub_key()))
    }

    fn complete_hybrid_component(self: Box<Self>, share: &[u8]) -> Result<SharedSecret, Error> {
        self.classical.complete(share)
    }
}
