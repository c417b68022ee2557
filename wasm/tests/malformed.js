// Key files with one thing wrong, made by hand, and good ones beside: a table for every reader.

import { fixed, girih } from "./package.js";

const { ml_dsa44, ml_dsa65, ml_kem512, PublicKey, SecretKey } = girih;
const oids = { "ML-DSA-44": [3, 17], "ML-DSA-65": [3, 18], "ML-KEM-512": [4, 1] };

const join = (...parts) => Uint8Array.from(parts.flatMap((part) => Array.from(part)));
const shorter = (data) => data.slice(0, -1);
const longer = (data) => join(data, [0]);
const changed = (data, at, bits = 1) => data.with(at, data.at(at) ^ bits);

function element(tag, ...parts) {
  const content = join(...parts);
  const size = content.length;
  const length = [size >> 16, size >> 8, size].map((part) => part & 255);
  const shortest = length.slice(length.findIndex((part) => part > 0));
  return join([tag], size < 128 ? [size] : [0x80 + shortest.length, ...shortest], content);
}
const sequence = (...parts) => element(0x30, ...parts);
const octets = (data) => element(4, data);
const bits = (...parts) => element(3, [0], ...parts);
const integer = (value) => element(2, [value]);
const none = [5, 0];
const algorithmOf = (type, ...parameters) =>
  sequence(element(6, [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04], oids[type]), ...parameters);
const nested = (depth) => (depth === 0 ? [] : sequence(nested(depth - 1)));

const base64 = (data) => Buffer.from(data).toString("base64");
const base64url = (data) => Buffer.from(data).toString("base64url");
const pem = (label, data) =>
  `-----BEGIN ${label}-----\n${base64(data).replace(/.{64}/g, "$&\n").trimEnd()}\n-----END ${label}-----\n`;

/** A key of an algorithm, another, and the DER of a private key around a choice. */
function samples(algorithm) {
  const { type } = algorithm.info;
  const key = SecretKey.fromSeed(algorithm, fixed(`seed ${type}`, algorithm.lengths.seed));
  const other = SecretKey.fromSeed(algorithm, fixed(`other seed ${type}`, algorithm.lengths.seed));
  const around = (choice, { version = 0, rest = [], parameters = [] } = {}) =>
    sequence(integer(version), algorithmOf(type, parameters), octets(choice), rest);
  const seed = element(0x80, key.seed);
  return {
    type,
    key,
    other,
    around,
    seed,
    both: (a, b, ...rest) => sequence(octets(a), octets(b), ...rest),
  };
}

/** A row: whether a file is read, by which class and method. `apart`: the command takes it. */
const row =
  (Kind, method) =>
  (title, file, isGood = false, apart = false) => ({ Kind, method, title, file, isGood, apart });
const good = true;

