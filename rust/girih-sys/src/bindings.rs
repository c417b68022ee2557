// Written by tests/header.rs from girih.h.
pub const GIRIH_VERSION_MAJOR: usize = 0;
pub const GIRIH_VERSION_MINOR: usize = 2;
pub const GIRIH_VERSION_PATCH: usize = 0;
pub const GIRIH_ML_DSA_44_SEED_BYTES: usize = 32;
pub const GIRIH_ML_DSA_44_PUBLIC_KEY_BYTES: usize = 1312;
pub const GIRIH_ML_DSA_44_SECRET_KEY_BYTES: usize = 2560;
pub const GIRIH_ML_DSA_44_SIGNATURE_BYTES: usize = 2420;
pub const GIRIH_ML_DSA_65_SEED_BYTES: usize = 32;
pub const GIRIH_ML_DSA_65_PUBLIC_KEY_BYTES: usize = 1952;
pub const GIRIH_ML_DSA_65_SECRET_KEY_BYTES: usize = 4032;
pub const GIRIH_ML_DSA_65_SIGNATURE_BYTES: usize = 3309;
pub const GIRIH_ML_DSA_87_SEED_BYTES: usize = 32;
pub const GIRIH_ML_DSA_87_PUBLIC_KEY_BYTES: usize = 2592;
pub const GIRIH_ML_DSA_87_SECRET_KEY_BYTES: usize = 4896;
pub const GIRIH_ML_DSA_87_SIGNATURE_BYTES: usize = 4627;
pub const GIRIH_DILITHIUM2_SEED_BYTES: usize = 32;
pub const GIRIH_DILITHIUM2_PUBLIC_KEY_BYTES: usize = 1312;
pub const GIRIH_DILITHIUM2_SECRET_KEY_BYTES: usize = 2528;
pub const GIRIH_DILITHIUM2_SIGNATURE_BYTES: usize = 2420;
pub const GIRIH_DILITHIUM3_SEED_BYTES: usize = 32;
pub const GIRIH_DILITHIUM3_PUBLIC_KEY_BYTES: usize = 1952;
pub const GIRIH_DILITHIUM3_SECRET_KEY_BYTES: usize = 4000;
pub const GIRIH_DILITHIUM3_SIGNATURE_BYTES: usize = 3293;
pub const GIRIH_DILITHIUM5_SEED_BYTES: usize = 32;
pub const GIRIH_DILITHIUM5_PUBLIC_KEY_BYTES: usize = 2592;
pub const GIRIH_DILITHIUM5_SECRET_KEY_BYTES: usize = 4864;
pub const GIRIH_DILITHIUM5_SIGNATURE_BYTES: usize = 4595;
pub const GIRIH_FALCON_512_SEED_BYTES: usize = 48;
pub const GIRIH_FALCON_512_PUBLIC_KEY_BYTES: usize = 897;
pub const GIRIH_FALCON_512_SECRET_KEY_BYTES: usize = 1281;
pub const GIRIH_FALCON_512_SIGNATURE_BYTES: usize = 752;
pub const GIRIH_FALCON_1024_SEED_BYTES: usize = 48;
pub const GIRIH_FALCON_1024_PUBLIC_KEY_BYTES: usize = 1793;
pub const GIRIH_FALCON_1024_SECRET_KEY_BYTES: usize = 2305;
pub const GIRIH_FALCON_1024_SIGNATURE_BYTES: usize = 1462;
pub const GIRIH_FALCON_PADDED_512_SEED_BYTES: usize = 48;
pub const GIRIH_FALCON_PADDED_512_PUBLIC_KEY_BYTES: usize = 897;
pub const GIRIH_FALCON_PADDED_512_SECRET_KEY_BYTES: usize = 1281;
pub const GIRIH_FALCON_PADDED_512_SIGNATURE_BYTES: usize = 666;
pub const GIRIH_FALCON_PADDED_1024_SEED_BYTES: usize = 48;
pub const GIRIH_FALCON_PADDED_1024_PUBLIC_KEY_BYTES: usize = 1793;
pub const GIRIH_FALCON_PADDED_1024_SECRET_KEY_BYTES: usize = 2305;
pub const GIRIH_FALCON_PADDED_1024_SIGNATURE_BYTES: usize = 1280;
pub const GIRIH_FALCON_CT_512_SEED_BYTES: usize = 48;
pub const GIRIH_FALCON_CT_512_PUBLIC_KEY_BYTES: usize = 897;
pub const GIRIH_FALCON_CT_512_SECRET_KEY_BYTES: usize = 1281;
pub const GIRIH_FALCON_CT_512_SIGNATURE_BYTES: usize = 809;
pub const GIRIH_FALCON_CT_1024_SEED_BYTES: usize = 48;
pub const GIRIH_FALCON_CT_1024_PUBLIC_KEY_BYTES: usize = 1793;
pub const GIRIH_FALCON_CT_1024_SECRET_KEY_BYTES: usize = 2305;
pub const GIRIH_FALCON_CT_1024_SIGNATURE_BYTES: usize = 1577;
pub const GIRIH_ML_KEM_512_SEED_BYTES: usize = 64;
pub const GIRIH_ML_KEM_512_PUBLIC_KEY_BYTES: usize = 800;
pub const GIRIH_ML_KEM_512_SECRET_KEY_BYTES: usize = 1632;
pub const GIRIH_ML_KEM_512_CIPHERTEXT_BYTES: usize = 768;
pub const GIRIH_ML_KEM_768_SEED_BYTES: usize = 64;
pub const GIRIH_ML_KEM_768_PUBLIC_KEY_BYTES: usize = 1184;
pub const GIRIH_ML_KEM_768_SECRET_KEY_BYTES: usize = 2400;
pub const GIRIH_ML_KEM_768_CIPHERTEXT_BYTES: usize = 1088;
pub const GIRIH_ML_KEM_1024_SEED_BYTES: usize = 64;
pub const GIRIH_ML_KEM_1024_PUBLIC_KEY_BYTES: usize = 1568;
pub const GIRIH_ML_KEM_1024_SECRET_KEY_BYTES: usize = 3168;
pub const GIRIH_ML_KEM_1024_CIPHERTEXT_BYTES: usize = 1568;
pub const GIRIH_SNTRUP653_SEED_BYTES: usize = 32;
pub const GIRIH_SNTRUP653_PUBLIC_KEY_BYTES: usize = 994;
pub const GIRIH_SNTRUP653_SECRET_KEY_BYTES: usize = 1518;
pub const GIRIH_SNTRUP653_CIPHERTEXT_BYTES: usize = 897;
pub const GIRIH_SNTRUP761_SEED_BYTES: usize = 32;
pub const GIRIH_SNTRUP761_PUBLIC_KEY_BYTES: usize = 1158;
pub const GIRIH_SNTRUP761_SECRET_KEY_BYTES: usize = 1763;
pub const GIRIH_SNTRUP761_CIPHERTEXT_BYTES: usize = 1039;
pub const GIRIH_SNTRUP857_SEED_BYTES: usize = 32;
pub const GIRIH_SNTRUP857_PUBLIC_KEY_BYTES: usize = 1322;
pub const GIRIH_SNTRUP857_SECRET_KEY_BYTES: usize = 1999;
pub const GIRIH_SNTRUP857_CIPHERTEXT_BYTES: usize = 1184;
pub const GIRIH_SNTRUP953_SEED_BYTES: usize = 32;
pub const GIRIH_SNTRUP953_PUBLIC_KEY_BYTES: usize = 1505;
pub const GIRIH_SNTRUP953_SECRET_KEY_BYTES: usize = 2254;
pub const GIRIH_SNTRUP953_CIPHERTEXT_BYTES: usize = 1349;
pub const GIRIH_SNTRUP1013_SEED_BYTES: usize = 32;
pub const GIRIH_SNTRUP1013_PUBLIC_KEY_BYTES: usize = 1623;
pub const GIRIH_SNTRUP1013_SECRET_KEY_BYTES: usize = 2417;
pub const GIRIH_SNTRUP1013_CIPHERTEXT_BYTES: usize = 1455;
pub const GIRIH_SNTRUP1277_SEED_BYTES: usize = 32;
pub const GIRIH_SNTRUP1277_PUBLIC_KEY_BYTES: usize = 2067;
pub const GIRIH_SNTRUP1277_SECRET_KEY_BYTES: usize = 3059;
pub const GIRIH_SNTRUP1277_CIPHERTEXT_BYTES: usize = 1847;
pub const GIRIH_NTRULPR653_SEED_BYTES: usize = 32;
pub const GIRIH_NTRULPR653_PUBLIC_KEY_BYTES: usize = 897;
pub const GIRIH_NTRULPR653_SECRET_KEY_BYTES: usize = 1125;
pub const GIRIH_NTRULPR653_CIPHERTEXT_BYTES: usize = 1025;
pub const GIRIH_NTRULPR761_SEED_BYTES: usize = 32;
pub const GIRIH_NTRULPR761_PUBLIC_KEY_BYTES: usize = 1039;
pub const GIRIH_NTRULPR761_SECRET_KEY_BYTES: usize = 1294;
pub const GIRIH_NTRULPR761_CIPHERTEXT_BYTES: usize = 1167;
pub const GIRIH_NTRULPR857_SEED_BYTES: usize = 32;
pub const GIRIH_NTRULPR857_PUBLIC_KEY_BYTES: usize = 1184;
pub const GIRIH_NTRULPR857_SECRET_KEY_BYTES: usize = 1463;
pub const GIRIH_NTRULPR857_CIPHERTEXT_BYTES: usize = 1312;
pub const GIRIH_NTRULPR953_SEED_BYTES: usize = 32;
pub const GIRIH_NTRULPR953_PUBLIC_KEY_BYTES: usize = 1349;
pub const GIRIH_NTRULPR953_SECRET_KEY_BYTES: usize = 1652;
pub const GIRIH_NTRULPR953_CIPHERTEXT_BYTES: usize = 1477;
pub const GIRIH_NTRULPR1013_SEED_BYTES: usize = 32;
pub const GIRIH_NTRULPR1013_PUBLIC_KEY_BYTES: usize = 1455;
pub const GIRIH_NTRULPR1013_SECRET_KEY_BYTES: usize = 1773;
pub const GIRIH_NTRULPR1013_CIPHERTEXT_BYTES: usize = 1583;
pub const GIRIH_NTRULPR1277_SEED_BYTES: usize = 32;
pub const GIRIH_NTRULPR1277_PUBLIC_KEY_BYTES: usize = 1847;
pub const GIRIH_NTRULPR1277_SECRET_KEY_BYTES: usize = 2231;
pub const GIRIH_NTRULPR1277_CIPHERTEXT_BYTES: usize = 1975;
pub const GIRIH_SHARED_SECRET_BYTES: usize = 32;
pub const GIRIH_MU_BYTES: usize = 64;
pub const GIRIH_PREPARED_ALIGNMENT: usize = 64;
pub const GIRIH_OK: c_int = 0;
pub const GIRIH_ERROR_ARGUMENT: c_int = -1;
pub const GIRIH_ERROR_LENGTH: c_int = -2;
pub const GIRIH_ERROR_CONTEXT: c_int = -3;
pub const GIRIH_ERROR_PRE_HASH: c_int = -4;
pub const GIRIH_ERROR_SECRET_KEY: c_int = -5;
pub const GIRIH_ERROR_KEY_MISMATCH: c_int = -6;
pub const GIRIH_ERROR_SIGNATURE: c_int = -7;
pub const GIRIH_ERROR_RANDOM: c_int = -8;
pub const GIRIH_ERROR_ATTEMPTS: c_int = -9;
pub const GIRIH_ERROR_ENGINE: c_int = -10;
pub const GIRIH_ERROR_PUBLIC_KEY: c_int = -11;
pub const GIRIH_ERROR_OVERLAP: c_int = -12;
pub const GIRIH_ERROR_FAULT: c_int = -13;
pub const GIRIH_ERROR_MEMORY: c_int = -14;
pub const GIRIH_ERROR_ALGORITHM: c_int = -15;
pub const GIRIH_ERROR_OPTION: c_int = -16;
pub const GIRIH_ERROR_ALIGNMENT: c_int = -17;
pub const GIRIH_ERROR_MESSAGE: c_int = -18;
pub const GIRIH_ERROR_PUBLIC_KEY_LENGTH: c_int = -19;
pub const GIRIH_ERROR_SECRET_KEY_LENGTH: c_int = -20;
pub const GIRIH_ERROR_CAPACITY: c_int = -21;
#[repr(C)]
pub struct girih_alg {
    opaque: [u8; 0],
}
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct girih_random {
    pub fill: Option<unsafe extern "C" fn(state: *mut c_void, out: *mut u8, bytes: usize) -> c_int>,
    pub state: *mut c_void,
    pub piecewise: c_int,
}
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct girih_options {
    pub context: *const u8,
    pub context_bytes: usize,
    pub pre_hash: *const c_char,
    pub deterministic: c_int,
    pub random: *const girih_random,
    pub verify_after_sign: c_int,
    pub reserved: [usize; 2],
}
#[repr(C)]
pub struct girih_signing_key {
    opaque: [u8; 0],
}
#[repr(C)]
pub struct girih_verifying_key {
    opaque: [u8; 0],
}
#[repr(C)]
pub struct girih_encapsulation_key {
    opaque: [u8; 0],
}
#[repr(C)]
pub struct girih_decapsulation_key {
    opaque: [u8; 0],
}
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct girih_keygen_row {
    pub seed: *const u8,
    pub seed_bytes: usize,
    pub random: *const girih_random,
    pub public_key: *mut u8,
    pub public_key_bytes: usize,
    pub secret_key: *mut u8,
    pub secret_key_bytes: usize,
    pub result: c_int,
}
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct girih_sign_row {
    pub key: *const girih_signing_key,
    pub secret_key: *const u8,
    pub secret_key_bytes: usize,
    pub message: *const u8,
    pub message_bytes: usize,
    pub options: *const girih_options,
    pub signature: *mut u8,
    pub signature_capacity: usize,
    pub signature_bytes: usize,
    pub result: c_int,
}
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct girih_verify_row {
    pub key: *const girih_verifying_key,
    pub public_key: *const u8,
    pub public_key_bytes: usize,
    pub message: *const u8,
    pub message_bytes: usize,
    pub options: *const girih_options,
    pub signature: *const u8,
    pub signature_bytes: usize,
    pub result: c_int,
}
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct girih_encapsulate_row {
    pub key: *const girih_encapsulation_key,
    pub public_key: *const u8,
    pub public_key_bytes: usize,
    pub random: *const girih_random,
    pub ciphertext: *mut u8,
    pub ciphertext_bytes: usize,
    pub shared_secret: *mut u8,
    pub shared_secret_bytes: usize,
    pub result: c_int,
}
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct girih_decapsulate_row {
    pub key: *const girih_decapsulation_key,
    pub secret_key: *const u8,
    pub secret_key_bytes: usize,
    pub ciphertext: *const u8,
    pub ciphertext_bytes: usize,
    pub shared_secret: *mut u8,
    pub shared_secret_bytes: usize,
    pub result: c_int,
}
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct girih_message {
    pub opaque: [u64; 80],
}
unsafe extern "C" {
    pub fn girih_version() -> *const c_char;
    pub fn girih_error_text(error: c_int) -> *const c_char;
    pub fn girih_wipe(memory: *mut c_void, bytes: usize);
    pub fn girih_algorithm(name: *const c_char) -> *const girih_alg;
    pub fn girih_algorithm_at(index: usize) -> *const girih_alg;
    pub fn girih_ml_dsa_44() -> *const girih_alg;
    pub fn girih_ml_dsa_65() -> *const girih_alg;
    pub fn girih_ml_dsa_87() -> *const girih_alg;
    pub fn girih_dilithium2() -> *const girih_alg;
    pub fn girih_dilithium3() -> *const girih_alg;
    pub fn girih_dilithium5() -> *const girih_alg;
    pub fn girih_falcon_512() -> *const girih_alg;
    pub fn girih_falcon_1024() -> *const girih_alg;
    pub fn girih_falcon_padded_512() -> *const girih_alg;
    pub fn girih_falcon_padded_1024() -> *const girih_alg;
    pub fn girih_falcon_ct_512() -> *const girih_alg;
    pub fn girih_falcon_ct_1024() -> *const girih_alg;
    pub fn girih_ml_kem_512() -> *const girih_alg;
    pub fn girih_ml_kem_768() -> *const girih_alg;
    pub fn girih_ml_kem_1024() -> *const girih_alg;
    pub fn girih_sntrup653() -> *const girih_alg;
    pub fn girih_sntrup761() -> *const girih_alg;
    pub fn girih_sntrup857() -> *const girih_alg;
    pub fn girih_sntrup953() -> *const girih_alg;
    pub fn girih_sntrup1013() -> *const girih_alg;
    pub fn girih_sntrup1277() -> *const girih_alg;
    pub fn girih_ntrulpr653() -> *const girih_alg;
    pub fn girih_ntrulpr761() -> *const girih_alg;
    pub fn girih_ntrulpr857() -> *const girih_alg;
    pub fn girih_ntrulpr953() -> *const girih_alg;
    pub fn girih_ntrulpr1013() -> *const girih_alg;
    pub fn girih_ntrulpr1277() -> *const girih_alg;
    pub fn girih_name(alg: *const girih_alg) -> *const c_char;
    pub fn girih_seed_bytes(alg: *const girih_alg) -> usize;
    pub fn girih_public_key_bytes(alg: *const girih_alg) -> usize;
    pub fn girih_secret_key_bytes(alg: *const girih_alg) -> usize;
    pub fn girih_is_kem(alg: *const girih_alg) -> c_int;
    pub fn girih_signature_bytes(alg: *const girih_alg) -> usize;
    pub fn girih_ciphertext_bytes(alg: *const girih_alg) -> usize;
    pub fn girih_shared_secret_bytes(alg: *const girih_alg) -> usize;
    pub fn girih_has_context(alg: *const girih_alg) -> c_int;
    pub fn girih_has_mu(alg: *const girih_alg) -> c_int;
    pub fn girih_pre_hash_at(index: usize) -> *const c_char;
    pub fn girih_pre_hash_strength(name: *const c_char) -> usize;
    pub fn girih_engine() -> *const c_char;
    pub fn girih_engine_reason() -> *const c_char;
    pub fn girih_engine_at(index: usize) -> *const c_char;
    pub fn girih_keygen(alg: *const girih_alg, random: *const girih_random, public_key: *mut u8, public_key_bytes: usize, secret_key: *mut u8, secret_key_bytes: usize) -> c_int;
    pub fn girih_keygen_checked(alg: *const girih_alg, random: *const girih_random, public_key: *mut u8, public_key_bytes: usize, secret_key: *mut u8, secret_key_bytes: usize) -> c_int;
    pub fn girih_draw_seed(alg: *const girih_alg, random: *const girih_random, seed: *mut u8, seed_bytes: usize) -> c_int;
    pub fn girih_keygen_from_seed(alg: *const girih_alg, seed: *const u8, seed_bytes: usize, public_key: *mut u8, public_key_bytes: usize, secret_key: *mut u8, secret_key_bytes: usize) -> c_int;
    pub fn girih_falcon_reference_keygen(alg: *const girih_alg, seed: *const u8, seed_bytes: usize, public_key: *mut u8, public_key_bytes: usize, secret_key: *mut u8, secret_key_bytes: usize) -> c_int;
    pub fn girih_public_key(alg: *const girih_alg, secret_key: *const u8, secret_key_bytes: usize, public_key: *mut u8, public_key_bytes: usize) -> c_int;
    pub fn girih_sign(alg: *const girih_alg, secret_key: *const u8, secret_key_bytes: usize, message: *const u8, message_bytes: usize, options: *const girih_options, signature: *mut u8, signature_capacity: usize, signature_bytes: *mut usize) -> c_int;
    pub fn girih_verify(alg: *const girih_alg, public_key: *const u8, public_key_bytes: usize, message: *const u8, message_bytes: usize, options: *const girih_options, signature: *const u8, signature_bytes: usize) -> c_int;
    pub fn girih_sign_with_context(alg: *const girih_alg, secret_key: *const u8, secret_key_bytes: usize, context: *const u8, context_bytes: usize, message: *const u8, message_bytes: usize, signature: *mut u8, signature_capacity: usize, signature_bytes: *mut usize) -> c_int;
    pub fn girih_verify_with_context(alg: *const girih_alg, public_key: *const u8, public_key_bytes: usize, context: *const u8, context_bytes: usize, message: *const u8, message_bytes: usize, signature: *const u8, signature_bytes: usize) -> c_int;
    pub fn girih_sign_mu(alg: *const girih_alg, secret_key: *const u8, secret_key_bytes: usize, mu: *const u8, mu_bytes: usize, options: *const girih_options, signature: *mut u8, signature_capacity: usize, signature_bytes: *mut usize) -> c_int;
    pub fn girih_verify_mu(alg: *const girih_alg, public_key: *const u8, public_key_bytes: usize, mu: *const u8, mu_bytes: usize, signature: *const u8, signature_bytes: usize) -> c_int;
    pub fn girih_encapsulate(alg: *const girih_alg, random: *const girih_random, public_key: *const u8, public_key_bytes: usize, ciphertext: *mut u8, ciphertext_bytes: usize, shared_secret: *mut u8, shared_secret_bytes: usize) -> c_int;
    pub fn girih_decapsulate(alg: *const girih_alg, secret_key: *const u8, secret_key_bytes: usize, ciphertext: *const u8, ciphertext_bytes: usize, shared_secret: *mut u8, shared_secret_bytes: usize) -> c_int;
    pub fn girih_decapsulate_checked(alg: *const girih_alg, secret_key: *const u8, secret_key_bytes: usize, ciphertext: *const u8, ciphertext_bytes: usize, shared_secret: *mut u8, shared_secret_bytes: usize) -> c_int;
    pub fn girih_signing_key_size(alg: *const girih_alg) -> usize;
    pub fn girih_verifying_key_size(alg: *const girih_alg) -> usize;
    pub fn girih_prepare_signing_key(alg: *const girih_alg, secret_key: *const u8, secret_key_bytes: usize, memory: *mut c_void, memory_bytes: usize, key: *mut *mut girih_signing_key) -> c_int;
    pub fn girih_prepare_verifying_key(alg: *const girih_alg, public_key: *const u8, public_key_bytes: usize, memory: *mut c_void, memory_bytes: usize, key: *mut *mut girih_verifying_key) -> c_int;
    pub fn girih_wipe_signing_key(key: *mut girih_signing_key);
    pub fn girih_sign_prepared(key: *const girih_signing_key, message: *const u8, message_bytes: usize, options: *const girih_options, signature: *mut u8, signature_capacity: usize, signature_bytes: *mut usize) -> c_int;
    pub fn girih_sign_mu_prepared(key: *const girih_signing_key, mu: *const u8, mu_bytes: usize, options: *const girih_options, signature: *mut u8, signature_capacity: usize, signature_bytes: *mut usize) -> c_int;
    pub fn girih_verify_prepared(key: *const girih_verifying_key, message: *const u8, message_bytes: usize, options: *const girih_options, signature: *const u8, signature_bytes: usize) -> c_int;
    pub fn girih_verify_mu_prepared(key: *const girih_verifying_key, mu: *const u8, mu_bytes: usize, signature: *const u8, signature_bytes: usize) -> c_int;
    pub fn girih_sign_prepared_with_context(key: *const girih_signing_key, context: *const u8, context_bytes: usize, message: *const u8, message_bytes: usize, signature: *mut u8, signature_capacity: usize, signature_bytes: *mut usize) -> c_int;
    pub fn girih_verify_prepared_with_context(key: *const girih_verifying_key, context: *const u8, context_bytes: usize, message: *const u8, message_bytes: usize, signature: *const u8, signature_bytes: usize) -> c_int;
    pub fn girih_encapsulation_key_size(alg: *const girih_alg) -> usize;
    pub fn girih_decapsulation_key_size(alg: *const girih_alg) -> usize;
    pub fn girih_prepare_encapsulation_key(alg: *const girih_alg, public_key: *const u8, public_key_bytes: usize, memory: *mut c_void, memory_bytes: usize, key: *mut *mut girih_encapsulation_key) -> c_int;
    pub fn girih_prepare_decapsulation_key(alg: *const girih_alg, secret_key: *const u8, secret_key_bytes: usize, memory: *mut c_void, memory_bytes: usize, key: *mut *mut girih_decapsulation_key) -> c_int;
    pub fn girih_wipe_decapsulation_key(key: *mut girih_decapsulation_key);
    pub fn girih_encapsulate_prepared(key: *const girih_encapsulation_key, random: *const girih_random, ciphertext: *mut u8, ciphertext_bytes: usize, shared_secret: *mut u8, shared_secret_bytes: usize) -> c_int;
    pub fn girih_decapsulate_prepared(key: *const girih_decapsulation_key, ciphertext: *const u8, ciphertext_bytes: usize, shared_secret: *mut u8, shared_secret_bytes: usize) -> c_int;
    pub fn girih_keygen_many(alg: *const girih_alg, rows: *mut girih_keygen_row, count: usize) -> c_int;
    pub fn girih_sign_many(alg: *const girih_alg, rows: *mut girih_sign_row, count: usize) -> c_int;
    pub fn girih_verify_many(alg: *const girih_alg, rows: *mut girih_verify_row, count: usize) -> c_int;
    pub fn girih_encapsulate_many(alg: *const girih_alg, rows: *mut girih_encapsulate_row, count: usize) -> c_int;
    pub fn girih_decapsulate_many(alg: *const girih_alg, rows: *mut girih_decapsulate_row, count: usize) -> c_int;
    pub fn girih_message_begin(message: *mut girih_message, alg: *const girih_alg, public_key: *const u8, public_key_bytes: usize, options: *const girih_options) -> c_int;
    pub fn girih_message_begin_secret(message: *mut girih_message, alg: *const girih_alg, secret_key: *const u8, secret_key_bytes: usize, options: *const girih_options) -> c_int;
    pub fn girih_message_update(message: *mut girih_message, piece: *const u8, piece_bytes: usize) -> c_int;
    pub fn girih_message_mu(message: *mut girih_message, mu: *mut u8, mu_bytes: usize) -> c_int;
    pub fn girih_message_begin_signing(message: *mut girih_message, alg: *const girih_alg, options: *const girih_options) -> c_int;
    pub fn girih_message_sign(message: *mut girih_message, secret_key: *const u8, secret_key_bytes: usize, options: *const girih_options, signature: *mut u8, signature_capacity: usize, signature_bytes: *mut usize) -> c_int;
    pub fn girih_message_begin_verifying(message: *mut girih_message, alg: *const girih_alg, signature: *const u8, signature_bytes: usize, options: *const girih_options) -> c_int;
    pub fn girih_message_verify(message: *mut girih_message, public_key: *const u8, public_key_bytes: usize, signature: *const u8, signature_bytes: usize) -> c_int;
    pub fn girih_crypto_sign(alg: *const girih_alg, secret_key: *const u8, secret_key_bytes: usize, message: *const u8, message_bytes: usize, options: *const girih_options, signed_message: *mut u8, signed_message_capacity: usize, signed_message_bytes: *mut usize) -> c_int;
    pub fn girih_crypto_sign_open(alg: *const girih_alg, public_key: *const u8, public_key_bytes: usize, signed_message: *const u8, signed_message_bytes: usize, message: *mut u8, message_capacity: usize, message_bytes: *mut usize) -> c_int;
    pub fn girih_selftest(alg: *const girih_alg, engine: *const c_char) -> c_int;
}
