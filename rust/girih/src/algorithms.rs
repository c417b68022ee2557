//! The algorithms: a module for each, with the types of its keys.

use core::fmt::Debug;

use girih_sys as sys;
use zeroize::Zeroize;

pub(crate) mod sealed {
    /// Implemented in this crate alone, whose unsafe code relies on what implementations say.
    pub trait Sealed {}
}

/// An array of bytes.
pub trait ByteArray:
    sealed::Sealed + AsRef<[u8]> + AsMut<[u8]> + Clone + Debug + Eq + Zeroize + Send + Sync + 'static
{
    /// All zeros.
    const ZERO: Self;
    /// The number of bytes.
    const BYTES: usize;
}

impl<const N: usize> sealed::Sealed for [u8; N] {}
impl<const N: usize> ByteArray for [u8; N] {
    const ZERO: Self = [0; N];
    const BYTES: usize = N;
}

/// An algorithm and parameter set.
pub trait Algorithm: sealed::Sealed + Copy + Debug + Default + Ord + Send + Sync + 'static {
    /// The name, as `girih.h` has it.
    const NAME: &'static str;
    /// Randomness from which a key pair is made. ML-KEM: d, then z.
    type Seed: ByteArray;
    /// An encoded public key.
    type PublicKey: ByteArray;
    /// An encoded secret key.
    type SecretKey: ByteArray;
    #[doc(hidden)]
    fn raw() -> *const sys::girih_alg;
}

/// A signature scheme.
pub trait SignatureAlgorithm: Algorithm {
    /// The longest signature.
    type Signature: ByteArray;
    /// Whether every signature is that long.
    const HAS_ONE_LENGTH: bool;
    /// The algorithm for verifying alone, where the library has one: on devices it keeps signing
    /// out of the program.
    #[doc(hidden)]
    fn raw_verifying() -> *const sys::girih_alg {
        Self::raw()
    }
}

/// A signature scheme with a message representative mu and deterministic signatures.
pub trait HasMu: SignatureAlgorithm {}

/// A key encapsulation mechanism.
pub trait KemAlgorithm: Algorithm {
    /// A ciphertext.
    type Ciphertext: ByteArray;
}

macro_rules! algorithm {
    ($marker:ident $function:ident $name:literal $seed:literal $public:literal $secret:literal) => {
        #[doc = concat!($name, ", as a type parameter.")]
        #[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $marker;

        impl crate::algorithms::sealed::Sealed for $marker {}
        impl crate::Algorithm for $marker {
            const NAME: &'static str = $name;
            type Seed = [u8; $seed];
            type PublicKey = [u8; $public];
            type SecretKey = [u8; $secret];

            fn raw() -> *const girih_sys::girih_alg {
                // SAFETY: returns a constant.
                unsafe { girih_sys::$function() }
            }
        }
    };
}

macro_rules! signature_algorithms {
    ($($module:ident $marker:ident $function:ident $verifying:ident $name:literal: $seed:literal $public:literal
       $secret:literal $signature:literal $one_length:literal;)*) => {$(
        #[doc = concat!($name, ": signatures.")]
        pub mod $module {
            algorithm!($marker $function $name $seed $public $secret);

            impl crate::SignatureAlgorithm for $marker {
                type Signature = [u8; $signature];
                const HAS_ONE_LENGTH: bool = $one_length;

                #[cfg(all(target_os = "none", any(target_arch = "arm", target_arch = "riscv32")))]
                fn raw_verifying() -> *const girih_sys::girih_alg {
                    unsafe extern "C" {
                        fn $verifying() -> *const girih_sys::girih_alg;
                    }
                    // SAFETY: returns a constant.
                    unsafe { $verifying() }
                }
            }

            #[doc = concat!("A key pair of ", $name, ".")]
            pub type SigningKey = crate::SecretKey<$marker>;
            #[doc = concat!("A public key of ", $name, ".")]
            pub type VerifyingKey = crate::PublicKey<$marker>;
            #[doc = concat!("A signature of ", $name, ".")]
            pub type Signature = crate::Signature<$marker>;
            #[doc = concat!("A key of ", $name, " for many signatures.")]
            #[cfg(feature = "alloc")]
            pub type PreparedSigningKey = crate::PreparedSigningKey<$marker>;
            #[doc = concat!("A public key of ", $name, " for many verifications.")]
            #[cfg(feature = "alloc")]
            pub type PreparedVerifyingKey = crate::PreparedVerifyingKey<$marker>;
        }
    )*};
}

