// A transcript of an algorithm: outputs of fixed inputs, which `fixed(label, size)` gives. Runs in
// Node and in browsers.

const count = 6;
const equal = (a, b) => a.length === b.length && a.every((byte, i) => byte === b[i]);
function check(isGood, what) {
  if (!isGood) throw new Error(`${what} does not hold`);
}

function signatures({ sign, verify }, name, { publicKey, secretKey }, fixed) {
  const hasContext = name.startsWith("ML-DSA");
  const rand = hasContext ? 32 : name.startsWith("Falcon") ? 88 : 64;
  return Array.from({ length: count }, (_, number) => {
    const label = `${name} ${number}`;
    const context = hasContext ? fixed(`context ${label}`, number % 5) : undefined;
    const isDeterministic = rand !== 88 && number % 2 === 1;
    const extraEntropy = isDeterministic ? false : fixed(`entropy ${label}`, rand);
    const message = fixed(`message ${label}`, number * 37);
    const signature = sign(message, secretKey, { context, extraEntropy });
    check(verify(signature, message, publicKey, { context }), `${label} verifies`);
    return signature;
  });
}

function encapsulations({ encapsulate, decapsulate }, name, { publicKey, secretKey }, fixed) {
  return Array.from({ length: count }, (_, number) => {
    const { cipherText, sharedSecret } = encapsulate(publicKey, fixed(`msg ${name} ${number}`, 32));
    check(equal(decapsulate(cipherText, secretKey), sharedSecret), `${name}: the secret of both`);
    const changed = Uint8Array.from(cipherText);
    changed[0] ^= 1;
    return [cipherText, sharedSecret, decapsulate(changed, secretKey)];
  }).flat();
}

/** The keys and outputs of an algorithm. native.py makes the same of the native library. */
export function transcript(algorithm, name, fixed) {
  const keys = algorithm.keygen(fixed(`seed ${name}`, algorithm.lengths.seed));
  check(
    equal(algorithm.getPublicKey(keys.secretKey), keys.publicKey),
    `${name}: the public key of the secret one`,
  );
  const outputs = algorithm.sign
    ? signatures(algorithm, name, keys, fixed)
    : encapsulations(algorithm, name, keys, fixed);
  return [keys.publicKey, keys.secretKey, ...outputs];
}
