#!/usr/bin/env node
// girih against @noble/post-quantum, in one process, each operation in turn:
// node wasm/tests/race.js FOLDER-OF-NOBLE [SECONDS]. Prints medians in microseconds, and ratios.

import { pathToFileURL } from "node:url";

import { algorithmOf, modules } from "./package.js";

const [folder, seconds = "2"] = process.argv.slice(2);
const noble = (file) => import(new URL(file, pathToFileURL(`${folder}/`)));
const { ml_dsa65 } = await noble("ml-dsa.js");
const { ml_kem768 } = await noble("ml-kem.js");
const message = new Uint8Array(59).fill(7);

/** The operations of both algorithms, the same inputs for all. Each signature is of a new message. */
function operations(signer, kem) {
  const signing = signer.keygen(new Uint8Array(32).fill(1));
  const exchange = kem.keygen(new Uint8Array(64).fill(2));
  const signature = signer.sign(message, signing.secretKey, { extraEntropy: false });
  const { cipherText } = kem.encapsulate(exchange.publicKey, new Uint8Array(32).fill(3));
  const count = new DataView(new ArrayBuffer(8));
  const next = () => (count.setUint32(0, count.getUint32(0) + 1), new Uint8Array(count.buffer));
  const found = {
    keygen: () => signer.keygen(new Uint8Array(32).fill(1)),
    sign: () => signer.sign(next(), signing.secretKey, { extraEntropy: false }),
    verify: () => signer.verify(signature, message, signing.publicKey),
    "KEM keygen": () => kem.keygen(new Uint8Array(64).fill(2)),
    encapsulate: () => kem.encapsulate(exchange.publicKey),
    decapsulate: () => kem.decapsulate(cipherText, exchange.secretKey),
  };
  if (!signer.prepareSigningKey) return found;
  const signingKey = signer.prepareSigningKey(signing.secretKey);
  const verifyingKey = signer.prepareVerifyingKey(signing.publicKey);
  return {
    ...found,
    "sign, prepared": () => signingKey.sign(next(), { extraEntropy: false }),
    "verify, prepared": () => verifyingKey.verify(signature, message),
  };
}

const racers = { noble: operations(ml_dsa65, ml_kem768) };
for (const [engine, module] of modules)
  racers[engine] = operations(algorithmOf(module, "ML-DSA-65"), algorithmOf(module, "ML-KEM-768"));

// Signing varies with the number of attempts, so medians are of means of several signatures.
const group = (name) => (name.startsWith("sign") ? 10 : 1);
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

for (const name of Object.keys(racers.wasm_simd128)) {
  const times = Object.fromEntries(Object.keys(racers).map((racer) => [racer, []]));
  const end = performance.now() + 1000 * Number(seconds);
  while (performance.now() < end)
    for (const [racer, { [name]: operation = racers[racer][name.split(",")[0]] }] of Object.entries(racers)) {
      const start = performance.now();
      for (let i = 0; i < group(name); ++i) operation();
      times[racer].push(((performance.now() - start) * 1000) / group(name));
    }
  const medians = Object.fromEntries(Object.entries(times).map(([racer, all]) => [racer, median(all.slice(all.length >> 2))]));
  const shown = Object.entries(medians).map(([racer, time]) => `${racer} ${time.toFixed(0)}`);
  console.log(`${name}: ${shown.join(", ")} us; noble / wasm_simd128 ${(medians.noble / medians.wasm_simd128).toFixed(1)}`);
}