macro_rules! kem_algorithms {
    ($($module:ident $marker:ident $function:ident $name:literal: $seed:literal $public:literal $secret:literal
       $ciphertext:literal;)*) => {$(
        #[doc = concat!($name, ": key encapsulation.")]
        pub mod $module {
            algorithm!($marker $function $name $seed $public $secret);

            impl crate::KemAlgorithm for $marker {
                type Ciphertext = [u8; $ciphertext];
            }

            #[doc = concat!("A key pair of ", $name, ".")]
            pub type DecapsulationKey = crate::SecretKey<$marker>;
            #[doc = concat!("A public key of ", $name, ".")]
            pub type EncapsulationKey = crate::PublicKey<$marker>;
            #[doc = concat!("A ciphertext of ", $name, ".")]
            pub type Ciphertext = [u8; $ciphertext];
        }
    )*};
}

// Module, type, functions, name: bytes of seed, public key, secret key, signature or ciphertext. A
// test compares them with the library.
signature_algorithms! {
    // facts: signatures
ml_dsa_44 MlDsa44 girih_ml_dsa_44 girih_ml_dsa_44_verifying "ML-DSA-44": 32 1312 2560 2420 true;
ml_dsa_65 MlDsa65 girih_ml_dsa_65 girih_ml_dsa_65_verifying "ML-DSA-65": 32 1952 4032 3309 true;
ml_dsa_87 MlDsa87 girih_ml_dsa_87 girih_ml_dsa_87_verifying "ML-DSA-87": 32 2592 4896 4627 true;
dilithium2 Dilithium2 girih_dilithium2 girih_dilithium2_verifying "Dilithium2": 32 1312 2528 2420 true;
dilithium3 Dilithium3 girih_dilithium3 girih_dilithium3_verifying "Dilithium3": 32 1952 4000 3293 true;
dilithium5 Dilithium5 girih_dilithium5 girih_dilithium5_verifying "Dilithium5": 32 2592 4864 4595 true;
falcon_512 Falcon512 girih_falcon_512 girih_falcon_512_verifying "Falcon-512": 48 897 1281 752 false;
falcon_1024 Falcon1024 girih_falcon_1024 girih_falcon_1024_verifying "Falcon-1024": 48 1793 2305 1462 false;
falcon_padded_512 FalconPadded512 girih_falcon_padded_512 girih_falcon_padded_512_verifying "Falcon-padded-512": 48 897 1281 666 true;
falcon_padded_1024 FalconPadded1024 girih_falcon_padded_1024 girih_falcon_padded_1024_verifying "Falcon-padded-1024": 48 1793 2305 1280 true;
falcon_ct_512 FalconCt512 girih_falcon_ct_512 girih_falcon_ct_512_verifying "Falcon-CT-512": 48 897 1281 809 true;
falcon_ct_1024 FalconCt1024 girih_falcon_ct_1024 girih_falcon_ct_1024_verifying "Falcon-CT-1024": 48 1793 2305 1577 true;
    // facts: end
}

kem_algorithms! {
    // facts: kems
ml_kem_512 MlKem512 girih_ml_kem_512 "ML-KEM-512": 64 800 1632 768;
ml_kem_768 MlKem768 girih_ml_kem_768 "ML-KEM-768": 64 1184 2400 1088;
ml_kem_1024 MlKem1024 girih_ml_kem_1024 "ML-KEM-1024": 64 1568 3168 1568;
sntrup653 Sntrup653 girih_sntrup653 "sntrup653": 32 994 1518 897;
sntrup761 Sntrup761 girih_sntrup761 "sntrup761": 32 1158 1763 1039;
sntrup857 Sntrup857 girih_sntrup857 "sntrup857": 32 1322 1999 1184;
sntrup953 Sntrup953 girih_sntrup953 "sntrup953": 32 1505 2254 1349;
sntrup1013 Sntrup1013 girih_sntrup1013 "sntrup1013": 32 1623 2417 1455;
sntrup1277 Sntrup1277 girih_sntrup1277 "sntrup1277": 32 2067 3059 1847;
ntrulpr653 Ntrulpr653 girih_ntrulpr653 "ntrulpr653": 32 897 1125 1025;
ntrulpr761 Ntrulpr761 girih_ntrulpr761 "ntrulpr761": 32 1039 1294 1167;
ntrulpr857 Ntrulpr857 girih_ntrulpr857 "ntrulpr857": 32 1184 1463 1312;
ntrulpr953 Ntrulpr953 girih_ntrulpr953 "ntrulpr953": 32 1349 1652 1477;
ntrulpr1013 Ntrulpr1013 girih_ntrulpr1013 "ntrulpr1013": 32 1455 1773 1583;
ntrulpr1277 Ntrulpr1277 girih_ntrulpr1277 "ntrulpr1277": 32 1847 2231 1975;
    // facts: end
}

macro_rules! with_mu {
    ($($module:ident::$marker:ident)*) => { $(impl HasMu for $module::$marker {})* };
}
with_mu! {
    // facts: with mu
ml_dsa_44::MlDsa44 ml_dsa_65::MlDsa65 ml_dsa_87::MlDsa87 dilithium2::Dilithium2 dilithium3::Dilithium3 dilithium5::Dilithium5
    // facts: end
}
