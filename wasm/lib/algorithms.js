// Signatures and key encapsulation: names and order of arguments are those of @noble/post-quantum.
// Prepared keys stand beside.

import { bytes, contextOf, optionalBytes, options, piecesOf } from "./bytes.js";
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

  /** Module.run with the arguments that stand for the key: its address. */
  run(work) {
    if (this.#block === undefined) throw new Error("girih: this prepared key was freed");
    return this.#module.run((call, invoke) => work(call, invoke, [this.#address]), this.#instance);
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

/** A key in bytes, which each call puts into the module: as a prepared one, to operations. */
const plain = (module, algorithm, key) => ({
  run: (work) => module.run((call, invoke) => work(call, invoke, [algorithm, ...call.put(key)])),
});

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

/** Whether a module reads messages of an algorithm in pieces. Small modules do not. */
const hasStreams = (module, algorithm) => module.has("girih_has_mu") && module.invoke("girih_has_mu", algorithm) === 1;

/** The message representative of a message that comes in pieces (FIPS 204, Algorithm 7, line 6). */
async function muOf(module, algorithm, source, publicKey, context) {
  const { instance } = module;
  const state = instance.allocate(module.invoke("wasm_message_bytes"));
  const onState = (work) => module.run((call, invoke) => work(call, invoke, state.address), instance);
  const most = 1 << 15; // fits the arena
  try {
    onState((call, invoke, message) =>
      invoke("wasm_message_begin", message, algorithm, ...call.put(publicKey), ...call.put(context)));
    for await (const piece of piecesOf("message", source))
      for (let at = 0; at < piece.length; at += most)
        onState((call, invoke, message) => invoke("girih_message_update", message, ...call.put(piece.subarray(at, at + most))));
    return onState((call, invoke, message) => {
      const mu = call.room(64);
      invoke("girih_message_mu", message, ...mu);
      return call.take(mu);
    });
  } finally {
    instance.free(state);
  }
}

function verifying(module, algorithm, lengths) {
  /** Whether `name`, an export for such keys, accepts a signature. */
  const accepts = (key, name, signature, message, chosen) => {
    bytes("signature", signature);
    bytes("message", message);
    const context = contextOf(options(chosen, ["context"]));
    return key.run((call, invoke, first) => {
      const values = [...first, ...call.put(context), ...call.put(message), ...call.put(signature)];
      return invoke(name, ...values) !== code.signature;
    });
  };
  const streams = hasStreams(module, algorithm) && {
    async verifyStream(signature, source, publicKey, chosen) {
      bytes("signature", signature);
      bytes("publicKey", publicKey, lengths.publicKey);
      const context = contextOf(options(chosen, ["context"]));
      const mu = await muOf(module, algorithm, source, publicKey, context);
      return plain(module, algorithm, publicKey).run((call, invoke, first) =>
        invoke("girih_verify_mu", ...first, ...call.put(mu), ...call.put(signature)) !== code.signature);
    },
  };
  return {
    ...streams,
    verify(signature, message, publicKey, chosen) {
      bytes("publicKey", publicKey, lengths.publicKey);
      return accepts(plain(module, algorithm, publicKey), "girih_verify_with_context", signature, message, chosen);
    },
    prepareVerifyingKey(publicKey) {
      const key = new PreparedKey(module, "verifying", algorithm, bytes("publicKey", publicKey, lengths.publicKey));
      return prepared(key, {
        verify: (signature, message, chosen) => accepts(key, "girih_verify_prepared_with_context", signature, message, chosen),
      });
    },
  };
}

function signing(module, algorithm, lengths) {
  const chosenBy = (chosen) => {
    const how = options(chosen, ["context", "extraEntropy"]);
    const isDeterministic = how.extraEntropy === false;
    const entropy = isDeterministic ? undefined : optionalBytes("extraEntropy", how.extraEntropy, lengths.signRand);
    return { context: contextOf(how), entropy: entropy ?? new Uint8Array(), isDeterministic };
  };
  /** A signature by `name`, an export for such keys, of inputs in its order. */
  const made = (key, name, inputs, { entropy, isDeterministic }) =>
    key.run((call, invoke, first) => {
      const signature = call.room(lengths.signature);
      const values = [...inputs, entropy].flatMap((input) => call.put(input));
      return call.take(signature, invoke(name, ...first, ...values, isDeterministic ? 1 : 0, ...signature));
    });
  const signed = (key, name, message, chosen) => {
    bytes("message", message);
    const how = chosenBy(chosen);
    return made(key, name, [how.context, message], how);
  };
  const streams = hasStreams(module, algorithm) && {
    async signStream(source, secretKey, chosen) {
      bytes("secretKey", secretKey, lengths.secretKey);
      const how = chosenBy(chosen);
      const { getPublicKey } = keys(module, algorithm, lengths);
      const mu = await muOf(module, algorithm, source, getPublicKey(secretKey), how.context);
      return made(plain(module, algorithm, secretKey), "wasm_sign_mu", [mu], how);
    },
  };
  return {
    ...streams,
    sign(message, secretKey, chosen) {
      bytes("secretKey", secretKey, lengths.secretKey);
      return signed(plain(module, algorithm, secretKey), "wasm_sign", message, chosen);
    },
    prepareSigningKey(secretKey) {
      const key = new PreparedKey(module, "signing", algorithm, bytes("secretKey", secretKey, lengths.secretKey));
      return prepared(key, { sign: (message, chosen) => signed(key, "wasm_sign_prepared", message, chosen) });
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

  const encapsulated = (key, name, msg) => {
    optionalBytes("msg", msg, lengths.msgRand);
    return key.run((call, invoke, first) => {
      const cipherText = call.room(lengths.cipherText);
      const sharedSecret = call.room(secretBytes);
      invoke(name, ...first, ...call.put(msg ?? new Uint8Array()), ...cipherText, ...sharedSecret);
      return { cipherText: call.take(cipherText), sharedSecret: call.take(sharedSecret) };
    });
  };
  const decapsulated = (key, name, cipherText) => {
    bytes("cipherText", cipherText, lengths.cipherText);
    return key.run((call, invoke, first) => {
      const sharedSecret = call.room(secretBytes);
      invoke(name, ...first, ...call.put(cipherText), ...sharedSecret);
      return call.take(sharedSecret);
    });
  };
  const operations = {
    encapsulate(publicKey, msg) {
      bytes("publicKey", publicKey, lengths.publicKey);
      return encapsulated(plain(module, algorithm, publicKey), "wasm_encapsulate", msg);
    },
    decapsulate(cipherText, secretKey) {
      bytes("secretKey", secretKey, lengths.secretKey);
      return decapsulated(plain(module, algorithm, secretKey), "girih_decapsulate", cipherText);
    },
  };
  // NTRU Prime has no prepared keys.
  if (module.invoke("girih_encapsulation_key_size", algorithm) > 0) {
    operations.prepareEncapsulationKey = (publicKey) => {
      const key = new PreparedKey(module, "encapsulation", algorithm, bytes("publicKey", publicKey, lengths.publicKey));
      return prepared(key, { encapsulate: (msg) => encapsulated(key, "wasm_encapsulate_prepared", msg) });
    };
    operations.prepareDecapsulationKey = (secretKey) => {
      const key = new PreparedKey(module, "decapsulation", algorithm, bytes("secretKey", secretKey, lengths.secretKey));
      return prepared(key, { decapsulate: (cipherText) => decapsulated(key, "girih_decapsulate_prepared", cipherText) });
    };
  }
  return Object.freeze({
    info: Object.freeze({ type: name }), lengths, ...keys(module, algorithm, lengths), ...operations,
  });
}
