// Keys of ML-DSA and ML-KEM as objects, and their files: SubjectPublicKeyInfo, PKCS#8 (RFC 9881,
// RFC 9935), the keys of certificates, and JWK of type "AKP" (RFC 9964). The readers refuse what the
// command refuses.

import { bytes, copied, described } from "./bytes.js";
import { constructed, element, malformed, primitive, Reader, tag } from "./der.js";
import { GirihError } from "./module.js";
import { armoured, base64url, fromBase64url, unarmoured } from "./pem.js";

/** The last two arcs of object identifiers below NIST's 2.16.840.1.101.3.4. */
const arcs = new Map([
  // facts: arcs
  ["ML-DSA-44", [3, 17]],
  ["ML-DSA-65", [3, 18]],
  ["ML-DSA-87", [3, 19]],
  ["ML-KEM-512", [4, 1]],
  ["ML-KEM-768", [4, 2]],
  ["ML-KEM-1024", [4, 3]],
  // facts: end
]);
const isMlDsa = (type) => arcs.get(type)?.[0] === 3;
const nist = [0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04];
const mostBytes = 1 << 20; // of a file

const isSame = (a, b) =>
  a.length === b.length && a.reduce((difference, byte, i) => difference | (byte ^ b[i]), 0) === 0;
const hex = (data) => Array.from(data, (byte) => byte.toString(16).padStart(2, "0")).join("");
const sha256 = async (data) =>
  new Uint8Array(await globalThis.crypto.subtle.digest("SHA-256", data));

/** An algorithm that a caller gave. */
function known(algorithm, isSecret = false) {
  const type = algorithm?.info?.type;
  if (typeof type !== "string" || typeof algorithm.lengths !== "object")
    throw new TypeError(
      `algorithm: expected one of girih's algorithms, got ${described(algorithm)}`,
    );
  if (isSecret && typeof algorithm.keygen !== "function")
    throw new TypeError(`algorithm: ${type} has no secret keys in a module that only verifies`);
  return algorithm;
}

/** The algorithms that a reader was given. */
function accepted(algorithms, isSecret = false) {
  if (algorithms.length === 0) throw new TypeError("algorithms: name those that are accepted");
  for (const algorithm of algorithms) known(algorithm, isSecret);
  return algorithms;
}

const tooLong = (size) => malformed(`a file of ${size} bytes; a key file has at most ${mostBytes}`);

/** The bytes of a file in DER. */
function derOf(der) {
  const file = bytes("key", der);
  if (file.length > mostBytes) throw tooLong(file.length);
  return file;
}

/** The text of a file in PEM. */
function textOf(text) {
  if (typeof text !== "string")
    throw new TypeError(`key: expected a string, got ${described(text)}`);
  if (text.length > mostBytes) throw tooLong(text.length);
  return text;
}

/** A part of a file, which has to have this length. */
function sized(part, name, length) {
  if (part.length !== length)
    throw malformed(`the ${name} has ${part.length} bytes, but should have ${length}`);
  return part;
}

/** A key of a file, of which the library refuses some. */
function fromFile(make) {
  try {
    return make();
  } catch (error) {
    throw error instanceof GirihError ? malformed(error.message, error) : error;
  }
}

/** The one of `algorithms` whose arcs and name are those of a key. */
function chosen(algorithms, isOf) {
  const found = algorithms.find(
    ({ info: { type } }) => arcs.has(type) && isOf(arcs.get(type), type),
  );
  if (found) return found;
  throw malformed(`its algorithm is none of ${algorithms.map(({ info }) => info.type).join(", ")}`);
}

/** The one of `algorithms` that an AlgorithmIdentifier names; it has no parameters. */
function identified(reader, algorithms) {
  const identifier = reader.in(tag.sequence, "algorithm");
  const oid = identifier.next(tag.oid, "object identifier");
  const algorithm = chosen(algorithms, (arc) => isSame(oid, [...nist, ...arc]));
  identifier.end("the algorithm");
  return algorithm;
}

const identifierOf = ({ info }) => {
  if (!arcs.has(info.type)) throw malformed(`${info.type} has no key files here`);
  return element(tag.sequence, element(tag.oid, nist, arcs.get(info.type)));
};

const attributes = new Map([
  ["550403", "CN"],
  ["550406", "C"],
  ["550407", "L"],
  ["550408", "ST"],
  ["55040a", "O"],
  ["55040b", "OU"],
]);

