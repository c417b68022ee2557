// Messages in pieces: the signatures of whole ones, from every kind of source.

import assert from "node:assert/strict";
import { Readable } from "node:stream";
import { test } from "node:test";

import { algorithmOf, fixed, girih, modules, verify, web } from "./package.js";

const { ml_dsa65, dilithium3, falcon512 } = girih;
const message = fixed("message", 100_000);
const context = fixed("context", 9);
const keys = ml_dsa65.keygen(fixed("seed", 32));
const signature = ml_dsa65.sign(message, keys.secretKey, { context, extraEntropy: false });

function* cut(size) {
  for (let at = 0; at < message.length; at += size) yield message.subarray(at, at + size);
}
const sources = {
  "an array": () => [...cut(40_000)],
  "a generator": () => cut(135),
  "an async generator": async function* () {
    yield* cut(1000);
  },
  "one large piece": () => [message],
  "empty pieces": () => [new Uint8Array(), message, new Uint8Array()],
  "a stream of Node": () => Readable.from(cut(5000)),
  "a ReadableStream": () => new Blob([message]).stream(),
  "a ReadableStream that is no iterable": () => ({
    getReader: () => new Blob([message]).stream().getReader(),
  }),
};

for (const [kind, source] of Object.entries(sources))
  test(`${kind} is signed and verified as the whole message is`, async () => {
    const options = { context, extraEntropy: false };
    assert.deepEqual(await ml_dsa65.signStream(source(), keys.secretKey, options), signature);
    assert.equal(
      await ml_dsa65.verifyStream(signature, source(), keys.publicKey, { context }),
      true,
    );
    assert.equal(await ml_dsa65.verifyStream(signature, source(), keys.publicKey), false);
    assert.equal(
      await ml_dsa65.verifyStream(signature.slice(1), source(), keys.publicKey, { context }),
      false,
    );
  });

test("ML-DSA and Dilithium have streams on both engines, Falcon and small modules have none", async () => {
  const signers = [girih.ml_dsa44, girih.ml_dsa87, girih.dilithium2, dilithium3, girih.dilithium5];
  for (const module of modules.values()) signers.push(algorithmOf(module, "ML-DSA-65"));
  for (const signer of signers) {
    const { publicKey, secretKey } = signer.keygen();
    const made = await signer.signStream(cut(5000), secretKey);
    assert.equal(signer.verify(made, message, publicKey), true);
    assert.equal(await signer.verifyStream(made, cut(777), publicKey), true);
    assert.equal(await signer.verifyStream(made, [message, Uint8Array.of(0)], publicKey), false);
  }
  for (const signer of [falcon512, web.ml_dsa65, verify.ml_dsa65])
    assert.equal(signer.verifyStream, undefined);
});

test("streams of several messages may be interleaved, and their memory is used again", async () => {
  const { instance } = modules.get("wasm_simd128");
  const signer = algorithmOf(modules.get("wasm_simd128"), "ML-DSA-65");
  const slow = async function* () {
    for (const piece of cut(10_000)) {
      await new Promise(setImmediate);
      yield piece;
    }
  };
  const all = () =>
    Promise.all(
      [1, 2, 3].map(() => signer.verifyStream(signature, slow(), keys.publicKey, { context })),
    );
  assert.deepEqual(await all(), [true, true, true]);
  const size = instance.bytes.length;
  for (let i = 0; i < 5; ++i) await all();
  assert.equal(instance.bytes.length, size);
});

test("sources that give no bytes are refused, and their own errors reach the caller", async () => {
  const refused = (source, kind, pattern) =>
    assert.rejects(
      ml_dsa65.verifyStream(signature, source, keys.publicKey),
      (error) => error instanceof kind && pattern.test(error.message),
    );
  for (const source of ["text", message, null, undefined, 5, {}])
    await refused(source, TypeError, /^message: expected an iterable/);
  for (const piece of ["text", 5, null, new Uint16Array(2)])
    await refused([message, piece], TypeError, /^message: expected a Uint8Array/);
  await refused(
    (function* () {
      yield message;
      throw new Error("the disk is gone");
    })(),
    Error,
    /the disk is gone/,
  );
  await assert.rejects(ml_dsa65.signStream([message], keys.publicKey), /^RangeError: secretKey: /);
  await assert.rejects(
    ml_dsa65.verifyStream("text", [message], keys.publicKey),
    /^TypeError: signature: /,
  );
  await assert.rejects(
    dilithium3.signStream([message], dilithium3.keygen().secretKey, { context }),
    /^GirihError: context: /,
  );
});

test("a message is lost when its module traps", async () => {
  const module = modules.get("wasm_simd128");
  const signer = algorithmOf(module, "ML-DSA-65");
  const trapping = function* () {
    yield message;
    module.instance.exports.__stack_pointer.value = 1024;
    assert.throws(() => signer.sign(message, keys.secretKey), /trapped/);
    yield message;
  };
  await assert.rejects(
    signer.signStream(trapping(), keys.secretKey),
    /message that it held is lost/,
  );
  assert.equal(signer.verify(signature, message, keys.publicKey, { context }), true);
});
