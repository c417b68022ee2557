//! OpenSSL, built from the sources in `openssl-src`, through EVP.
//!
//! Its key objects keep decoded vectors but not the matrix; it races in both forms: from the keys'
//! bytes (plain; loading a secret key derives the public key again), and with the objects made
//! before the clock (prepared).

use contender::{Code, Contender, ML_DSA_44, ML_DSA_65, ML_DSA_87, MaybeJob, Sizes, contenders, keys_as_objects};
use std::ffi::{CStr, c_char, c_int, c_void};
use std::ptr::{null, null_mut};
use std::rc::Rc;

/// EVP_PKEY, EVP_PKEY_CTX, EVP_SIGNATURE and OSSL_LIB_CTX, which are all opaque.
#[repr(C)]
struct Opaque {
    _private: [u8; 0],
}

/// OSSL_PARAM.
#[repr(C)]
#[derive(Clone, Copy)]
struct Param {
    key: *const c_char,
    data_type: u32,
    data: *mut c_void,
    data_size: usize,
    return_size: usize,
}

unsafe extern "C" {
    fn OSSL_PARAM_construct_octet_string(key: *const c_char, buffer: *mut c_void, bytes: usize) -> Param;
    fn OSSL_PARAM_construct_int(key: *const c_char, buffer: *mut c_int) -> Param;
    fn OSSL_PARAM_construct_end() -> Param;

    fn EVP_PKEY_new_raw_private_key_ex(
        library: *mut Opaque, key_type: *const c_char, properties: *const c_char, key: *const u8, bytes: usize,
    ) -> *mut Opaque;
    fn EVP_PKEY_new_raw_public_key_ex(
        library: *mut Opaque, key_type: *const c_char, properties: *const c_char, key: *const u8, bytes: usize,
    ) -> *mut Opaque;
    fn EVP_PKEY_get_raw_private_key(key: *const Opaque, out: *mut u8, bytes: *mut usize) -> c_int;
    fn EVP_PKEY_get_raw_public_key(key: *const Opaque, out: *mut u8, bytes: *mut usize) -> c_int;
    fn EVP_PKEY_free(key: *mut Opaque);

    fn EVP_PKEY_CTX_new_from_name(library: *mut Opaque, name: *const c_char, properties: *const c_char) -> *mut Opaque;
    fn EVP_PKEY_CTX_new_from_pkey(library: *mut Opaque, key: *mut Opaque, properties: *const c_char) -> *mut Opaque;
    fn EVP_PKEY_CTX_free(context: *mut Opaque);
    fn EVP_PKEY_keygen_init(context: *mut Opaque) -> c_int;
    fn EVP_PKEY_CTX_set_params(context: *mut Opaque, params: *const Param) -> c_int;
    fn EVP_PKEY_generate(context: *mut Opaque, key: *mut *mut Opaque) -> c_int;

    fn EVP_SIGNATURE_fetch(library: *mut Opaque, name: *const c_char, properties: *const c_char) -> *mut Opaque;
    fn EVP_SIGNATURE_free(signature: *mut Opaque);
    fn EVP_PKEY_sign_message_init(context: *mut Opaque, algorithm: *mut Opaque, params: *const Param) -> c_int;
    fn EVP_PKEY_sign(
        context: *mut Opaque, signature: *mut u8, signature_bytes: *mut usize, message: *const u8, message_bytes: usize,
    ) -> c_int;
    fn EVP_PKEY_verify_message_init(context: *mut Opaque, algorithm: *mut Opaque, params: *const Param) -> c_int;
    fn EVP_PKEY_verify(
        context: *mut Opaque, signature: *const u8, signature_bytes: usize, message: *const u8, message_bytes: usize,
    ) -> c_int;
}

type Owned = contender::Owned<Opaque>;

/// A parameter set by its name, and its signature algorithm, fetched once as the manual advises.
struct Level {
    name: &'static CStr,
    algorithm: Owned,
}

impl Level {
    fn new(name: &'static CStr) -> Option<Self> {
        let fetched = unsafe { EVP_SIGNATURE_fetch(null_mut(), name.as_ptr(), null()) };
        let algorithm = unsafe { Owned::new(fetched, EVP_SIGNATURE_free)? };
        Some(Self { name, algorithm })
    }

