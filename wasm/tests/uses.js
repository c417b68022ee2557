// Every use of bytes: of each argument of each function, in each entry of the package.

import { compiled, fixed, girih, verify, web } from "./package.js";

export const message = fixed("message", 100);
export const context = fixed("context", 9);
export const signing = girih.ml_dsa65.keygen(fixed("seed", 32));
export const signature = girih.ml_dsa65.sign(message, signing.secretKey, {
  context,
  extraEntropy: false,
});
export const exchange = girih.ml_kem768.keygen(fixed("seed", 64));
const entropy = fixed("entropy", 32);
const { cipherText } = girih.ml_kem768.encapsulate(exchange.publicKey, entropy);

/** The result of work(key), and the key freed. */
function prepared(key, work) {
  try {
    return work(key);
  } finally {
    key.free();
  }
}

/** An argument's name, a good value, and a function of the value in its place. `length` is a number if
 * only that many bytes are taken. */
const row = (argument, good, use, isOfOneLength = true) => ({
  argument,
  good,
  use,
  length: isOfOneLength ? good.length : undefined,
});
const any = false;

const verifying = ({ ml_dsa65 }) => [
  row(
    "signature",
    signature,
    (value) => ml_dsa65.verify(value, message, signing.publicKey, { context }),
    any,
  ),
  row(
    "message",
    message,
    (value) => ml_dsa65.verify(signature, value, signing.publicKey, { context }),
    any,
  ),
  row("publicKey", signing.publicKey, (value) =>
    ml_dsa65.verify(signature, message, value, { context }),
  ),
  row(
    "context",
    context,
    (value) => ml_dsa65.verify(signature, message, signing.publicKey, { context: value }),
    any,
  ),
  row("publicKey", signing.publicKey, (value) =>
    prepared(ml_dsa65.prepareVerifyingKey(value), (key) =>
      key.verify(signature, message, { context }),
    ),
  ),
  ...[
    ["signature", signature, (value) => [value, message, { context }]],
    ["message", message, (value) => [signature, value, { context }]],
    ["context", context, (value) => [signature, message, { context: value }]],
  ].map(([argument, good, inputs]) =>
    row(
      argument,
      good,
      (value) =>
        prepared(ml_dsa65.prepareVerifyingKey(signing.publicKey), (key) =>
          key.verify(...inputs(value)),
        ),
      any,
    ),
  ),
];

const signers = ({ ml_dsa65 }) => [
  row("seed", fixed("seed", 32), (value) => ml_dsa65.keygen(value)),
  row("secretKey", signing.secretKey, (value) => ml_dsa65.getPublicKey(value)),
  row(
    "message",
    message,
    (value) => ml_dsa65.sign(value, signing.secretKey, { extraEntropy: false }),
    any,
  ),
  row("secretKey", signing.secretKey, (value) =>
    ml_dsa65.sign(message, value, { extraEntropy: false }),
  ),
  row(
    "context",
    context,
    (value) => ml_dsa65.sign(message, signing.secretKey, { context: value, extraEntropy: false }),
    any,
  ),
  row("extraEntropy", entropy, (value) =>
    ml_dsa65.sign(message, signing.secretKey, { extraEntropy: value }),
  ),
  row("secretKey", signing.secretKey, (value) =>
    prepared(ml_dsa65.prepareSigningKey(value), (key) =>
      key.sign(message, { extraEntropy: false }),
    ),
  ),
  row(
    "message",
    message,
    (value) =>
      prepared(ml_dsa65.prepareSigningKey(signing.secretKey), (key) =>
        key.sign(value, { extraEntropy: false }),
      ),
    any,
  ),
];

