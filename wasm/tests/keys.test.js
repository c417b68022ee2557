// Keys as objects, and their files. GIRIH_VECTORS has the examples of RFC 9881 and RFC 9935.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";

import { fixed, girih } from "./package.js";

const {
  ml_dsa44,
  ml_dsa65,
  ml_dsa87,
  ml_kem512,
  ml_kem768,
  ml_kem1024,
  falcon512,
  PublicKey,
  SecretKey,
} = girih;
const all = [ml_dsa44, ml_dsa65, ml_dsa87, ml_kem512, ml_kem768, ml_kem1024];
const message = fixed("message", 100);
const counted = (size) => Uint8Array.from({ length: size }, (_, i) => i);
const vectors = process.env.GIRIH_VECTORS;

for (const algorithm of all) {
  const { type } = algorithm.info;
  const example = (end) =>
    readFileSync(
      join(vectors, type.startsWith("ML-DSA") ? "rfc9881" : "rfc9935", type + end),
      "utf8",
    );

  test(`${type}: the RFC's examples are read, and written the same`, { skip: !vectors }, () => {
    const key = SecretKey.fromSeed(algorithm, counted(algorithm.lengths.seed));
    for (const form of ["seed", "expanded", "both"]) {
      const read = SecretKey.fromPem(example(`-${form}.priv`), ...all);
      assert.equal(read.algorithm, algorithm);
      assert.deepEqual(read.bytes, key.bytes);
      assert.deepEqual(read.seed, form === "expanded" ? undefined : key.seed);
      if (form !== "both") assert.equal(read.toPem(), example(`-${form}.priv`));
    }
    assert.equal(key.publicKey.toPem(), example(".pub"));
    assert.deepEqual(PublicKey.fromPem(example(".pub"), ...all).bytes, key.publicKey.bytes);
    const certified = PublicKey.fromPem(example(".crt"), ...all);
    assert.deepEqual(certified.bytes, key.publicKey.bytes);
    assert.equal(certified.subject, "O=IETF, CN=LAMPS WG");
  });

  test(`${type}: files come back, and every shorter one is refused`, () => {
    const key = SecretKey.generate(algorithm);
    const expanded = new SecretKey(algorithm, key.bytes);
    for (const one of [key, expanded])
      assert.deepEqual(SecretKey.fromPem(one.toPem(), algorithm).bytes, key.bytes);
    for (const [Kind, der] of [
      [SecretKey, key.toDer()],
      [PublicKey, key.publicKey.toDer()],
    ])
      for (let size = 0; size < der.length; size += size < 64 ? 1 : 61)
        assert.throws(() => Kind.fromDer(der.slice(0, size), algorithm), /^SyntaxError: key: /);
  });
}

test("keys sign, verify, encapsulate and stream", async () => {
  const key = SecretKey.generate(ml_dsa65);
  assert.equal(key.publicKey.verify(key.sign(message), message), true);
  assert.equal(await key.publicKey.verifyStream(await key.signStream([message]), [message]), true);
  assert.equal(
    key.publicKey.verify(key.sign(message, { context: message }), message, { context: message }),
    true,
  );
  const exchange = SecretKey.generate(ml_kem768);
  const { cipherText, sharedSecret } = exchange.publicKey.encapsulate();
  assert.deepEqual(exchange.decapsulate(cipherText), sharedSecret);
  key.free();
  assert.deepEqual([...new Set([...key.bytes, ...key.seed])], [0]);
});

test("JWK: the key of ML-DSA-44's zero seed has the thumbprint of the RFC's example", async () => {
  const key = SecretKey.fromSeed(ml_dsa44, new Uint8Array(32));
  assert.equal(await key.publicKey.thumbprint(), "T4xl70S7MT6Zeq6r9V9fPJGVn76wfnXJ21-gyo0Gu6o");
  const jwk = key.toJwk();
  assert.deepEqual(Object.keys(jwk), ["kty", "alg", "pub", "priv"]);
  assert.deepEqual([jwk.kty, jwk.alg, jwk.priv], ["AKP", "ML-DSA-44", "A".repeat(43)]);
  assert.deepEqual(
    SecretKey.fromJwk(JSON.parse(JSON.stringify(jwk)), ml_dsa65, ml_dsa44).bytes,
    key.bytes,
  );
  assert.deepEqual(PublicKey.fromJwk(key.publicKey.toJwk(), ml_dsa44).bytes, key.publicKey.bytes);
});

