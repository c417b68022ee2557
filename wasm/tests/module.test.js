// Modules: what they import, what they leave in memory, the stack they take, and traps.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { test } from "node:test";

import { algorithmOf, fileOf, fixed, girih, modules, namesOf, verify, web } from "./package.js";

const message = fixed("message", 1000);

/** Whether a piece of a secret key is public: part of the public key, or of ML-KEM's or ML-DSA's
 * hash of it. */
function isPublic(piece, publicKeys) {
  const hash = (name, key, outputLength) => createHash(name, { outputLength }).update(key).digest();
  return publicKeys
    .flatMap((key) => [Buffer.from(key), hash("sha3-256", key, 32), hash("shake256", key, 64)])
    .some((bytes) => bytes.indexOf(piece) !== -1);
}

/** One of each operation, single and prepared. Returns the secrets, and the public keys. */
function everyOperation(module, name) {
  const algorithm = algorithmOf(module, name);
  const keys = algorithm.keygen();
  const again = algorithm.keygen(fixed(`seed ${name}`, algorithm.lengths.seed));
  algorithm.getPublicKey(keys.secretKey);
  const publicKeys = [keys.publicKey, again.publicKey];
  if (algorithm.sign) {
    const signature = algorithm.sign(message, keys.secretKey);
    assert.equal(algorithm.verify(signature, message, keys.publicKey), true);
    assert.equal(algorithm.verify(signature, message, again.publicKey), false);
    const signing = algorithm.prepareSigningKey(keys.secretKey);
    const verifying = algorithm.prepareVerifyingKey(keys.publicKey);
    assert.equal(verifying.verify(signing.sign(message), message), true);
    assert.equal(verifying.verify(signature.slice(1), message), false);
    signing.free();
    verifying.free();
    return [[keys.secretKey, again.secretKey], publicKeys];
  }
  const { cipherText, sharedSecret } = algorithm.encapsulate(keys.publicKey);
  assert.deepEqual(algorithm.decapsulate(cipherText, keys.secretKey), sharedSecret);
  if (!algorithm.prepareEncapsulationKey)
    return [[keys.secretKey, again.secretKey, sharedSecret], publicKeys];
  const encapsulation = algorithm.prepareEncapsulationKey(keys.publicKey);
  const decapsulation = algorithm.prepareDecapsulationKey(keys.secretKey);
  const second = encapsulation.encapsulate();
  assert.deepEqual(decapsulation.decapsulate(second.cipherText), second.sharedSecret);
  encapsulation.free();
  decapsulation.free();
  return [[keys.secretKey, again.secretKey, sharedSecret, second.sharedSecret], publicKeys];
}

test("modules import randomness alone, and verification nothing", async () => {
  for (const name of ["girih", "web", "verify"])
    for (const suffix of [".wasm", ".scalar.wasm"]) {
      const imports = WebAssembly.Module.imports(
        await WebAssembly.compile(await fileOf(name + suffix)),
      );
      const random = [{ module: "girih", name: "random", kind: "function" }];
      assert.deepEqual(imports, name === "verify" ? [] : random, name + suffix);
    }
});

test("each file keeps to its size, compressed", async () => {
  const limits = { "web.wasm": 46_300, "verify.wasm": 19_000 };
  for (const [name, limit] of Object.entries(limits)) {
    // (The program's result is a fiftieth smaller than that of Node's zlib.)
    const bytes = spawnSync("gzip", ["-9c"], { input: await fileOf(name) }).stdout.length;
    assert.ok(bytes > 10_000);
    assert.ok(bytes <= limit, `${name}: ${bytes} bytes of at most ${limit}`);
  }
});

test("small modules give the bytes of the whole one", () => {
  assert.deepEqual([girih.engine, web.engine, verify.engine], Array(3).fill("wasm_simd128"));
  const keys = girih.ml_dsa65.keygen(fixed("seed", 32));
  assert.deepEqual(web.ml_dsa65.keygen(fixed("seed", 32)), keys);
  const signature = girih.ml_dsa65.sign(message, keys.secretKey, { extraEntropy: false });
  assert.deepEqual(web.ml_dsa65.sign(message, keys.secretKey, { extraEntropy: false }), signature);
  assert.equal(verify.ml_dsa65.verify(signature, message, keys.publicKey), true);
  assert.equal(verify.ml_dsa65.verify(signature, message.slice(1), keys.publicKey), false);
  const prepared = verify.ml_dsa65.prepareVerifyingKey(keys.publicKey);
  assert.equal(prepared.verify(signature, message), true);
  const seed = fixed("seed", 64);
  assert.deepEqual(web.ml_kem768.keygen(seed), girih.ml_kem768.keygen(seed));
});

