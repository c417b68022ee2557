//! PKCS#8 private keys and SubjectPublicKeyInfo public keys of ML-DSA (RFC 9881) and ML-KEM (RFC
//! 9935).

use pkcs8::der::asn1::{AnyRef, BitString, BitStringRef, OctetStringRef};
use pkcs8::der::{Decode, Encode, Reader, SliceReader, Tag, TagMode, TagNumber, asn1::ContextSpecific};
use pkcs8::spki::{self, AlgorithmIdentifier, SubjectPublicKeyInfo, SubjectPublicKeyInfoRef};
use pkcs8::spki::{SignatureAlgorithmIdentifier, SignatureBitStringEncoding};
use pkcs8::{
    AssociatedOid, Document, EncodePrivateKey, EncodePublicKey, KeyError, ObjectIdentifier, PrivateKeyInfo,
    PrivateKeyInfoRef, SecretDocument,
};
use zeroize::Zeroizing;

use crate::algorithms::*;
use crate::keys::array;
use crate::{Algorithm, PublicKey, SecretKey, Signature, SignatureAlgorithm};

macro_rules! identifiers {
    ($($module:ident::$marker:ident $oid:literal;)*) => {$(
        impl AssociatedOid for $module::$marker {
            const OID: ObjectIdentifier = ObjectIdentifier::new_unwrap($oid);
        }
    )*};
}

identifiers! {
    // facts: identifiers
ml_dsa_44::MlDsa44 "2.16.840.1.101.3.4.3.17";
ml_dsa_65::MlDsa65 "2.16.840.1.101.3.4.3.18";
ml_dsa_87::MlDsa87 "2.16.840.1.101.3.4.3.19";
ml_kem_512::MlKem512 "2.16.840.1.101.3.4.4.1";
ml_kem_768::MlKem768 "2.16.840.1.101.3.4.4.2";
ml_kem_1024::MlKem1024 "2.16.840.1.101.3.4.4.3";
    // facts: end
}

const SEED: TagNumber = TagNumber(0);

/// The key of its seed, if it has one, else its expanded form.
impl<A: Algorithm + AssociatedOid> EncodePrivateKey for SecretKey<A> {
    fn to_pkcs8_der(&self) -> pkcs8::Result<SecretDocument> {
        let content = Zeroizing::new(match self.seed() {
            Some(seed) => {
                let value = OctetStringRef::new(seed.as_ref())?;
                ContextSpecific { tag_number: SEED, tag_mode: TagMode::Implicit, value }.to_der()?
            }
            None => OctetStringRef::new(self.bytes.as_ref())?.to_der()?,
        });
        let algorithm = AlgorithmIdentifier { oid: A::OID, parameters: None };
        let info: PrivateKeyInfoRef<'_> = PrivateKeyInfo::new(algorithm, OctetStringRef::new(&content)?);
        Ok(SecretDocument::encode_msg(&info)?)
    }
}

/// ML-DSA-44-PrivateKey and its like: a seed, an expanded key, or both, which have to agree.
impl<A: Algorithm + AssociatedOid> TryFrom<PrivateKeyInfoRef<'_>> for SecretKey<A> {
    type Error = pkcs8::Error;

    fn try_from(info: PrivateKeyInfoRef<'_>) -> pkcs8::Result<Self> {
        info.algorithm.assert_algorithm_oid(A::OID)?;
        if info.algorithm.parameters.is_some() {
            return Err(pkcs8::Error::ParametersMalformed);
        }
        let mut content = SliceReader::new(info.private_key.as_bytes())?;
        let key = match Tag::peek(&content)? {
            Tag::OctetString => of_expanded(<&OctetStringRef>::decode(&mut content)?),
            Tag::Sequence => content.sequence(|both: &mut SliceReader<'_>| {
                let (seed, expanded) = (<&OctetStringRef>::decode(both)?, <&OctetStringRef>::decode(both)?);
                let key = of_seed::<A>(seed)?;
                let agrees = same(expanded.as_bytes(), key.bytes.as_ref());
                if agrees { Ok(key) } else { Err(KeyError::Invalid.into()) }
            }),
            _ => match content.context_specific::<&OctetStringRef>(SEED, TagMode::Implicit)? {
                Some(seed) => of_seed(seed),
                None => Err(KeyError::Invalid.into()),
            },
        }?;
        content.finish()?;
        match info.public_key.map(|bits| bits.as_bytes() == Some(key.public.as_ref())) {
            Some(false) => Err(KeyError::Invalid.into()),
            _ => Ok(key),
        }
    }
}

fn of_seed<A: Algorithm>(seed: &OctetStringRef) -> pkcs8::Result<SecretKey<A>> {
    let seed = array::<A, A::Seed>("seed", seed.as_bytes()).map_err(|_| KeyError::Invalid)?;
    let seed = Zeroizing::new(seed);
    Ok(SecretKey::from_seed(&*seed).map_err(|_| KeyError::Invalid)?)
}

fn of_expanded<A: Algorithm>(bytes: &OctetStringRef) -> pkcs8::Result<SecretKey<A>> {
    Ok(SecretKey::from_bytes(bytes.as_bytes()).map_err(|_| KeyError::Invalid)?)
}

/// Whether two secrets are equal. Constant time, but for their lengths and the verdict.
fn same(a: &[u8], b: &[u8]) -> bool {
    let difference = a.iter().zip(b).fold(0, |all, (a, b)| all | core::hint::black_box(a ^ b));
    a.len() == b.len() && difference == 0
}

impl<A: Algorithm + AssociatedOid> EncodePublicKey for PublicKey<A> {
    fn to_public_key_der(&self) -> spki::Result<Document> {
        let algorithm: spki::AlgorithmIdentifierRef<'_> = AlgorithmIdentifier { oid: A::OID, parameters: None };
        let subject_public_key = BitStringRef::from_bytes(self.as_ref())?;
        SubjectPublicKeyInfo { algorithm, subject_public_key }.try_into()
    }
}

impl<A: Algorithm + AssociatedOid> TryFrom<SubjectPublicKeyInfoRef<'_>> for PublicKey<A> {
    type Error = spki::Error;

    fn try_from(info: SubjectPublicKeyInfoRef<'_>) -> spki::Result<Self> {
        info.algorithm.assert_algorithm_oid(A::OID)?;
        let bytes = info.subject_public_key.as_bytes().filter(|_| info.algorithm.parameters.is_none());
        bytes.and_then(|bytes| Self::from_bytes(bytes).ok()).ok_or(spki::Error::KeyMalformed)
    }
}

/// In certificates and requests, for ML-DSA (RFC 9881).
impl<A: SignatureAlgorithm + AssociatedOid> SignatureAlgorithmIdentifier for SecretKey<A> {
    type Params = AnyRef<'static>;
    const SIGNATURE_ALGORITHM_IDENTIFIER: AlgorithmIdentifier<Self::Params> =
        AlgorithmIdentifier { oid: A::OID, parameters: None };
}

impl<A: SignatureAlgorithm> SignatureBitStringEncoding for Signature<A> {
    fn to_bitstring(&self) -> pkcs8::der::Result<BitString> {
        BitString::from_bytes(self.as_bytes())
    }
}