    fn keygen(&self, seed: &[u8; 32], public: &mut [u8], secret: &mut [u8]) -> Option<()> {
        let name = self.name.as_ptr();
        unsafe {
            let context = Owned::new(EVP_PKEY_CTX_new_from_name(null_mut(), name, null()), EVP_PKEY_CTX_free)?;
            let seed = seed.as_ptr().cast_mut().cast();
            let params = [OSSL_PARAM_construct_octet_string(c"seed".as_ptr(), seed, 32), OSSL_PARAM_construct_end()];
            (EVP_PKEY_keygen_init(context.0) == 1).then_some(())?;
            (EVP_PKEY_CTX_set_params(context.0, params.as_ptr()) == 1).then_some(())?;
            let mut key = null_mut();
            (EVP_PKEY_generate(context.0, &mut key) == 1).then_some(())?;
            let key = Owned::new(key, EVP_PKEY_free)?;
            let (mut public_bytes, mut secret_bytes) = (public.len(), secret.len());
            let written = EVP_PKEY_get_raw_public_key(key.0, public.as_mut_ptr(), &mut public_bytes) == 1
                && EVP_PKEY_get_raw_private_key(key.0, secret.as_mut_ptr(), &mut secret_bytes) == 1;
            written.then_some(())
        }
    }

    /// A context that signs with this secret key, deterministically.
    fn signer(&self, secret: &[u8]) -> Option<Owned> {
        let mut one: c_int = 1;
        unsafe {
            let key =
                EVP_PKEY_new_raw_private_key_ex(null_mut(), self.name.as_ptr(), null(), secret.as_ptr(), secret.len());
            let key = Owned::new(key, EVP_PKEY_free)?;
            let context = Owned::new(EVP_PKEY_CTX_new_from_pkey(null_mut(), key.0, null()), EVP_PKEY_CTX_free)?;
            let params = [OSSL_PARAM_construct_int(c"deterministic".as_ptr(), &mut one), OSSL_PARAM_construct_end()];
            (EVP_PKEY_sign_message_init(context.0, self.algorithm.0, params.as_ptr()) == 1).then_some(context)
        }
    }

    /// A context that verifies with this public key.
    fn verifier(&self, public: &[u8]) -> Option<Owned> {
        unsafe {
            let key =
                EVP_PKEY_new_raw_public_key_ex(null_mut(), self.name.as_ptr(), null(), public.as_ptr(), public.len());
            let key = Owned::new(key, EVP_PKEY_free)?;
            let context = Owned::new(EVP_PKEY_CTX_new_from_pkey(null_mut(), key.0, null()), EVP_PKEY_CTX_free)?;
            (EVP_PKEY_verify_message_init(context.0, self.algorithm.0, null()) == 1).then_some(context)
        }
    }
}

fn sign(context: &Owned, message: &[u8], out: &mut [u8]) -> bool {
    let mut bytes = out.len();
    unsafe { EVP_PKEY_sign(context.0, out.as_mut_ptr(), &mut bytes, message.as_ptr(), message.len()) == 1 }
}

fn verify(context: &Owned, message: &[u8], signature: &[u8]) -> bool {
    let (s, m) = (signature, message);
    unsafe { EVP_PKEY_verify(context.0, s.as_ptr(), s.len(), m.as_ptr(), m.len()) == 1 }
}

fn level(name: &'static CStr, sizes: Sizes, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    let made = Rc::new(Level::new(name)?);
    let [signing, verifying] = [made.clone(), made.clone()];
    keys_as_objects(
        sizes,
        operation,
        inputs,
        move |seed, public, secret| made.keygen(seed, public, secret).is_some(),
        move |secret| signing.signer(secret),
        move |public| verifying.verifier(public),
        sign,
        verify,
    )
}

fn job(algorithm: &str, operation: &str, inputs: &[&[u8]]) -> MaybeJob {
    match algorithm {
        "ML-DSA-44" => level(c"ML-DSA-44", ML_DSA_44, operation, inputs),
        "ML-DSA-65" => level(c"ML-DSA-65", ML_DSA_65, operation, inputs),
        "ML-DSA-87" => level(c"ML-DSA-87", ML_DSA_87, operation, inputs),
        _ => None,
    }
}

contenders![Contender {
    name: "OpenSSL",
    package: "openssl-src",
    code: Code::Assembly,
    note: "sign loads the secret key through EVP, which derives the public key again",
    job,
}];
