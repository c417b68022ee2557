//! `src/bindings.rs` is what `girih.h` says, declaration by declaration. GIRIH_REWRITE=1 writes it.

use std::fmt::Write;
use std::{env, fs};

/// The header's text without comments and directives (but for `#define` lines), blanks made single.
fn declarations(header: &str) -> (Vec<String>, Vec<String>) {
    let mut text = header.to_string();
    while let Some(start) = text.find("/*") {
        let end = start + text[start..].find("*/").expect("comments end") + 2;
        text.replace_range(start..end, " ");
    }
    let (directives, code): (Vec<_>, Vec<_>) = text.lines().partition(|line| line.starts_with('#'));
    let code = code.join(" ").replace("extern \"C\" {", "");
    let mut depth = 0;
    let statements = code.split_inclusive(['{', '}', ';']).fold(vec![String::new()], |mut all, piece| {
        all.last_mut().expect("not empty").push_str(piece);
        depth += piece.matches('{').count() as i32 - piece.matches('}').count() as i32;
        if depth == 0 && piece.ends_with(';') {
            all.push(String::new());
        }
        all
    });
    let blanks = |line: &String| line.split_whitespace().collect::<Vec<_>>().join(" ");
    (directives.into_iter().map(String::from).collect(), statements.iter().map(blanks).collect())
}

/// `const uint8_t* name` as `name: *const u8`.
fn declared(parameter: &str) -> String {
    if let Some((result, rest)) = parameter.split_once("(*") {
        let (name, rest) = rest.split_once(")(").expect("a pointer to a function");
        let parameters = parameters(rest.trim_end_matches(')'));
        return format!("{name}: Option<unsafe extern \"C\" fn({parameters}) -> {}>", of_c(result));
    }
    let at = parameter.rfind([' ', '*']).expect("a type and a name") + 1;
    let (name, array) = parameter[at..].split_once('[').unwrap_or((&parameter[at..], ""));
    let element = of_c(&parameter[..at]);
    match array.trim_end_matches(']') {
        "" => format!("{name}: {element}"),
        length => format!("{name}: [{element}; {length}]"),
    }
}

fn parameters(list: &str) -> String {
    let list = if list.trim() == "void" { "" } else { list };
    list.split(',').map(str::trim).filter(|one| !one.is_empty()).map(declared).collect::<Vec<_>>().join(", ")
}

fn of_c(name: &str) -> String {
    let name = name.trim();
    if let Some(pointed) = name.strip_suffix('*') {
        return match pointed.trim().strip_prefix("const ") {
            Some(constant) => format!("*const {}", of_c(constant)),
            None => format!("*mut {}", of_c(pointed)),
        };
    }
    match name {
        "int" => "c_int",
        "char" => "c_char",
        "void" => "c_void",
        "size_t" => "usize",
        "uint8_t" => "u8",
        "uint64_t" => "u64",
        known if known.starts_with("girih_") => known,
        unknown => panic!("the type {unknown}"),
    }
    .into()
}

fn of_structure(name: &str, body: &str) -> String {
    let mut text = format!("#[repr(C)]\n#[derive(Clone, Copy, Debug)]\npub struct {name} {{\n");
    for member in body.split(';').map(str::trim).filter(|member| !member.is_empty()) {
        writeln!(text, "    pub {},", declared(member)).unwrap();
    }
    text + "}\n"
}

fn of_statement(statement: &str, functions: &mut String) -> String {
    if let Some(function) = statement.strip_prefix("GIRIH_API ") {
        let (head, list) = function.trim_end_matches(';').split_once('(').expect("a function");
        let head = declared(head);
        let (name, result) = head.split_once(": ").expect("a name and a type");
        let result = if result == "c_void" { String::new() } else { format!(" -> {result}") };
        writeln!(functions, "    pub fn {name}({}){result};", parameters(list.trim_end_matches(')'))).unwrap();
        return String::new();
    }
    let Some(defined) = statement.strip_prefix("typedef ") else { return String::new() };
    let (kind, rest) = defined.split_once(' ').expect("a kind of type");
    let Some((name, rest)) = rest.split_once(" { ") else {
        let name = rest.split(' ').next().expect("a name");
        return format!("#[repr(C)]\npub struct {name} {{\n    opaque: [u8; 0],\n}}\n");
    };
    let body = rest.split(" }").next().expect("a body");
    if kind == "struct" {
        return of_structure(name, body);
    }
    body.split(", ").fold(String::new(), |text, value| {
        let (name, number) = value.split_once(" = ").expect("a name and a number");
        text + &format!("pub const {name}: c_int = {number};\n")
    })
}

fn bindings(header: &str) -> String {
    let (directives, statements) = declarations(header);
    let mut text = String::from("// Written by tests/header.rs from girih.h.\n");
    for directive in directives.iter().filter_map(|line| line.strip_prefix("#define GIRIH_")) {
        let Some((name, value)) = directive.split_once(' ') else { continue };
        if value.parse::<usize>().is_ok() {
            writeln!(text, "pub const GIRIH_{name}: usize = {value};").unwrap();
        }
    }
    let mut functions = String::new();
    for statement in &statements {
        text += &of_statement(statement, &mut functions);
    }
    text + "unsafe extern \"C\" {\n" + &functions + "}\n"
}

#[test]
fn bindings_are_those_of_the_header() {
    let header = fs::read_to_string(env!("GIRIH_HEADER")).expect("the header");
    let expected = bindings(&header);
    assert_eq!(expected.matches("    pub fn ").count(), header.matches("\nGIRIH_API ").count());
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/src/bindings.rs");
    if env::var_os("GIRIH_REWRITE").is_some() {
        fs::write(path, &expected).expect("bindings.rs is writable");
    }
    let found = fs::read_to_string(path).expect("bindings.rs");
    for (found, expected) in found.lines().zip(expected.lines()) {
        assert_eq!(found, expected);
    }
    assert_eq!(found.len(), expected.len());
}