function privateKeys(algorithm) {
  const { key, other, around, seed, both } = samples(algorithm);
  const file = around(seed);
  const { bytes } = key.publicKey;
  const shown = (...content) => element(0x81, ...content);
  const der = row(SecretKey, "fromDer");
  return [
    der("a seed", file, good),
    der("an expanded key", around(octets(key.bytes)), good),
    der("both", around(both(key.seed, key.bytes)), good),
    der("attributes", around(seed, { rest: element(0xa0, sequence(none)) }), good),
    der("its public key", around(seed, { version: 1, rest: shown([0], bytes) }), good),
    der("version 1 alone", around(seed, { version: 1 }), good),
    der(
      "an expanded key and its public key",
      around(octets(key.bytes), { version: 1, rest: shown([0], bytes) }),
      good,
    ),
    der("a file that is cut short", shorter(file)),
    der("a byte after the file", longer(file)),
    der("a file after the file", join(file, file)),
    der("an element after the private key", around(seed, { rest: none })),
    der(
      "an element after the public key",
      around(seed, { version: 1, rest: join(shown([0], bytes), none) }),
    ),
    der(
      "attributes after the public key",
      around(seed, { version: 1, rest: join(shown([0], bytes), element(0xa0)) }),
    ),
    der("attributes that are not DER", around(seed, { rest: element(0xa0, [0x30, 1]) })),
    der("a byte after the seed", around(longer(seed))),
    der("a byte after the expanded key", around(longer(octets(key.bytes)))),
    der("a byte after both", around(longer(both(key.seed, key.bytes)))),
    der("a byte within both", around(both(key.seed, key.bytes, [0]))),
    der("an element within both", around(both(key.seed, key.bytes, none))),
    der("version 2", around(seed, { version: 2 })),
    der("no version", sequence(algorithmOf(algorithm.info.type), octets(seed))),
    der("parameters", around(seed, { parameters: none })),
    der("a public key in version 0", around(seed, { rest: shown([0], bytes) })),
    der(
      "a public key of another key",
      around(seed, { version: 1, rest: shown([0], other.publicKey.bytes) }),
    ),
    der(
      "a public key with one bit changed",
      around(seed, { version: 1, rest: shown([0], changed(bytes, -1)) }),
    ),
    der(
      "another's public key beside an expanded key",
      around(octets(key.bytes), { version: 1, rest: shown([0], other.publicKey.bytes) }),
    ),
    der(
      "another's public key beside both",
      around(both(key.seed, key.bytes), { version: 1, rest: shown([0], other.publicKey.bytes) }),
    ),
    der(
      "a public key that is short",
      around(seed, { version: 1, rest: shown([0], shorter(bytes)) }),
    ),
    der("a public key with unused bits", around(seed, { version: 1, rest: shown([1], bytes) })),
    der("an empty public key", around(seed, { version: 1, rest: shown() })),
    der("an expanded key of another seed", around(both(key.seed, other.bytes))),
    der(
      "an expanded key with its last byte changed",
      around(both(key.seed, changed(key.bytes, -1))),
    ),
    der(
      "an expanded key that contradicts itself",
      around(octets(changed(key.bytes, algorithm === ml_kem512 ? -33 : 64))),
    ),
    der(
      "an expanded key out of range",
      around(octets(changed(key.bytes, algorithm === ml_kem512 ? 1 : 128, 0xff))),
    ),
    der("a short seed", around(element(0x80, shorter(key.seed)))),
    der("a long seed", around(element(0x80, longer(key.seed)))),
    der("a short expanded key", around(octets(shorter(key.bytes)))),
    der("a long expanded key", around(octets(longer(key.bytes)))),
    der("a short seed in both", around(both(shorter(key.seed), key.bytes))),
    der("an integer", around(integer(1))),
    der("an indefinite length", join([0x30, 0x80], file.slice(file[1] === 0x82 ? 4 : 2), [0, 0])),
    der(
      "a length that is not the shortest",
      join([0x30, 0x83, 0], file[1] === 0x82 ? file.slice(2) : [0, ...file.slice(1)]),
    ),
  ];
}

function publicKeys(algorithm) {
  const { type, key, around, seed } = samples(algorithm);
  const { bytes } = key.publicKey;
  const shown = element(3, [0], bytes);
  const file = sequence(algorithmOf(type), shown);
  const der = row(PublicKey, "fromDer");
  return [
    der("a public key", file, good),
    der("a key that is cut short", shorter(file)),
    der("a byte after the key", longer(file)),
    der("an element after the key", sequence(algorithmOf(type), shown, none)),
    der("parameters", sequence(algorithmOf(type, none), shown)),
    der("no key", sequence(algorithmOf(type))),
    der("unused bits", sequence(algorithmOf(type), element(3, [4], bytes))),
    der("no bits", sequence(algorithmOf(type), element(3))),
    der("octets in the place of bits", sequence(algorithmOf(type), octets(bytes))),
    der("a short key", sequence(algorithmOf(type), bits(shorter(bytes)))),
    der("a long key", sequence(algorithmOf(type), bits(bytes, [0]))),
    ...(algorithm === ml_kem512
      ? [
          der(
            "a coefficient that is not below q",
            sequence(algorithmOf(type), bits(bytes.with(0, 255).with(1, 255))),
          ),
        ]
      : []),
    der("a private key", around(seed), false, true),
  ];
}

