//! Compiles ML-DSA, ML-KEM, Falcon and what they need from the sources of wolfSSL that
//! `wolfssl-sys` carries.
//!
//! The package's own build wants autotools and compiles all of wolfSSL. So it is an optional
//! dependency that is never built: cargo says where its sources are.

use std::env::var;
use std::path::{Path, PathBuf};
use std::process::Command;

const PACKAGE: &str = "wolfssl-sys";

fn sources() -> Result<PathBuf, Box<dyn std::error::Error>> {
    let output = Command::new(var("CARGO")?)
        .args(["metadata", "--format-version=1", "--locked", "--features=sources", "--filter-platform"])
        .arg(var("TARGET")?)
        .current_dir(var("CARGO_MANIFEST_DIR")?)
        .output()?;
    if !output.status.success() {
        return Err(String::from_utf8_lossy(&output.stderr).into());
    }
    let metadata: serde_json::Value = serde_json::from_slice(&output.stdout)?;
    let packages = metadata["packages"].as_array().ok_or("error: cargo knows no packages")?;
    let package = packages.iter().find(|package| package["name"] == PACKAGE);
    let manifest = package.and_then(|package| package["manifest_path"].as_str());
    let folder = Path::new(manifest.ok_or("error: the sources of wolfSSL are not found")?).parent();
    Ok(folder.ok_or("error: a manifest without a folder")?.join("wolfssl-src"))
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-changed=src");
    let sources = sources()?;
    let files = "cpuid.c falcon.c hash.c memory.c random.c sha3.c sha3_asm.S wc_mldsa.c wc_mldsa_asm.S wc_mlkem.c \
                 wc_mlkem_asm.S wc_mlkem_poly.c wc_port.c";
    let mut build = cc::Build::new();
    let caches = ["WC_MLDSA_CACHE_MATRIX_A", "WC_MLDSA_CACHE_PRIV_VECTORS", "WC_MLDSA_CACHE_PUB_VECTORS"];
    for (feature, macros) in [("CARGO_FEATURE_CACHED", &caches[..]), ("CARGO_FEATURE_AVX2", &["NO_AVX512_SUPPORT"])] {
        if var(feature).is_ok() {
            macros.iter().for_each(|name| _ = build.define(name, None));
        }
    }
    build
        .define("WOLFSSL_USER_SETTINGS", None)
        .include("src")
        .include(&sources)
        .include("../contender")
        .file("src/keys.c")
        .files(files.split_whitespace().map(|file| sources.join("wolfcrypt/src").join(file)))
        .warnings(false)
        .try_compile("wolfssl_peer")?;
    Ok(())
}
