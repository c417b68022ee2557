// Keys of ML-DSA and ML-KEM as objects, and their files: SubjectPublicKeyInfo, PKCS#8 (RFC 9881,
// RFC 9935), the keys of certificates, and JWK of type "AKP" (RFC 9964).

import { bytes } from "./bytes.js";

/** The last two arcs of object identifiers below NIST's 2.16.840.1.101.3.4. */
const arcs = {
  "ML-DSA-44": [3, 17], "ML-DSA-65": [3, 18], "ML-DSA-87": [3, 19],
  "ML-KEM-512": [4, 1], "ML-KEM-768": [4, 2], "ML-KEM-1024": [4, 3],
};
const nist = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04];
const tag = { integer: 0x02, bits: 0x03, octets: 0x04, oid: 0x06, sequence: 0x30, set: 0x31, seed: 0x80, version: 0xa0 };

const malformed = (what) => new SyntaxError(`key: ${what}`);
const joined = (...parts) => Uint8Array.from(parts.flatMap((part) => [...part]));
const isSame = (a, b) => a.length === b.length && a.reduce((difference, byte, i) => difference | (byte ^ b[i]), 0) === 0;
const hex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
const base64 = (data) => btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(""));
const base64url = (data) => base64(data).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
const sha256 = async (data) => new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", data));

function fromBase64(text, what) {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw malformed(`${what} is not base64`);
  }
}

function fromBase64url(text, name) {
  if (typeof text !== "string" || !/^[\w-]*$/.test(text)) throw malformed(`the JWK's ${name} is not base64url`);
  return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"), `the JWK's ${name}`);
}

/** An element of DER. */
function element(type, ...contents) {
  const content = joined(...contents);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]; // keys have no 64 KB
  return joined([type], length, content);
}