function certificates() {
  const { key } = samples(ml_dsa44);
  const name = sequence(element(0x31, sequence(element(6, [0x55, 4, 3]), element(0x0c, [0x61]))));
  const version = (value) => element(0xa0, integer(value));
  const extensions = element(0xa3, sequence());
  const unique = join(element(0x81, [0, 1]), element(0x82, [0, 2]));
  const parts = {
    version: version(2),
    serial: integer(1),
    signature: algorithmOf("ML-DSA-44"),
    issuer: name,
    validity: sequence(none),
    subject: name,
    info: key.publicKey.toDer(),
    fields: [],
    algorithm: algorithmOf("ML-DSA-44"),
    value: bits([1]),
    rest: [],
  };
  const made = (others) => {
    const c = { ...parts, ...others };
    return sequence(
      sequence(c.version, c.serial, c.signature, c.issuer, c.validity, c.subject, c.info, c.fields),
      c.algorithm,
      c.value,
      c.rest,
    );
  };
  const der = (title, others, isGood = false) =>
    row(PublicKey, "fromDer")(`a certificate with ${title}`, made(others), isGood);
  const issuer = (...content) => ({ issuer: sequence(...content) });
  return [
    der("a key", {}, good),
    der("no version", { version: [] }, good),
    der("unique identifiers", { version: version(1), fields: unique }, good),
    der("extensions", { fields: extensions }, good),
    der("all fields", { fields: join(unique, extensions) }, good),
    der("a negative integer in its issuer", issuer([2, 1, 0x80]), good),
    der("a deep issuer", issuer(nested(31)), good),
    der("an issuer of 60,000 bytes", issuer(octets(new Uint8Array(60_000))), good),
    der("an issuer of a megabyte", issuer(octets(new Uint8Array(1 << 20)))),
    row(PublicKey, "fromDer")("a certificate that is cut short", shorter(made({}))),
    row(PublicKey, "fromDer")("a byte after a certificate", longer(made({}))),
    der("an element at its end", { rest: none }),
    der("an unknown field", { fields: none }),
    der("fields in another order", { fields: join(extensions, element(0x81, [0])) }),
    der("no serial number", { serial: [] }),
    der("no subject", { subject: [] }),
    der("no key", { info: [] }),
    der("no algorithm", { algorithm: [] }),
    der("no signature", { value: [] }),
    der("unused bits in its signature", { value: element(3, [1, 0]) }),
    der("version 1", { version: version(0) }),
    der("version 4", { version: version(3) }),
    der("a version of two bytes", { version: element(0xa0, [2, 2, 0, 2]) }),
    der("two versions", { version: element(0xa0, [2, 1, 2], none) }),
    der("extensions and no version", { version: [], fields: extensions }),
    der("unique identifiers and no version", { version: [], fields: unique }),
    der("another algorithm", { algorithm: algorithmOf("ML-DSA-65") }),
    der("an empty serial number", { serial: [2, 0] }),
    der("a long serial number", { serial: [2, 2, 0, 1] }),
    der("broken validity", { validity: sequence([5]) }),
    der("a broken algorithm", { signature: sequence([5]) }),
    der("broken extensions", { fields: element(0xa3, [5]) }),
    ...[
      [1, 1, 1],
      [2, 2, 0xff, 0x80],
      [0x0a, 2, 0, 1],
      [3, 0],
      [3, 1, 1],
      [3, 2, 8, 0],
      [3, 2, 1, 1],
      [5, 1, 0],
      [6, 0],
      [6, 2, 0x2a, 0x81],
      [6, 3, 0x2a, 0x80, 1],
      [0x24, 0],
      [0x10, 0],
      [0x11, 0],
      [0, 0],
      [0x1f, 0x1f, 0],
      [0x31, 0x80, 0, 0],
      [4, 0x81, 1, 0],
      [0x31, 2, 4, 1, 0],
      [5],
    ].map((content) => der(`bytes ${content} in its issuer`, issuer(content))),
    der("an issuer that is too deep", issuer(nested(32))),
  ];
}

