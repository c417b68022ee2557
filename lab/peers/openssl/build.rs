//! Builds OpenSSL's static libcrypto from the sources in `openssl-src`, with OpenSSL's own flags
//! but without what ML-DSA does not need: the whole library takes some minutes.

use std::path::PathBuf;
use std::process::Command;

const LEFT_OUT: &str = "\
    no-shared no-module no-tests no-apps no-docs no-legacy no-tls no-dtls no-quic no-cmp no-cms \
    no-ct no-ocsp no-ts no-srp no-http no-ec2m no-aria no-bf no-camellia no-cast no-idea no-md4 \
    no-mdc2 no-rc2 no-rc4 no-rmd160 no-seed no-siphash no-sm2 no-sm3 no-sm4 no-whirlpool no-slh-dsa \
    no-lms no-scrypt no-blake2 no-comp no-dso";

fn run(command: &mut Command) {
    let status = command.status().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    assert!(status.success(), "{command:?}: {status}");
}

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CC");
    let folder = PathBuf::from(std::env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let jobs = std::env::var("NUM_JOBS").unwrap_or("1".into());
    let configure = openssl_src::source_dir().join("Configure");
    run(Command::new("perl").arg(configure).args(LEFT_OUT.split_whitespace()).current_dir(&folder));
    // Cargo's own job server is for cargo's jobs: make gets a number.
    for goal in ["build_generated", "libcrypto.a"] {
        let mut make = Command::new("make");
        run(make.args(["-s", "-j", &jobs, goal]).env_remove("MAKEFLAGS").current_dir(&folder));
    }
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-lib=static=crypto");
}