test("malformed JWKs are refused", () => {
  const jwk = SecretKey.generate(ml_dsa65).toJwk();
  const wrong = [
    undefined,
    null,
    "text",
    {},
    { ...jwk, kty: "OKP" },
    { ...jwk, alg: "ML-DSA-44" },
    { ...jwk, priv: undefined },
    { ...jwk, priv: jwk.priv.slice(1) },
    { ...jwk, priv: `${jwk.priv.slice(1)}=` },
    { ...jwk, pub: `${jwk.pub.slice(1)}A` },
  ];
  for (const one of wrong)
    assert.throws(() => SecretKey.fromJwk(one, ml_dsa65), /^(SyntaxError: key|RangeError: \w+): /);
  assert.throws(() => SecretKey.generate(ml_kem768).toJwk(), /no JWK/);
  assert.throws(
    () => PublicKey.fromJwk({ ...jwk, alg: "ML-KEM-768" }, ml_kem768),
    /its algorithm is none of/,
  );
  assert.throws(() => new SecretKey(ml_dsa65, ml_dsa65.keygen().secretKey).toJwk(), /seed/);
});

test("keys of other algorithms and kinds are refused", () => {
  const key = SecretKey.generate(ml_dsa65);
  assert.throws(
    () => PublicKey.fromPem(key.publicKey.toPem(), ml_dsa44, ml_dsa87),
    /none of ML-DSA-44, ML-DSA-87/,
  );
  assert.throws(
    () => PublicKey.fromPem(key.toPem(), ml_dsa65),
    /expected PUBLIC KEY or CERTIFICATE, got PRIVATE KEY/,
  );
  assert.throws(() => SecretKey.fromPem("no key", ml_dsa65), /no PEM block/);
  assert.throws(() => SecretKey.generate(falcon512).toPem(), /Falcon-512 has no key files/);
  assert.throws(
    () => new SecretKey(ml_dsa65, key.bytes, fixed("other", 32)),
    /not that of its seed/,
  );
});

test("changed DER is refused", () => {
  const der = SecretKey.fromSeed(ml_dsa65, fixed("seed", 32)).publicKey.toDer();
  for (let at = 0; at < 22; ++at)
    for (const bit of [1, 2, 0x80]) {
      const changed = der.slice();
      changed[at] ^= bit;
      assert.throws(
        () => PublicKey.fromDer(changed, ml_dsa65),
        /^(SyntaxError: key|RangeError: publicKey): /,
      );
    }
  const inside = [...der.slice(4)]; // after the header, 4 bytes; its algorithm has 13
  const wrapped = (...content) =>
    Uint8Array.of(0x30, 0x82, content.length >> 8, content.length & 255, ...content);
  const refused = (changed, pattern) =>
    assert.throws(() => PublicKey.fromDer(changed, ml_dsa65), pattern);
  refused(Uint8Array.of(...der, 0), /bytes after the end/);
  refused(wrapped(...inside, 5, 0), /bytes after the end/);
  refused(
    wrapped(0x30, 13, ...inside.slice(2, 13), 5, 0, ...inside.slice(13)),
    /bytes after the end of the algorithm/,
  );
  refused(Uint8Array.of(0x30, 0x83, 0, ...der.slice(2)), /a wrong length/); // not the shortest
  const secret = SecretKey.fromSeed(ml_dsa65, fixed("seed", 32)).toDer();
  assert.throws(() => SecretKey.fromDer(secret.with(4, 2), ml_dsa65), /neither 0 nor 1/);
});
