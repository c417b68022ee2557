//! Compiles girih.cpp: the package's, or in the repository one that tools/amalgamate writes.
//!
//! Environment: GIRIH_ENGINES, of portable,avx2,avx512 or portable,neon,neon_sha3 (in the
//! repository; default: all of the processor's family); GIRIH_OPT_LEVEL, of -O (default: 1 in debug
//! builds, else 3). CXX and CXXFLAGS are honoured.
//! GIRIH_LIB_DIR: a folder whose libgirih.so is linked, and nothing compiled.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The folder with girih.cpp and girih.h.
fn source() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    // A file has engines of one family of processors; others compile its portable engine alone.
    let is_arm = env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "aarch64");
    let tool = package.join("../../tools/amalgamate");
    if !tool.exists() {
        println!("cargo::rerun-if-changed=native");
        return package.join(if is_arm { "native/aarch64" } else { "native/x86_64" });
    }
    let family = if is_arm { "portable,neon,neon_sha3" } else { "portable,avx2,avx512" };
    let engines = env::var("GIRIH_ENGINES").unwrap_or(family.into());
    let folder = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets OUT_DIR"));
    let done = Command::new(&tool).args(["all", "--engines", &engines, "--output"]).arg(&folder).status();
    assert!(done.is_ok_and(|status| status.success()), "{} failed; it needs Python 3.9", tool.display());
    for read in ["../../tools/amalgamate", "../../src", "../../include", "../../cmake/GirihAlgorithms.cmake"] {
        println!("cargo::rerun-if-changed={read}");
    }
    folder
}

/// Needs no C++ library, and links by any linker: Rust's own reads no intermediate code of g++.
const NEEDED: &str = "-fno-exceptions -fno-rtti -fno-lto";

/// Flags from the environment come last, and distributions' are -fexceptions and -flto: what is
/// needed is put after them.
fn end_the_environments_flags() {
    let target = env::var("TARGET").expect("cargo sets TARGET");
    for name in [
        format!("CXXFLAGS_{target}"),
        format!("CXXFLAGS_{}", target.replace('-', "_")),
        "TARGET_CXXFLAGS".into(),
        "HOST_CXXFLAGS".into(),
        "CXXFLAGS".into(),
    ] {
        if let Ok(flags) = env::var(&name) {
            // SAFETY: a build script has one thread here.
            unsafe { env::set_var(name, format!("{flags} {NEEDED}")) };
        }
    }
}

fn main() {
    println!("cargo::rerun-if-env-changed=GIRIH_ENGINES");
    println!("cargo::rerun-if-env-changed=GIRIH_OPT_LEVEL");
    let folder = source();
    let text = folder.join("girih.cpp");
    assert!(fs::exists(&text).unwrap_or(false), "{} is missing", text.display());
    println!("cargo::metadata=include={}", folder.display());
    println!("cargo::rustc-env=GIRIH_HEADER={}", folder.join("girih.h").display()); // for the test

    println!("cargo::rerun-if-env-changed=GIRIH_LIB_DIR");
    if let Ok(library) = env::var("GIRIH_LIB_DIR") {
        println!("cargo::rustc-link-search=native={library}\ncargo::rustc-link-lib=dylib=girih");
        return;
    }

    let is_debug = env::var("OPT_LEVEL").is_ok_and(|level| level == "0");
    let level = env::var("GIRIH_OPT_LEVEL").unwrap_or(if is_debug { "1" } else { "3" }.into());
    let mut build = cc::Build::new();
    build.cpp(true).std("c++20").cpp_link_stdlib(None).flags(NEEDED.split(' ')).flag("-Wno-psabi");
    end_the_environments_flags();
    build.opt_level_str(&level).debug(false).define("NDEBUG", None).file(text);
    if env::var_os("CARGO_FEATURE_SYSTEM_RANDOMNESS").is_none() {
        build.define("GIRIH_NO_SYSTEM_RANDOMNESS", None);
    }
    build.compile("girih");
}
