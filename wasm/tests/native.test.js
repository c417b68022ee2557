// Every algorithm gives the bytes of the native library, on both engines.

import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

import { algorithmOf, digest, fixed, modules, namesOf } from "./package.js";

const count = 6;
const script = fileURLToPath(new URL("native.py", import.meta.url));
const { stdout } = await promisify(execFile)("python3", [script, String(count)], { maxBuffer: 1 << 24 });
const native = JSON.parse(stdout);

function signatures({ sign, verify }, name, { publicKey, secretKey }) {
  const hasContext = name.startsWith("ML-DSA");
  const rand = hasContext ? 32 : name.startsWith("Falcon") ? 88 : 64;
  const found = [];
  for (let number = 0; number < count; ++number) {
    const label = `${name} ${number}`;
    const context = hasContext ? fixed(`context ${label}`, number % 5) : undefined;
    const isDeterministic = rand !== 88 && number % 2 === 1;
    const extraEntropy = isDeterministic ? false : fixed(`entropy ${label}`, rand);
    const message = fixed(`message ${label}`, number * 37);
    const signature = sign(message, secretKey, { context, extraEntropy });
    assert.equal(verify(signature, message, publicKey, { context }), true, `${label} verifies`);
    found.push(digest(signature));
  }
  return found;
}

function encapsulations({ encapsulate, decapsulate }, name, { publicKey, secretKey }) {
  const found = [];
  for (let number = 0; number < count; ++number) {
    const { cipherText, sharedSecret } = encapsulate(publicKey, fixed(`msg ${name} ${number}`, 32));
    assert.deepEqual(decapsulate(cipherText, secretKey), sharedSecret);
    const changed = Uint8Array.from(cipherText);
    changed[0] ^= 1;
    found.push(digest(cipherText), digest(sharedSecret), digest(decapsulate(changed, secretKey)));
  }
  return found;
}

for (const [engine, module] of modules) {
  test(`${engine} has the native library's algorithms`, () => {
    assert.equal(module.engine, engine);
    assert.deepEqual(namesOf(module), native.map(({ name }) => name));
  });
  for (const expected of native)
    test(`${expected.name} on ${engine} gives the native library's bytes`, () => {
      const { name } = expected;
      const algorithm = algorithmOf(module, name);
      const keys = algorithm.keygen(fixed(`seed ${name}`, algorithm.lengths.seed));
      assert.equal(digest(keys.publicKey), expected.publicKey);
      assert.equal(digest(keys.secretKey), expected.secretKey);
      assert.deepEqual(algorithm.getPublicKey(keys.secretKey), keys.publicKey);
      const outputs = algorithm.sign ? signatures(algorithm, name, keys) : encapsulations(algorithm, name, keys);
      assert.deepEqual(outputs, expected.outputs);
    });
}