/** A name of X.509 as text: "CN=..., O=...". Characters without a picture are replaced. */
function nameOf(name) {
  const shown = [];
  while (!name.isAtEnd) {
    const attribute = name.in(tag.set, "relative name").in(tag.sequence, "attribute");
    const type = hex(attribute.next(tag.oid, "object identifier"));
    const coding = attribute.nextTag === 0x1e ? "utf-16be" : "utf-8";
    const value = new TextDecoder(coding).decode(attribute.next(attribute.nextTag, "value"));
    if (attributes.has(type))
      shown.push(`${attributes.get(type)}=${value.replace(/\p{C}/gu, "\ufffd")}`);
  }
  return shown.join(", ");
}

/** A SubjectPublicKeyInfo: one of `algorithms`, and the key's bytes. */
function readInfo(reader, algorithms) {
  const info = reader.in(tag.sequence, "SubjectPublicKeyInfo");
  const algorithm = identified(info, algorithms);
  const key = sized(
    info.wholeBytes(tag.bits, "public key"),
    "public key",
    algorithm.lengths.publicKey,
  );
  info.end("the SubjectPublicKeyInfo");
  return { algorithm, key };
}

/** A certificate's version, from 1, which DER leaves out. */
function versionOf(body) {
  if (body.nextTag !== constructed(0)) return 1;
  const wrapped = body.in(constructed(0), "version");
  const version = wrapped.next(tag.integer, "version");
  wrapped.end("the version");
  if (version.length === 1 && (version[0] === 1 || version[0] === 2)) return version[0] + 1;
  throw malformed("the version of the certificate is neither 2 nor 3, nor left out");
}

/** The fields after the subject's key: their tags and the versions that have them. */
const optionalFields = [
  ["issuerUniqueID", primitive(1), 2],
  ["subjectUniqueID", primitive(2), 2],
  ["extensions", constructed(3), 3],
];

/** A Certificate's key and subject (RFC 5280, Section 4.1). The rest has to be DER. */
function readCertificate(reader, algorithms) {
  const certificate = reader.in(tag.sequence, "Certificate");
  const body = certificate.in(tag.sequence, "tbsCertificate");
  const version = versionOf(body);
  body.wellFormed(tag.integer, "serialNumber");
  const signature = body.wellFormed(tag.sequence, "signature");
  for (const name of ["issuer", "validity"]) body.wellFormed(tag.sequence, name);
  const subject = body.wellFormed(tag.sequence, "subject");
  const { algorithm, key } = readInfo(body, algorithms);
  for (const [name, type, since] of optionalFields) {
    if (body.nextTag !== type) continue;
    body.wellFormed(type, name);
    if (version < since) throw malformed(`a certificate of version ${version} has no ${name}`);
  }
  body.end("the tbsCertificate");
  if (!isSame(certificate.wellFormed(tag.sequence, "signatureAlgorithm"), signature))
    throw malformed("signatureAlgorithm is not the algorithm that signature names");
  certificate.wholeBytes(tag.bits, "signatureValue");
  certificate.end("the certificate");
  return { algorithm, key, subject: nameOf(new Reader(subject)) };
}

/** The kind of a public key's file, by its first tags. */
function readerOf(der) {
  const outer = new Reader(der).in(tag.sequence, "SubjectPublicKeyInfo");
  if (outer.nextTag === tag.integer) throw malformed("a private key, where a public one belongs");
  if (outer.ahead().in(tag.sequence, "algorithm").nextTag !== tag.oid) return readCertificate;
  outer.next(tag.sequence, "algorithm");
  if (outer.nextTag === tag.octets)
    throw malformed("an encrypted private key, where a public one belongs");
  return readInfo;
}

function publicKeyOf(der, read, algorithms) {
  const file = new Reader(der);
  const { algorithm, key, subject } = read(file, algorithms);
  file.end("the key");
  return Object.assign(
    fromFile(() => new PublicKey(algorithm, key)),
    { subject },
  );
}

const members = ["kty", "alg", "pub", "priv", "kid", "use", "key_ops", "keys"];