function texts(Kind) {
  const { key, other } = samples(ml_dsa44);
  const isSecret = Kind === SecretKey;
  const label = isSecret ? "PRIVATE KEY" : "PUBLIC KEY";
  const der = isSecret ? key.toDer() : key.publicKey.toDer();
  const text = pem(label, der);
  const lines = text.split("\n");
  const [first] = lines;
  const last = lines.at(-2);
  const inside = lines.slice(1, -2).join("\n");
  const foreign = pem("DH PARAMETERS", [1, 2, 3]);
  const put = (at, what) => `${first}\n${inside.slice(0, at)}${what}${inside.slice(at)}\n${last}\n`;
  const file = row(Kind, "fromPem");
  const replaced = (from, to) => text.replace(from, () => to);
  return [
    file("text", text, good),
    file("text before and after", `hello\n${text}bye\n`, good),
    file("another block before", foreign + text, good),
    file("line ends of Windows", text.replaceAll("\n", "\r\n"), good),
    file("line ends of old", text.replaceAll("\n", "\r"), good),
    file("no line end", text.trimEnd(), good),
    file("blanks", text.replaceAll("\n", " \t\n  "), good),
    file("blanks in a line", put(5, " \v\f"), good),
    file("a mark of the byte order", `\ufeff${text}`, good),
    file("one line", `${first}\n${inside.replaceAll("\n", "")}\n${last}`, good),
    file("joined without a line end", foreign.trimEnd() + text, good),
    file("a character of base64url", put(5, "-")),
    file("an underscore", put(9, "_")),
    file("one character more", put(5, "A")),
    file("padding within", put(8, "====")),
    file("more padding", put(inside.length, "====")),
    file("one character less", `${first}\n${inside.slice(0, -1)}\n${last}\n`),
    file("a hard blank", put(5, "\u00a0")),
    file("a letter that is not ASCII", put(5, "é")),
    file("a zero", put(5, "\0")),
    file("a header", replaced(`${first}\n`, `${first}\nProc-Type: 4,ENCRYPTED\n\n`)),
    file("no end", text.slice(0, -(last.length + 1))),
    file("an end of another label", replaced(last, "-----END CERTIFICATE-----")),
    file("an end of another word", replaced(last, last.replace("END", "FIN"))),
    file("six dashes", foreign.replaceAll(/-----$/gm, "------") + text),
    file("an end with dashes missing", replaced(last, last.slice(0, -1))),
    file("a beginning with dashes missing", replaced(first, first.slice(0, -1))),
    file("a line with a dash", put(inside.indexOf("\n") + 1, "-\n")),
    file("a beginning in the block", replaced(`${first}\n`, `${first}\n${first}\n`)),
    file("bytes after the DER", pem(label, longer(der))),
    file("no block", "hello\n"),
    file("text that is empty", ""),
    file("an unknown label", text.replaceAll(label, "SOME KEY")),
    file("small letters", text.replaceAll(label, label.toLowerCase())),
    file("too much text", text + " ".repeat(1 << 20)),
    ...(isSecret
      ? [
          file("two private keys", text + pem(label, other.toDer())),
          file("a public key before", pem("PUBLIC KEY", key.publicKey.toDer()) + text, good),
        ]
      : [
          file("two public keys", text + pem(label, other.publicKey.toDer()), good),
          file("a certificate's label", pem("CERTIFICATE", der)),
          file("a certificate as a public key", pem(label, certificates()[0].file)),
          file("an older label", pem("X509 CERTIFICATE", certificates()[0].file), good),
          file("the oldest label", pem("X.509 CERTIFICATE", certificates()[0].file), good),
        ]),
  ];
}