test("two draws of randomness differ", () => {
  const { publicKey, secretKey } = girih.ml_dsa65.keygen();
  assert.notDeepEqual(girih.ml_dsa65.keygen().publicKey, publicKey);
  assert.notDeepEqual(
    girih.ml_dsa65.sign(message, secretKey),
    girih.ml_dsa65.sign(message, secretKey),
  );
  const exchange = girih.ml_kem768.keygen();
  assert.notDeepEqual(
    girih.ml_kem768.encapsulate(exchange.publicKey),
    girih.ml_kem768.encapsulate(exchange.publicKey),
  );
});

for (const [engine, module] of modules)
  for (const name of namesOf(module)) {
    test(`${name} on ${engine} leaves no secret in memory`, () => {
      const [secrets, publicKeys] = everyOperation(module, name);
      const memory = Buffer.from(module.instance.exports.memory.buffer);
      for (const secret of secrets)
        for (let at = 0; at + 16 <= secret.length; at += 16) {
          const piece = secret.subarray(at, at + 16);
          if (new Set(piece).size < 12) continue; // as common as zeros
          if (memory.indexOf(piece) !== -1)
            assert.ok(isPublic(piece, publicKeys), `byte ${at} of a secret is left`);
        }
    });
    test(`${name} on ${engine} fits the stack`, () => {
      const { instance } = module;
      const top = instance.exports.__stack_pointer.value;
      const mark = 0xa5;
      instance.bytes.fill(mark, 0, top);
      everyOperation(module, name);
      const lowest = instance.bytes.findIndex((byte) => byte !== mark);
      instance.bytes.fill(0, 0, top);
      assert.ok(lowest > top / 4, `${name} takes ${top - lowest} of ${top} bytes`);
      if (process.env.GIRIH_STACKS) console.log(`${engine}\t${name}\t${top - lowest}`);
    });
  }

test("a message larger than the arena is signed, and its memory is wiped and used again", () => {
  const { secretKey, publicKey } = girih.ml_dsa65.keygen();
  const large = new Uint8Array(3_000_000).fill(0x5a);
  const signature = girih.ml_dsa65.sign(large, secretKey);
  assert.equal(girih.ml_dsa65.verify(signature, large, publicKey), true);
  const module = modules.get("wasm_simd128");
  const algorithm = algorithmOf(module, "ML-DSA-65");
  algorithm.verify(signature, large, publicKey);
  const size = module.instance.bytes.length;
  for (let i = 0; i < 3; ++i) assert.equal(algorithm.verify(signature, large, publicKey), true);
  assert.equal(module.instance.bytes.length, size);
  assert.equal(module.instance.bytes.indexOf(new Uint8Array(32).fill(0x5a)), -1);
});

test("freed keys are wiped, and their memory is used again", () => {
  const module = modules.get("wasm_simd128");
  const algorithm = algorithmOf(module, "ML-DSA-65");
  const { secretKey } = algorithm.keygen();
  algorithm.prepareSigningKey(secretKey).free();
  const size = module.instance.bytes.length;
  const before = Buffer.from(module.instance.bytes);
  for (let i = 0; i < 100; ++i) algorithm.prepareSigningKey(secretKey).free();
  assert.equal(module.instance.bytes.length, size);
  const from = module.instance.exports.__heap_base.value;
  assert.equal(before.compare(module.instance.bytes, from, size, from, size), 0);
});

test("an error of the source of randomness reaches the caller, and the next call works", () => {
  const { getRandomValues } = globalThis.crypto;
  globalThis.crypto.getRandomValues = () => {
    throw new Error("no entropy today");
  };
  try {
    assert.throws(() => girih.ml_dsa65.keygen(), /no entropy today/);
    assert.throws(() => girih.ml_kem768.keygen(), /no entropy today/);
  } finally {
    globalThis.crypto.getRandomValues = getRandomValues;
  }
  assert.equal(girih.ml_dsa65.keygen().publicKey.length, 1952);
});

test("a trap wipes the instance, tells of lost keys, and the next call works", () => {
  const module = modules.get("wasm_simd128");
  const algorithm = algorithmOf(module, "ML-DSA-65");
  const { secretKey, publicKey } = algorithm.keygen();
  const key = algorithm.prepareSigningKey(secretKey);
  const lost = module.instance;
  // With this little stack left, signing leaves the memory.
  lost.exports.__stack_pointer.value = 1024;
  assert.throws(
    () => algorithm.sign(message, secretKey),
    (error) => error.cause instanceof WebAssembly.RuntimeError,
  );
  assert.equal(
    lost.bytes.every((byte) => byte === 0),
    true,
  );
  assert.throws(() => key.sign(message), /lost/);
  key.free();
  const signature = algorithm.sign(message, secretKey);
  assert.equal(algorithm.verify(signature, message, publicKey), true);
  assert.notEqual(module.instance, lost);
});