const kems = ({ ml_kem768 }) => [
  row("seed", fixed("seed", 64), (value) => ml_kem768.keygen(value)),
  row("publicKey", exchange.publicKey, (value) => ml_kem768.encapsulate(value, entropy)),
  row("msg", entropy, (value) => ml_kem768.encapsulate(exchange.publicKey, value)),
  row("cipherText", cipherText, (value) => ml_kem768.decapsulate(value, exchange.secretKey)),
  row("secretKey", exchange.secretKey, (value) => ml_kem768.decapsulate(cipherText, value)),
  row("publicKey", exchange.publicKey, (value) =>
    prepared(ml_kem768.prepareEncapsulationKey(value), (key) => key.encapsulate(entropy)),
  ),
  row("msg", entropy, (value) =>
    prepared(ml_kem768.prepareEncapsulationKey(exchange.publicKey), (key) =>
      key.encapsulate(value),
    ),
  ),
  row("secretKey", exchange.secretKey, (value) =>
    prepared(ml_kem768.prepareDecapsulationKey(value), (key) => key.decapsulate(cipherText)),
  ),
  row("cipherText", cipherText, (value) =>
    prepared(ml_kem768.prepareDecapsulationKey(exchange.secretKey), (key) =>
      key.decapsulate(value),
    ),
  ),
];

const { ml_dsa65, ml_kem768, PublicKey, SecretKey } = girih;
const streams = [
  row(
    "signature",
    signature,
    (value) => ml_dsa65.verifyStream(value, [message], signing.publicKey, { context }),
    any,
  ),
  row(
    "message",
    message,
    (value) => ml_dsa65.verifyStream(signature, [value], signing.publicKey, { context }),
    any,
  ),
  row("publicKey", signing.publicKey, (value) =>
    ml_dsa65.verifyStream(signature, [message], value, { context }),
  ),
  row(
    "context",
    context,
    (value) => ml_dsa65.verifyStream(signature, [message], signing.publicKey, { context: value }),
    any,
  ),
  row(
    "message",
    message,
    (value) => ml_dsa65.signStream([value], signing.secretKey, { extraEntropy: false }),
    any,
  ),
  row("secretKey", signing.secretKey, (value) =>
    ml_dsa65.signStream([message], value, { extraEntropy: false }),
  ),
  row("extraEntropy", entropy, (value) =>
    ml_dsa65.signStream([message], signing.secretKey, { extraEntropy: value }),
  ),
];

const secret = SecretKey.fromSeed(ml_dsa65, fixed("seed", 32));
const keys = [
  row("publicKey", signing.publicKey, (value) => new PublicKey(ml_dsa65, value).toDer()),
  row("publicKey", exchange.publicKey, (value) => new PublicKey(ml_kem768, value).toDer()),
  row("secretKey", signing.secretKey, (value) => new SecretKey(ml_dsa65, value).toDer()),
  row("secretKey", signing.secretKey, (value) =>
    new SecretKey(ml_dsa65, value, fixed("seed", 32)).toDer(),
  ),
  row("seed", fixed("seed", 32), (value) =>
    new SecretKey(ml_dsa65, signing.secretKey, value).toDer(),
  ),
  row("seed", fixed("seed", 32), (value) => SecretKey.fromSeed(ml_dsa65, value).toDer()),
  row("key", secret.toDer(), (value) => SecretKey.fromDer(value, ml_dsa65).bytes, any),
  row("key", secret.publicKey.toDer(), (value) => PublicKey.fromDer(value, ml_dsa65).bytes, any),
  row("message", message, (value) => secret.sign(value, { extraEntropy: false }), any),
  row("signature", signature, (value) => secret.publicKey.verify(value, message, { context }), any),
  row("message", message, (value) => secret.publicKey.verify(signature, value, { context }), any),
];

export const uses = Object.entries({
  girih: [...verifying(girih), ...signers(girih), ...kems(girih)],
  web: [...verifying(web), ...signers(web), ...kems(web)],
  compiled: [...verifying(compiled), ...signers(compiled), ...kems(compiled)],
  verify: verifying(verify),
  streams,
  keys,
}).flatMap(([where, rows]) =>
  rows.map((one, number) => ({
    ...one,
    title: `${where} ${number + 1}, ${one.argument} of ${String(one.use)
      .replace(/^.*?=>\s*/s, "")
      .replace(/\s+/g, " ")}`,
  })),
);