/** Texts of base64url that stand for no bytes, or for those of another text. */
function loose(text) {
  const [tail, end] = [text.at(-1), text.slice(0, -1)];
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
  return {
    padding: `${text}=`,
    "unused bits": end + alphabet[alphabet.indexOf(tail) + 1],
    blank: ` ${text}`,
    "blank within": `${text.slice(0, 9)} ${text.slice(9)}`,
    "line end": `${text}\n`,
    plus: `+${text.slice(1)}`,
    slash: `/${text.slice(1)}`,
    "short text": end,
    "long text": `${text}A`,
    "empty text": "",
  };
}

function jwks() {
  const { key, other } = samples(ml_dsa44);
  const secret = key.toJwk(),
    shown = key.publicKey.toJwk();
  const rows = (Kind, jwk, operation, opposite) => {
    const file = (title, members, ...more) =>
      row(Kind, "fromJwk")(title, { ...jwk, ...members }, ...more);
    const wrong = { number: 7, null: null, array: [], object: {} };
    return [
      file("a JWK", {}, good),
      file("use", { use: "sig" }, good),
      file("kid", { kid: "é" }, good),
      file("unknown members", { x: [1], iat: 5 }, good),
      file("key_ops", { key_ops: [operation] }, good),
      file("more key_ops", { key_ops: [opposite, operation] }, good),
      file("use of encryption", { use: "enc" }),
      file("an unknown use", { use: "Sig" }),
      file("an empty use", { use: "" }),
      file("other key_ops", { key_ops: ["decrypt"] }, false, true),
      file("empty key_ops", { key_ops: [] }, false, true),
      file("key_ops of the other half", { key_ops: [opposite] }, false, true),
      file("key_ops that are text", { key_ops: operation }, false, true),
      file("another kty", { kty: "OKP" }),
      file("no kty", { kty: undefined }),
      file("another alg", { alg: "ML-DSA-65" }),
      file("small letters", { alg: "ml-dsa-44" }),
      file("no alg", { alg: undefined }),
      file("the alg of a method", { alg: "constructor" }),
      file("no pub", { pub: undefined }),
      ...["kty", "alg", "pub", "use", "kid"].flatMap((name) =>
        Object.entries(wrong).map(([what, value]) => file(`${name}: ${what}`, { [name]: value })),
      ),
      ...Object.entries(loose(jwk.pub)).map(([what, pub]) => file(`pub: ${what}`, { pub })),
      ...(jwk.priv
        ? Object.entries(loose(jwk.priv)).map(([what, priv]) => file(`priv: ${what}`, { priv }))
        : []),
      ...(jwk.priv
        ? Object.entries(wrong).map(([what, priv]) => file(`priv: ${what}`, { priv }))
        : []),
      row(Kind, "fromJwk")("a JWK Set", { keys: [jwk] }),
      row(Kind, "fromJwk")("an array", [jwk]),
    ];
  };
  return [
    ...rows(SecretKey, secret, "sign", "verify"),
    ...rows(PublicKey, shown, "verify", "sign"),
    row(SecretKey, "fromJwk")("another's pub", { ...secret, pub: other.publicKey.toJwk().pub }),
    row(SecretKey, "fromJwk")("an expanded key", { ...secret, priv: base64url(key.bytes) }),
    row(PublicKey, "fromJwk")("a private key", secret, false, true),
    row(SecretKey, "fromJwk")("a public key", shown, false, true),
  ];
}

export const algorithms = [ml_dsa44, ml_dsa65, ml_kem512];
export const files = [
  ...algorithms.flatMap((algorithm) =>
    [...privateKeys(algorithm), ...publicKeys(algorithm)].map((one) => ({
      ...one,
      title: `${algorithm.info.type}, ${one.title}`,
    })),
  ),
  ...certificates(),
  ...texts(SecretKey),
  ...texts(PublicKey),
  ...jwks(),
].map((one) => ({ ...one, title: `${one.Kind.name}.${one.method}: ${one.title}` }));
