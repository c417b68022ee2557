// Signatures and key encapsulation: names and order of arguments are those of @noble/post-quantum.
// Prepared keys stand beside.

import { bytes, contextOf, optionalBytes, options } from "./bytes.js";
import { code } from "./module.js";

/** A key that a module holds, prepared for many operations. */
class PreparedKey {
  #module;
  #instance;
  #block;
  #address;

  constructor(module, kind, algorithm, key) {
    this.#module = module;
    this.#instance = module.instance;
    this.#block = this.#instance.allocate(module.invoke(`girih_${kind}_key_size`, algorithm));
    try {
      this.#address = module.run((call, invoke) => {
        const [pointer] = call.room(4);
        invoke(`girih_prepare_${kind}_key`, algorithm, ...call.put(key), this.#block.address, this.#block.size, pointer);
        return this.#instance.word(pointer);
      }, this.#instance);
    } catch (error) {
      this.#instance.free(this.#block);
      throw error;
    }
    forgotten.register(this, { instance: this.#instance, block: this.#block }, this);
  }

  /** Module.run with the address of the key. */
  run(work) {
    if (this.#block === undefined) throw new Error("girih: this prepared key was freed");
    if (this.#instance.isLost) throw new Error("girih: this prepared key was lost when its module trapped");
    return this.#module.run((call, invoke) => work(call, invoke, this.#address), this.#instance);
  }

  /** Wipes the key. May be called again. */
  free() {
    if (this.#block === undefined) return;
    this.#instance.free(this.#block);
    this.#block = undefined;
    forgotten.unregister(this);
  }
}

// Keys that nobody freed are wiped when they are collected.
const forgotten = new FinalizationRegistry(({ instance, block }) => instance.free(block));

/** A prepared key's operations, and its end. */
function prepared(key, operations) {
  const free = () => key.free();
  return Object.freeze({ ...operations, free, ...(Symbol.dispose && { [Symbol.dispose]: free }) });
}

/** An algorithm's address in a module, and its sizes by girih.h's names. */
function found(module, name) {
  const algorithm = module.algorithm(name);
  return { algorithm, size: (what) => module.invoke(`girih_${what}_bytes`, algorithm) };
}

/** Makes key pairs, and public keys of secret ones. */
function keys(module, algorithm, lengths) {
  return {
    keygen(seed) {
      optionalBytes("seed", seed, lengths.seed);
      return module.run((call, invoke) => {
        const publicKey = call.room(lengths.publicKey);
        const secretKey = call.room(lengths.secretKey);
        if (seed === undefined) invoke("wasm_keygen", algorithm, ...publicKey, ...secretKey);
        else invoke("girih_keygen_from_seed", algorithm, ...call.put(seed), ...publicKey, ...secretKey);
        return { publicKey: call.take(publicKey), secretKey: call.take(secretKey) };
      });
    },
    getPublicKey(secretKey) {
      bytes("secretKey", secretKey, lengths.secretKey);
      return module.run((call, invoke) => {
        const publicKey = call.room(lengths.publicKey);
        invoke("girih_public_key", algorithm, ...call.put(secretKey), ...publicKey);
        return call.take(publicKey);
      });
    },
  };
}

function verifying(module, algorithm, lengths) {
  /** Whether `name`, an export whose first arguments `first` puts, accepts a signature. */
  const accepts = (run, name, first, signature, message, chosen) => {
    bytes("signature", signature);
    bytes("message", message);
    const context = contextOf(options(chosen, ["context"]));
    return run((call, invoke, key) => {
      const values = [...first(call, key), ...call.put(context), ...call.put(message), ...call.put(signature)];
      return invoke(name, ...values) !== code.signature;
    });
  };
  const run = (work) => module.run(work);
  return {
    verify(signature, message, publicKey, chosen) {
      bytes("publicKey", publicKey, lengths.publicKey);
      const first = (call) => [algorithm, ...call.put(publicKey)];
      return accepts(run, "girih_verify_with_context", first, signature, message, chosen);
    },
    prepareVerifyingKey(publicKey) {
      const key = new PreparedKey(module, "verifying", algorithm, bytes("publicKey", publicKey, lengths.publicKey));
      const first = (call, address) => [address];
      return prepared(key, {
        verify: (signature, message, chosen) =>
          accepts((work) => key.run(work), "wasm_verify_prepared", first, signature, message, chosen),
      });
    },
  };
}

function signing(module, algorithm, lengths) {
  /** A signature by `name`, an export whose first arguments `first` puts. */
  const signed = (run, name, first, message, chosen) => {
    bytes("message", message);
    const how = options(chosen, ["context", "extraEntropy"]);
    const context = contextOf(how);
    const isDeterministic = how.extraEntropy === false;
    const entropy = isDeterministic ? undefined : optionalBytes("extraEntropy", how.extraEntropy, lengths.signRand);
    return run((call, invoke, key) => {
      const signature = call.room(lengths.signature);
      const length = invoke(name, ...first(call, key), ...call.put(context), ...call.put(message),
        ...call.put(entropy ?? new Uint8Array()), isDeterministic ? 1 : 0, ...signature);
      return call.take(signature, length);
    });
  };
  return {
    sign(message, secretKey, chosen) {
      bytes("secretKey", secretKey, lengths.secretKey);
      const first = (call) => [algorithm, ...call.put(secretKey)];
      return signed((work) => module.run(work), "wasm_sign", first, message, chosen);
    },
    prepareSigningKey(secretKey) {
      const key = new PreparedKey(module, "signing", algorithm, bytes("secretKey", secretKey, lengths.secretKey));
      const first = (call, address) => [address];
      return prepared(key, {
        sign: (message, chosen) => signed((work) => key.run(work), "wasm_sign_prepared", first, message, chosen),
      });
    },
  };
}

/** A signature algorithm of a module that only verifies. */
export function verifier(module, name) {
  const { algorithm, size } = found(module, name);
  const lengths = Object.freeze({ publicKey: size("public_key"), signature: size("signature") });
  return Object.freeze({ info: Object.freeze({ type: name }), lengths, ...verifying(module, algorithm, lengths) });
}

/** A signature algorithm. It draws `signRand` bytes for each signature. */
export function signer(module, name, signRand = 32) {
  const { algorithm, size } = found(module, name);
  const lengths = Object.freeze({
    publicKey: size("public_key"), secretKey: size("secret_key"), seed: size("seed"), signature: size("signature"), signRand,
  });
  return Object.freeze({
    info: Object.freeze({ type: name }), lengths, ...keys(module, algorithm, lengths), ...signing(module, algorithm, lengths),
    ...verifying(module, algorithm, lengths),
  });
}

/** A key-encapsulation algorithm. */
export function kem(module, name) {
  const { algorithm, size } = found(module, name);
  const lengths = Object.freeze({
    publicKey: size("public_key"), secretKey: size("secret_key"), seed: size("seed"), cipherText: size("ciphertext"),
    msg: 32, msgRand: 32,
  });
  const secretBytes = size("shared_secret");

  const encapsulated = (run, name, first, msg) => {
    optionalBytes("msg", msg, lengths.msgRand);
    return run((call, invoke, key) => {
      const cipherText = call.room(lengths.cipherText);
      const sharedSecret = call.room(secretBytes);
      invoke(name, ...first(call, key), ...call.put(msg ?? new Uint8Array()), ...cipherText, ...sharedSecret);
      return { cipherText: call.take(cipherText), sharedSecret: call.take(sharedSecret) };
    });
  };
  const decapsulated = (run, name, first, cipherText) => {
    bytes("cipherText", cipherText, lengths.cipherText);
    return run((call, invoke, key) => {
      const sharedSecret = call.room(secretBytes);
      invoke(name, ...first(call, key), ...call.put(cipherText), ...sharedSecret);
      return call.take(sharedSecret);
    });
  };
  const run = (work) => module.run(work);
  const operations = {
    encapsulate(publicKey, msg) {
      bytes("publicKey", publicKey, lengths.publicKey);
      return encapsulated(run, "wasm_encapsulate", (call) => [algorithm, ...call.put(publicKey)], msg);
    },
    decapsulate(cipherText, secretKey) {
      bytes("secretKey", secretKey, lengths.secretKey);
      return decapsulated(run, "girih_decapsulate", (call) => [algorithm, ...call.put(secretKey)], cipherText);
    },
  };
  // NTRU Prime has no prepared keys.
  if (module.invoke("girih_encapsulation_key_size", algorithm) > 0) {
    const first = (call, address) => [address];
    operations.prepareEncapsulationKey = (publicKey) => {
      const key = new PreparedKey(module, "encapsulation", algorithm, bytes("publicKey", publicKey, lengths.publicKey));
      const onKey = (work) => key.run(work);
      return prepared(key, { encapsulate: (msg) => encapsulated(onKey, "wasm_encapsulate_prepared", first, msg) });
    };
    operations.prepareDecapsulationKey = (secretKey) => {
      const key = new PreparedKey(module, "decapsulation", algorithm, bytes("secretKey", secretKey, lengths.secretKey));
      const onKey = (work) => key.run(work);
      return prepared(key, { decapsulate: (cipherText) => decapsulated(onKey, "girih_decapsulate_prepared", first, cipherText) });
    };
  }
  return Object.freeze({
    info: Object.freeze({ type: name }), lengths, ...keys(module, algorithm, lengths), ...operations,
  });
}
