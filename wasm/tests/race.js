#!/usr/bin/env node
// girih against @noble/post-quantum and @oqs/liboqs-js, in one process, each operation in turn:
// node wasm/tests/race.js NODE-MODULES [SECONDS]. Prints medians in microseconds, and ratios.

import { pathToFileURL } from "node:url";

import { algorithmOf, modules } from "./package.js";

const [folder, seconds = "2"] = process.argv.slice(2);
const peer = (file) => import(new URL(file, pathToFileURL(`${folder}/`)));
const { ml_dsa65 } = await peer("@noble/post-quantum/ml-dsa.js");
const { ml_kem768 } = await peer("@noble/post-quantum/ml-kem.js");
const { createMLDSA65 } = await peer("@oqs/liboqs-js/src/sig.js");
const { createMLKEM768 } = await peer("@oqs/liboqs-js/src/kem.js");
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

/** liboqs-js with the interface of noble. It draws its own randomness, also where others have a seed. */
const oqsSigner = await createMLDSA65();
const oqsKem = await createMLKEM768();
const oqs = [
  {
    keygen: () => oqsSigner.generateKeyPair(),
    sign: (data, secretKey) => oqsSigner.sign(data, secretKey),
    verify: (signature, data, publicKey) => oqsSigner.verify(data, signature, publicKey),
  },
  {
    keygen: () => oqsKem.generateKeyPair(),
    encapsulate: (publicKey) => {
      const { ciphertext: cipherText, sharedSecret } = oqsKem.encapsulate(publicKey);
      return { cipherText, sharedSecret };
    },
    decapsulate: (cipherText, secretKey) => oqsKem.decapsulate(cipherText, secretKey),
  },
];

const racers = { noble: operations(ml_dsa65, ml_kem768), "liboqs-js": operations(...oqs) };
for (const [engine, module] of modules)
  racers[engine] = operations(algorithmOf(module, "ML-DSA-65"), algorithmOf(module, "ML-KEM-768"));

// Medians are of means of several operations: signing varies with the number of attempts. Processor
// time, because other programs share the machine.
const group = 10;
const spent = () => {
  const { user, system } = process.cpuUsage();
  return user + system;
};
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

// A host compiles a module again for speed once it has run for some time.
for (const operations of Object.values(racers))
  for (const operation of Object.values(operations))
    for (const end = performance.now() + 500; performance.now() < end;) operation();

for (const name of Object.keys(racers.wasm_simd128)) {
  const times = Object.fromEntries(Object.keys(racers).map((racer) => [racer, []]));
  const end = performance.now() + 1000 * Number(seconds);
  while (performance.now() < end)
    for (const [racer, { [name]: operation = racers[racer][name.split(",")[0]] }] of Object.entries(
      racers,
    )) {
      const start = spent();
      for (let i = 0; i < group; ++i) operation();
      times[racer].push((spent() - start) / group);
    }
  const medians = Object.fromEntries(
    Object.entries(times).map(([racer, all]) => [racer, median(all)]),
  );
  const shown = Object.entries(medians).map(([racer, time]) => `${racer} ${time.toFixed(0)}`);
  const ratios = ["noble", "liboqs-js"].map(
    (racer) => `${racer} / wasm_simd128 ${(medians[racer] / medians.wasm_simd128).toFixed(1)}`,
  );
  console.log(`${name}: ${shown.join(", ")} us; ${ratios.join(", ")}`);
}