/** The members of a JWK for an operation, which are its own, and the one of `algorithms` that it names. */
function readJwk(jwk, operation, algorithms) {
  if (jwk === null || typeof jwk !== "object")
    throw malformed(`the JWK is not an object, but ${described(jwk)}`);
  const read = Object.create(null);
  for (const name of members) if (Object.hasOwn(jwk, name)) read[name] = jwk[name];
  if (read.kty === undefined && read.keys !== undefined)
    throw malformed("a JWK Set, and one JWK is read");
  if (read.kty !== "AKP") throw malformed(`the JWK's kty is not "AKP"`);
  const algorithm = chosen(algorithms, (arc, type) => isMlDsa(type) && type === read.alg);
  if (read.kid !== undefined && typeof read.kid !== "string")
    throw malformed("the JWK's kid is not a string");
  if (read.use !== undefined && read.use !== "sig")
    throw malformed(`the JWK's use is not "sig", for which ML-DSA is`);
  if (
    read.key_ops !== undefined &&
    !(Array.isArray(read.key_ops) && [...read.key_ops].includes(operation))
  )
    throw malformed(`the JWK's key_ops do not allow it to ${operation}`);
  const pub = sized(fromBase64url(read.pub, "pub"), "JWK's pub", algorithm.lengths.publicKey);
  return { algorithm, pub, priv: read.priv };
}

/** A public key. Readers name the algorithms that they accept. */
export class PublicKey {
  /** The subject of the certificate that the key was read from, of which only the form is checked. */
  subject = undefined;

  constructor(algorithm, key) {
    this.algorithm = known(algorithm);
    this.bytes = copied("publicKey", key, algorithm.lengths.publicKey);
    algorithm.prepareEncapsulationKey?.(this.bytes).free(); // which checks that ML-KEM's coefficients are below q
  }

  /** A SubjectPublicKeyInfo, or a certificate, whose key alone is read. */
  static fromDer(der, ...algorithms) {
    accepted(algorithms);
    const file = derOf(der);
    return publicKeyOf(file, readerOf(file), algorithms);
  }

  static fromPem(text, ...algorithms) {
    accepted(algorithms);
    const { label, der } = unarmoured(textOf(text), [
      "PUBLIC KEY",
      "CERTIFICATE",
      "X509 CERTIFICATE",
      "X.509 CERTIFICATE",
    ]);
    return publicKeyOf(der, label === "PUBLIC KEY" ? readInfo : readCertificate, algorithms);
  }

  static fromJwk(jwk, ...algorithms) {
    const { algorithm, pub, priv } = readJwk(jwk, "verify", accepted(algorithms));
    if (priv !== undefined) throw malformed("the JWK is a private key, where a public one belongs");
    return new PublicKey(algorithm, pub);
  }

  toDer() {
    return element(tag.sequence, identifierOf(this.algorithm), element(tag.bits, [0], this.bytes));
  }
  toPem() {
    return armoured("PUBLIC KEY", this.toDer());
  }

  toJwk() {
    const { type } = this.algorithm.info;
    if (!isMlDsa(type)) throw malformed(`${type} has no JWK`);
    return { kty: "AKP", alg: type, pub: base64url(this.bytes) };
  }

  /** SHA-256 of the DER in hexadecimal, as the command shows it. */
  async fingerprint() {
    return hex(await sha256(this.toDer()));
  }

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

  encapsulate(msg) {
    return this.algorithm.encapsulate(this.bytes, msg);
  }
}

/** The fields of a OneAsymmetricKey after the private key: attributes, and a public key (version 2). */
function readOptionalFields(info, version, { lengths }) {
  if (info.nextTag === constructed(0)) info.wellFormed(constructed(0), "attributes");
  const isPresent = info.nextTag === primitive(1);
  const publicKey = isPresent
    ? sized(info.wholeBytes(primitive(1), "public key"), "public key", lengths.publicKey)
    : undefined;
  info.end("the private key");
  if (isPresent && version === 0)
    throw malformed("a public key is present, which version 0 does not allow");
  return publicKey;
}

/** The seed, the expanded key or both (RFC 9881 and RFC 9935, Section 6). */
function readChoice(choice, { lengths }) {
  const seed = (type, from) => sized(from.next(type, "seed"), "seed", lengths.seed);
  const expanded = (from) =>
    sized(from.next(tag.octets, "expanded key"), "expanded key", lengths.secretKey);
  if (choice.nextTag === primitive(0)) return { seed: seed(primitive(0), choice) };
  if (choice.nextTag === tag.octets) return { expanded: expanded(choice) };
  const both = choice.in(tag.sequence, "seed or expanded key");
  const parts = { seed: seed(tag.octets, both), expanded: expanded(both) };
  both.end("seed and expanded key");
  return parts;
}

/** A secret key of a file's parts, which have to belong together. */
function secretKeyOf(algorithm, { seed, expanded, publicKey }) {
  const key = fromFile(() =>
    expanded ? new SecretKey(algorithm, expanded, seed) : SecretKey.fromSeed(algorithm, seed),
  );
  if (publicKey === undefined || isSame(publicKey, key.publicKey.bytes)) return key;
  key.free();
  throw malformed("the public key beside the private key belongs to another key");
}

