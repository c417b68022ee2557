// Wrong arguments are refused by an error that names them, and spoil nothing.

import assert from "node:assert/strict";
import { test } from "node:test";

import { fixed, girih } from "./package.js";
import { exchange, message, signing, uses } from "./uses.js";

const { ml_dsa65, ml_kem768, falcon512, dilithium2, GirihError } = girih;
const signature = ml_dsa65.sign(message, signing.secretKey, { extraEntropy: false });
const { cipherText } = ml_kem768.encapsulate(exchange.publicKey);

const names = (argument, kind) => (error) =>
  error instanceof kind && error.message.startsWith(`${argument}: `);

const result = async (use, value) => use(value);

for (const { title, argument, length, use } of uses) {
  const isOptional = ["seed", "msg", "extraEntropy", "context"].includes(argument);
  test(`${title} is a Uint8Array`, async () => {
    const wrong = [
      "text",
      5,
      {},
      [1, 2, 3],
      new Uint16Array(4),
      new ArrayBuffer(length ?? 4),
      null,
      true,
    ];
    for (const value of isOptional ? wrong : [...wrong, undefined])
      await assert.rejects(result(use, value), names(argument, TypeError), String(value));
  });
  test(`${title} has memory of its own`, async () => {
    await assert.rejects(
      result(use, new Uint8Array(new SharedArrayBuffer(length ?? 4))),
      names(argument, TypeError),
    );
    const detached = new Uint8Array(length ?? 4);
    structuredClone(detached, { transfer: [detached.buffer] });
    await assert.rejects(result(use, detached), names(argument, TypeError));
  });
  if (length !== undefined)
    test(`${title} has ${length} bytes`, async () => {
      for (const wrong of [0, length - 1, length + 1])
        await assert.rejects(result(use, new Uint8Array(wrong)), names(argument, RangeError));
    });
}

test("a context has at most 255 bytes", () => {
  ml_dsa65.sign(message, signing.secretKey, { context: new Uint8Array(255) });
  assert.throws(
    () => ml_dsa65.sign(message, signing.secretKey, { context: new Uint8Array(256) }),
    names("context", RangeError),
  );
});

test("algorithms without contexts refuse one", () => {
  const keys = dilithium2.keygen();
  assert.throws(
    () => dilithium2.sign(message, keys.secretKey, { context: new Uint8Array(1) }),
    names("context", GirihError),
  );
});

test("Falcon refuses to sign deterministically", () => {
  const keys = falcon512.keygen(fixed("seed", 48));
  assert.throws(() => falcon512.sign(message, keys.secretKey, { extraEntropy: false }), GirihError);
});

test("options are known", () => {
  assert.throws(
    () => ml_dsa65.sign(message, signing.secretKey, { Context: message }),
    /^TypeError: options: Context is unknown/,
  );
  assert.throws(
    () => ml_dsa65.verify(signature, message, signing.publicKey, { extraEntropy: false }),
    TypeError,
  );
  assert.throws(() => ml_dsa65.sign(message, signing.secretKey, message), TypeError);
  assert.throws(() => ml_dsa65.sign(message, signing.secretKey, null), TypeError);
});

test("malformed keys are named", () => {
  const publicKey = exchange.publicKey.slice().fill(255, 0, 3);
  assert.throws(() => ml_kem768.encapsulate(publicKey), names("publicKey", GirihError));
  const secretKey = exchange.secretKey.slice();
  secretKey[2400 - 40] ^= 1;
  assert.throws(() => ml_kem768.decapsulate(cipherText, secretKey), names("secretKey", GirihError));
});

test("a signature that is wrong, short or empty does not verify", () => {
  assert.equal(ml_dsa65.verify(signature, message, signing.publicKey), true);
  for (const wrong of [
    signature.map((byte, i) => (i === 70 ? byte ^ 1 : byte)),
    signature.slice(1),
    new Uint8Array(),
  ])
    assert.equal(ml_dsa65.verify(wrong, message, signing.publicKey), false);
  assert.equal(ml_dsa65.verify(signature, fixed("other", 100), signing.publicKey), false);
  assert.equal(
    ml_dsa65.verify(signature, message, signing.publicKey, { context: new Uint8Array(1) }),
    false,
  );
});

test("a freed key says so, and may be freed again", () => {
  const key = ml_dsa65.prepareSigningKey(signing.secretKey);
  key.free();
  key.free();
  assert.throws(() => key.sign(message), /was freed/);
});

test("inputs are not changed, and views of larger buffers are taken as they are", () => {
  const around = new Uint8Array(message.length + 64).fill(7);
  around.set(message, 32);
  const view = around.subarray(32, 32 + message.length);
  assert.deepEqual(ml_dsa65.sign(view, signing.secretKey, { extraEntropy: false }), signature);
  assert.deepEqual(view, message);
  assert.equal(
    ml_dsa65.verify(Buffer.from(signature), Buffer.from(message), signing.publicKey),
    true,
  );
});
