//! Compiles girih.cpp: the package's, or in the repository one that tools/amalgamate writes.
//!
//! Environment: GIRIH_ENGINES, of portable,avx2,avx512 or portable,neon,neon_sha3 (default: all of
//! the processor's family); GIRIH_OPT_LEVEL, of -O (default: 1 in debug builds, else 3). CXX and
//! CXXFLAGS are honoured.
//! GIRIH_LIB_DIR: a folder whose libgirih.so is linked, and nothing compiled.
//!
//! Without an operating system, on Arm's Cortex-M and 32-bit RISC-V, it is the library for devices,
//! for the core of Rust's target.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs, thread};

fn out_dir() -> PathBuf {
    env::var_os("OUT_DIR").expect("cargo sets OUT_DIR").into()
}

/// The processors that the library for devices has a text for; none for other targets.
fn device() -> Option<&'static str> {
    let target = |name: &str| env::var(format!("CARGO_CFG_TARGET_{name}")).unwrap_or_default();
    match (target("OS").as_str(), target("ARCH").as_str()) {
        ("none", "arm") => Some("cortex_m"),
        ("none", "riscv32") => Some("riscv32"),
        _ => None,
    }
}

fn is_64_bit_arm() -> bool {
    env::var("CARGO_CFG_TARGET_ARCH").is_ok_and(|arch| arch == "aarch64")
}

/// The engines of the processor's family. (Other processors have the portable one of any family.)
fn family() -> [&'static str; 3] {
    if is_64_bit_arm() { ["portable", "neon", "neon_sha3"] } else { ["portable", "avx2", "avx512"] }
}

/// The engines to compile.
fn engines() -> Vec<&'static str> {
    let Ok(chosen) = env::var("GIRIH_ENGINES") else { return family().into() };
    let chosen: Vec<_> = chosen.split(',').collect();
    for name in &chosen {
        assert!(family().contains(name), "GIRIH_ENGINES: '{name}' is none of {}", family().join(", "));
    }
    family().into_iter().filter(|name| *name == "portable" || chosen.contains(name)).collect()
}

/// The folder with girih.cpp and girih.h, and girih.S for devices.
fn source() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let tool = package.join("../../tools/amalgamate");
    if !tool.exists() {
        println!("cargo::rerun-if-changed=native");
        let family = device().unwrap_or(if is_64_bit_arm() { "aarch64" } else { "x86_64" });
        return package.join("native").join(family);
    }
    let engines = engines().join(",");
    let folder = out_dir();
    let processor = match device() {
        // One text serves all cores: the compiler's options choose the parts that run.
        Some("cortex_m") => ["--core", "cortex-m4"],
        Some(core) => ["--core", core],
        None => ["--engines", &engines],
    };
    let done = Command::new(&tool).arg("all").args(processor).arg("--output").arg(&folder).status();
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

/// Compiles the library for devices for little flash, whatever the level of the program.
fn compile_for_a_device(folder: &Path) {
    let mut build = cc::Build::new();
    build.opt_level_str("s").debug(false).define("NDEBUG", None);
    build.flags("-ffunction-sections -fdata-sections -ffreestanding -fbuiltin".split(' '));
    let mut cpp = build.clone();
    cpp.cpp(true).std("c++20").cpp_link_stdlib(None).flags(NEEDED.split(' '));
    cpp.flags("-fno-threadsafe-statics -fno-use-cxa-atexit -fno-asynchronous-unwind-tables -Wno-psabi".split(' '));
    cpp.file(folder.join("girih.cpp"));
    // The assembly, and what the library asks of a program: its core's features, which an object of
    // a program in C has by including girih.h.
    let core = out_dir().join("core.c");
    fs::write(&core, "#include \"girih.h\"\n").expect("the folder is writable");
    build.include(folder).file(folder.join("girih.S")).file(core);
    build.compile("girih_core");
    cpp.compile("girih");
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

    if device().is_some() {
        return compile_for_a_device(&folder);
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
    for left_out in family().iter().filter(|name| !engines().contains(name)) {
        build.define(&format!("GIRIH_WITHOUT_{left_out}"), ""); // as a text without it says
    }
    compile_in_parts(&build);
}

/// Compiles the engines' parts of the text at once, if there may be several jobs.
fn compile_in_parts(build: &cc::Build) {
    if env::var("NUM_JOBS").is_ok_and(|jobs| jobs == "1") {
        return build.compile("girih");
    }
    let objects: Vec<_> = thread::scope(|scope| {
        let compiling: Vec<_> = engines()
            .into_iter()
            .map(|engine| {
                let mut part = build.clone();
                part.define("GIRIH_PART", None).define(&format!("GIRIH_PART_{engine}"), None);
                part.out_dir(out_dir().join(engine));
                scope.spawn(move || part.compile_intermediates())
            })
            .collect();
        compiling.into_iter().flat_map(|part| part.join().expect("it compiles")).collect()
    });
    cc::Build::new().cpp(true).cpp_link_stdlib(None).objects(objects).compile("girih");
}