/** Names the files that begin with a sequence, not with a version: encrypted and public keys, certificates. */
function refuseOthers(info) {
  if (info.nextTag !== tag.sequence) return;
  const after = info.ahead();
  after.next(tag.sequence, "algorithm");
  throw malformed(
    after.nextTag === tag.octets
      ? "an encrypted private key, which has to be decrypted first"
      : "a public key or certificate, where a private key belongs",
  );
}

/** A secret key, with its seed where that is known. */
export class SecretKey {
  /** `key` is the expanded key. A seed beside it has to be its own. */
  constructor(algorithm, key, seed) {
    this.algorithm = known(algorithm, true);
    const { lengths } = algorithm;
    const given = bytes("secretKey", key, lengths.secretKey);
    this.seed = seed === undefined ? undefined : copied("seed", seed, lengths.seed);
    this.bytes = new Uint8Array(given);
    try {
      if (this.seed && !this.#isOfSeed())
        throw malformed("the expanded key is not that of its seed");
      this.publicKey = new PublicKey(algorithm, algorithm.getPublicKey(this.bytes));
    } catch (error) {
      this.free();
      throw error;
    }
  }

  #isOfSeed() {
    const { secretKey } = this.algorithm.keygen(this.seed);
    const isOfSeed = isSame(secretKey, this.bytes);
    secretKey.fill(0);
    return isOfSeed;
  }

  static fromSeed(algorithm, seed) {
    const own = copied("seed", seed, known(algorithm, true).lengths.seed);
    const { secretKey } = algorithm.keygen(own);
    try {
      return new SecretKey(algorithm, secretKey, own);
    } finally {
      for (const secret of [own, secretKey]) secret.fill(0);
    }
  }

  static generate(algorithm) {
    const seed = globalThis.crypto.getRandomValues(
      new Uint8Array(known(algorithm, true).lengths.seed),
    );
    try {
      return SecretKey.fromSeed(algorithm, seed);
    } finally {
      seed.fill(0);
    }
  }

  static fromDer(der, ...algorithms) {
    accepted(algorithms, true);
    const file = new Reader(derOf(der));
    const info = file.in(tag.sequence, "PrivateKeyInfo");
    file.end("the file");
    refuseOthers(info);
    const version = info.next(tag.integer, "version");
    if (version.length !== 1 || version[0] > 1)
      throw malformed("the version of the private key is neither 0 nor 1");
    const algorithm = identified(info, algorithms);
    const choice = info.in(tag.octets, "private key");
    const parts = readChoice(choice, algorithm);
    choice.end("the seed or expanded key");
    return secretKeyOf(algorithm, {
      ...parts,
      publicKey: readOptionalFields(info, version[0], algorithm),
    });
  }

  static fromPem(text, ...algorithms) {
    accepted(algorithms, true);
    const { der } = unarmoured(textOf(text), ["PRIVATE KEY"], {
      others: ["ENCRYPTED PRIVATE KEY"],
      isOne: true,
    });
    try {
      return SecretKey.fromDer(der, ...algorithms);
    } finally {
      der.fill(0);
    }
  }

  static fromJwk(jwk, ...algorithms) {
    const { algorithm, pub, priv } = readJwk(jwk, "sign", accepted(algorithms, true));
    const seed = fromBase64url(priv, "priv");
    try {
      return secretKeyOf(algorithm, {
        seed: sized(seed, "JWK's priv", algorithm.lengths.seed),
        publicKey: pub,
      });
    } finally {
      seed.fill(0);
    }
  }

  /** The seed; without one, the expanded key. */
  toDer() {
    const choice = this.seed ? element(primitive(0), this.seed) : element(tag.octets, this.bytes);
    return element(
      tag.sequence,
      element(tag.integer, [0]),
      identifierOf(this.algorithm),
      element(tag.octets, choice),
    );
  }

  toPem() {
    return armoured("PRIVATE KEY", this.toDer());
  }

  toJwk() {
    if (!this.seed) throw malformed("a JWK has the seed, which is not known");
    return { ...this.publicKey.toJwk(), priv: base64url(this.seed) };
  }

  sign(message, options) {
    return this.algorithm.sign(message, this.bytes, options);
  }
  signStream(source, options) {
    return this.algorithm.signStream(source, this.bytes, options);
  }
  decapsulate(cipherText) {
    return this.algorithm.decapsulate(cipherText, this.bytes);
  }

  /** Wipes the key. */
  free() {
    this.bytes.fill(0);
    this.seed?.fill(0);
  }
}