/** Reads elements of DER one after another. */
class Reader {
  #left;
  constructor(contents) { this.#left = contents; }
  get rest() { return this.#left; }
  get nextTag() { return this.#left[0]; }
  /** The contents of the next element, whose tag is known. */
  next(type, name) {
    const data = this.#left;
    if (data[0] !== type) throw malformed(`no ${name} where one belongs`);
    const count = data[1] > 128 ? data[1] - 128 : 0; // of the bytes of the length
    const size = count === 0 ? data[1] : data.subarray(2, 2 + count).reduce((value, byte) => value * 256 + byte, 0);
    const isMinimal = count === 0 ? data[1] < 128 : size >= 128 && data[2] > 0;
    const start = 2 + count;
    if (!isMinimal || data.length - start < size) throw malformed(`${name}: a wrong length, or the file is cut short`);
    this.#left = data.subarray(start + size);
    return data.subarray(start, start + size);
  }
  in(type, name) { return new Reader(this.next(type, name)); }
  end(name) {
    if (this.#left.length > 0) throw malformed(`bytes behind the end of ${name}`);
  }
}

/** The one of `algorithms` whose arcs and name are those of a key. */
function chosen(algorithms, isOf) {
  const found = algorithms.find(({ info: { type } }) => arcs[type] && isOf(arcs[type], type));
  if (found) return found;
  throw malformed(`its algorithm is none of ${algorithms.map(({ info }) => info.type).join(", ")}`);
}

/** The one of `algorithms` that an AlgorithmIdentifier names; it has no parameters. */
function identified(reader, algorithms) {
  const identifier = reader.in(tag.sequence, "algorithm");
  const oid = identifier.next(tag.oid, "object identifier");
  identifier.end("the algorithm");
  return chosen(algorithms, (arc) => isSame(oid, [...nist, ...arc]));
}

const identifierOf = ({ info }) => {
  if (!arcs[info.type]) throw malformed(`${info.type} has no key files here`);
  return element(tag.sequence, element(tag.oid, nist, arcs[info.type]));
};

/** The contents of a PEM file's first block with one of these labels. */
function unarmoured(text, ...labels) {
  const blocks = [...text.matchAll(/-----BEGIN ([A-Z ]+)-----\s([\sA-Za-z0-9+/=]*)-----END \1-----/g)];
  const block = blocks.find(([, label]) => labels.includes(label));
  if (block) return fromBase64(block[2], "the PEM block");
  throw malformed(blocks.length === 0 ? "no PEM block" : `expected ${labels.join(" or ")}, got ${blocks[0][1]}`);
}

const armoured = (label, der) =>
  `-----BEGIN ${label}-----\n${base64(der).replace(/.{1,64}/g, "$&\n")}-----END ${label}-----\n`;

const attributes = { "550403": "CN", "550406": "C", "550407": "L", "550408": "ST", "55040a": "O", "55040b": "OU" };

/** A name of X.509 as text: "CN=..., O=...". Characters without a picture are replaced. */
function nameOf(name) {
  const shown = [];
  while (name.nextTag !== undefined) {
    const attribute = name.in(tag.set, "relative name").in(tag.sequence, "attribute");
    const type = hex(attribute.next(tag.oid, "object identifier"));
    const coding = attribute.nextTag === 0x1e ? "utf-16be" : "utf-8";
    const value = new TextDecoder(coding).decode(attribute.next(attribute.nextTag, "value"));
    if (attributes[type]) shown.push(`${attributes[type]}=${value.replace(/\p{C}/gu, "\ufffd")}`);
  }
  return shown.join(", ");
}

/** Skips a TBSCertificate to its SubjectPublicKeyInfo; returns the subject (RFC 5280, Section 4.1). */
function subjectOf(body) {
  body.next(tag.version, "version");
  body.next(tag.integer, "serial number");
  for (const name of ["signature algorithm", "issuer", "validity"]) body.next(tag.sequence, name);
  return nameOf(body.in(tag.sequence, "subject"));
}

/** The one of `algorithms` that a JWK names: of ML-DSA, since ML-KEM has no JWK. */
function namedBy(jwk, algorithms) {
  if (jwk?.kty !== "AKP") throw malformed(`the JWK's kty is not "AKP"`);
  return chosen(algorithms, ([arc], type) => arc === 3 && type === jwk.alg);
}

/** A public key. Readers name the algorithms that they accept. */
export class PublicKey {
  /** A certificate's subject, if the key was read from one. No certificate is checked. */
  subject = undefined;

  constructor(algorithm, key) {
    this.algorithm = algorithm;
    this.bytes = bytes("publicKey", key, algorithm.lengths.publicKey).slice();
  }

  /** A SubjectPublicKeyInfo, or a certificate, whose key alone is read. */
  static fromDer(der, ...algorithms) {
    const file = new Reader(bytes("key", der));
    const outer = file.in(tag.sequence, "SubjectPublicKeyInfo");
    file.end("the key");
    const body = new Reader(outer.rest).in(tag.sequence, "algorithm");
    const isCertificate = body.nextTag === tag.version;
    const subject = isCertificate ? subjectOf(body) : undefined;
    const info = isCertificate ? body.in(tag.sequence, "SubjectPublicKeyInfo") : outer;
    const algorithm = identified(info, algorithms);
    const bits = info.next(tag.bits, "public key");
    info.end("the key");
    if (bits[0] !== 0) throw malformed("the public key has unused bits");
    return Object.assign(new PublicKey(algorithm, bits.subarray(1)), { subject });
  }

  static fromPem(text, ...algorithms) {
    return PublicKey.fromDer(unarmoured(text, "PUBLIC KEY", "CERTIFICATE"), ...algorithms);
  }

  static fromJwk(jwk, ...algorithms) {
    return new PublicKey(namedBy(jwk, algorithms), fromBase64url(jwk.pub, "pub"));
  }

  toDer() { return element(tag.sequence, identifierOf(this.algorithm), element(tag.bits, [0], this.bytes)); }
  toPem() { return armoured("PUBLIC KEY", this.toDer()); }

  toJwk() {
    const { type } = this.algorithm.info;
    if (arcs[type]?.[0] !== 3) throw malformed(`${type} has no JWK`);
    return { kty: "AKP", alg: type, pub: base64url(this.bytes) };
  }

  /** SHA-256 of the DER in hexadecimal, as the command shows it. */
  async fingerprint() { return hex(await sha256(this.toDer())); }

  /** The JWK's thumbprint (RFC 7638). */
  async thumbprint() {
    const { alg, kty, pub } = this.toJwk();
    return base64url(await sha256(new TextEncoder().encode(JSON.stringify({ alg, kty, pub }))));
  }

  verify(signature, message, options) {
    return this.algorithm.verify(signature, message, this.bytes, options);
  }

  verifyStream(signature, source, options) {
    return this.algorithm.verifyStream(signature, source, this.bytes, options);
  }

  encapsulate(msg) { return this.algorithm.encapsulate(this.bytes, msg); }
}

/** A secret key, with its seed where that is known. */
export class SecretKey {
  /** `key` is the expanded key. A seed beside it has to be its own. */
  constructor(algorithm, key, seed) {
    this.algorithm = algorithm;
    this.bytes = bytes("secretKey", key, algorithm.lengths.secretKey).slice();
    this.seed = seed?.slice();
    if (seed && !isSame(algorithm.keygen(seed).secretKey, key)) throw malformed("the expanded key is not that of its seed");
    this.publicKey = new PublicKey(algorithm, algorithm.getPublicKey(key));
  }

  static fromSeed(algorithm, seed) {
    return new SecretKey(algorithm, algorithm.keygen(bytes("seed", seed)).secretKey, seed);
  }

  static generate(algorithm) {
    return SecretKey.fromSeed(algorithm, globalThis.crypto.getRandomValues(new Uint8Array(algorithm.lengths.seed)));
  }

  static fromDer(der, ...algorithms) {
    const info = new Reader(bytes("key", der)).in(tag.sequence, "PrivateKeyInfo");
    const version = info.next(tag.integer, "version");
    if (version.length !== 1 || version[0] > 1) throw malformed("the version of the private key is neither 0 nor 1");
    const algorithm = identified(info, algorithms);
    const choice = info.in(tag.octets, "private key");
    if (choice.nextTag === tag.seed) return SecretKey.fromSeed(algorithm, choice.next(tag.seed, "seed"));
    if (choice.nextTag === tag.octets) return new SecretKey(algorithm, choice.next(tag.octets, "expanded key"));
    const both = choice.in(tag.sequence, "seed or expanded key");
    const seed = both.next(tag.octets, "seed");
    return new SecretKey(algorithm, both.next(tag.octets, "expanded key"), seed);
  }

  static fromPem(text, ...algorithms) {
    return SecretKey.fromDer(unarmoured(text, "PRIVATE KEY"), ...algorithms);
  }

  static fromJwk(jwk, ...algorithms) {
    const key = SecretKey.fromSeed(namedBy(jwk, algorithms), fromBase64url(jwk.priv, "priv"));
    if (!isSame(key.publicKey.bytes, fromBase64url(jwk.pub, "pub"))) throw malformed("the JWK's pub is not that of its priv");
    return key;
  }

  /** The seed; without one, the expanded key. */
  toDer() {
    const choice = this.seed ? element(tag.seed, this.seed) : element(tag.octets, this.bytes);
    return element(tag.sequence, element(tag.integer, [0]), identifierOf(this.algorithm), element(tag.octets, choice));
  }

  toPem() { return armoured("PRIVATE KEY", this.toDer()); }

  toJwk() {
    if (!this.seed) throw malformed("a JWK has the seed, which is not known");
    return { ...this.publicKey.toJwk(), priv: base64url(this.seed) };
  }

  sign(message, options) { return this.algorithm.sign(message, this.bytes, options); }
  signStream(source, options) { return this.algorithm.signStream(source, this.bytes, options); }
  decapsulate(cipherText) { return this.algorithm.decapsulate(cipherText, this.bytes); }

  /** Wipes the key. */
  free() {
    this.bytes.fill(0);
    this.seed?.fill(0);
  }
}
