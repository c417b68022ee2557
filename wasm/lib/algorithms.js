// Signatures and key encapsulation: names and order of arguments are those of @noble/post-quantum.
// Prepared keys stand beside. Options are read first, by which code of the caller may run; after that
// nothing but this module runs until the arguments are in the module's memory.

import { bytes, contextOf, copied, optionalBytes, options, piecesOf } from "./bytes.js";
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
        invoke(
          `girih_prepare_${kind}_key`,
          algorithm,
          ...call.put(key),
          this.#block.address,
          this.#block.size,
          pointer,
        );
        return this.#instance.word(pointer);
      }, this.#instance);
    } catch (error) {
      this.#instance.free(this.#block);
      throw error;
    }
    forgotten?.register(this, { instance: this.#instance, block: this.#block }, this);
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
    forgotten?.unregister(this);
  }
}

// Keys that nobody freed are wiped when they are collected, where the host reports it: some
// workers at the edge do not.
const forgotten =
  globalThis.FinalizationRegistry &&
  new FinalizationRegistry(({ instance, block }) => instance.free(block));

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
      const given = optionalBytes("seed", seed, lengths.seed);
      return module.run((call, invoke) => {
        const publicKey = call.room(lengths.publicKey);
        const secretKey = call.room(lengths.secretKey);
        if (given === undefined) invoke("wasm_keygen", algorithm, ...publicKey, ...secretKey);
        else
          invoke(
            "girih_keygen_from_seed",
            algorithm,
            ...call.put(given),
            ...publicKey,
            ...secretKey,
          );
        return { publicKey: call.take(publicKey), secretKey: call.take(secretKey) };
      });
    },
    getPublicKey(secretKey) {
      const key = bytes("secretKey", secretKey, lengths.secretKey);
      return module.run((call, invoke) => {
        const publicKey = call.room(lengths.publicKey);
        invoke("girih_public_key", algorithm, ...call.put(key), ...publicKey);
        return call.take(publicKey);
      });
    },
  };
}

/** Whether a module reads messages of an algorithm in pieces. Small modules do not. */
const hasStreams = (module, algorithm) =>
  module.has("girih_has_mu") && module.invoke("girih_has_mu", algorithm) === 1;

/** The message representative of a message that comes in pieces (FIPS 204, Algorithm 7, line 6). */
async function muOf(module, algorithm, source, publicKey, context) {
  const { instance } = module;
  const state = instance.allocate(module.invoke("wasm_message_bytes"));
  const onState = (work) =>
    module.run((call, invoke) => work(call, invoke, state.address), instance);
  const most = 1 << 15; // fits the arena
  try {
    onState((call, invoke, message) =>
      invoke(
        "wasm_message_begin",
        message,
        algorithm,
        ...call.put(publicKey),
        ...call.put(context),
      ),
    );
    for await (const given of piecesOf("message", source)) {
      const piece = bytes("message", given); // only now: it may have changed since its source gave it
      for (let at = 0; at < piece.length; at += most)
        onState((call, invoke, message) =>
          invoke("girih_message_update", message, ...call.put(piece.subarray(at, at + most))),
        );
    }
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
  const accepts = (key, name, signature, message, context) => {
    const inputs = [context, bytes("message", message), bytes("signature", signature)];
    return key.run(
      (call, invoke, first) =>
        invoke(name, ...first, ...inputs.flatMap((input) => call.put(input))) !== code.signature,
    );
  };
  const contextBy = (chosen) => contextOf(options(chosen, ["context"]));
  const streams = hasStreams(module, algorithm) && {
    async verifyStream(signature, source, publicKey, chosen) {
      const context = contextBy(chosen);
      const given = copied("signature", signature);
      const key = copied("publicKey", publicKey, lengths.publicKey);
      const mu = await muOf(module, algorithm, source, key, context);
      return plain(module, algorithm, key).run(
        (call, invoke, first) =>
          invoke("girih_verify_mu", ...first, ...call.put(mu), ...call.put(given)) !==
          code.signature,
      );
    },
  };
  return {
    ...streams,
    verify(signature, message, publicKey, chosen) {
      const context = contextBy(chosen);
      const key = plain(module, algorithm, bytes("publicKey", publicKey, lengths.publicKey));
      return accepts(key, "girih_verify_with_context", signature, message, context);
    },
    prepareVerifyingKey(publicKey) {
      const key = new PreparedKey(
        module,
        "verifying",
        algorithm,
        bytes("publicKey", publicKey, lengths.publicKey),
      );
      return prepared(key, {
        verify: (signature, message, chosen) =>
          accepts(key, "girih_verify_prepared_with_context", signature, message, contextBy(chosen)),
      });
    },
  };
}

function signing(module, algorithm, lengths) {
  const chosenBy = (chosen) => {
    const how = options(chosen, ["context", "extraEntropy"]);
    const isDeterministic = how.extraEntropy === false;
    const entropy = isDeterministic
      ? undefined
      : optionalBytes("extraEntropy", how.extraEntropy, lengths.signRand);
    return { context: contextOf(how), entropy: entropy ?? new Uint8Array(), isDeterministic };
  };
  /** A signature by `name`, an export for such keys, of inputs in its order. */
  const made = (key, name, inputs, { entropy, isDeterministic }) =>
    key.run((call, invoke, first) => {
      const signature = call.room(lengths.signature);
      const values = [...inputs, entropy].flatMap((input) => call.put(input));
      return call.take(
        signature,
        invoke(name, ...first, ...values, isDeterministic ? 1 : 0, ...signature),
      );
    });
  const signed = (key, name, message, how) =>
    made(key, name, [how.context, bytes("message", message)], how);
  const streams = hasStreams(module, algorithm) && {
    async signStream(source, secretKey, chosen) {
      const how = chosenBy(chosen);
      const entropy = new Uint8Array(how.entropy);
      const key = copied("secretKey", secretKey, lengths.secretKey);
      try {
        const { getPublicKey } = keys(module, algorithm, lengths);
        const mu = await muOf(module, algorithm, source, getPublicKey(key), how.context);
        return made(plain(module, algorithm, key), "wasm_sign_mu", [mu], { ...how, entropy });
      } finally {
        for (const secret of [key, entropy]) secret.fill(0);
      }
    },
  };
  return {
    ...streams,
    sign(message, secretKey, chosen) {
      const how = chosenBy(chosen);
      const key = plain(module, algorithm, bytes("secretKey", secretKey, lengths.secretKey));
      return signed(key, "wasm_sign", message, how);
    },
    prepareSigningKey(secretKey) {
      const key = new PreparedKey(
        module,
        "signing",
        algorithm,
        bytes("secretKey", secretKey, lengths.secretKey),
      );
      return prepared(key, {
        sign: (message, chosen) => signed(key, "wasm_sign_prepared", message, chosenBy(chosen)),
      });
    },
  };
}

/** A signature algorithm of a module that only verifies. */
export function verifier(module, name) {
  const { algorithm, size } = found(module, name);
  const lengths = Object.freeze({ publicKey: size("public_key"), signature: size("signature") });
  return Object.freeze({
    info: Object.freeze({ type: name }),
    lengths,
    ...verifying(module, algorithm, lengths),
  });
}

/** A signature algorithm. It draws `signRand` bytes for each signature. */
export function signer(module, name, signRand = 32) {
  const { algorithm, size } = found(module, name);
  const lengths = Object.freeze({
    publicKey: size("public_key"),
    secretKey: size("secret_key"),
    seed: size("seed"),
    signature: size("signature"),
    signRand,
  });
  return Object.freeze({
    info: Object.freeze({ type: name }),
    lengths,
    ...keys(module, algorithm, lengths),
    ...signing(module, algorithm, lengths),
    ...verifying(module, algorithm, lengths),
  });
}

/** A key-encapsulation algorithm. */
export function kem(module, name) {
  const { algorithm, size } = found(module, name);
  const lengths = Object.freeze({
    publicKey: size("public_key"),
    secretKey: size("secret_key"),
    seed: size("seed"),
    cipherText: size("ciphertext"),
    msg: 32,
    msgRand: 32,
  });
  const secretBytes = size("shared_secret");

  const encapsulated = (key, name, msg) => {
    const given = optionalBytes("msg", msg, lengths.msgRand) ?? new Uint8Array();
    return key.run((call, invoke, first) => {
      const cipherText = call.room(lengths.cipherText);
      const sharedSecret = call.room(secretBytes);
      invoke(name, ...first, ...call.put(given), ...cipherText, ...sharedSecret);
      return { cipherText: call.take(cipherText), sharedSecret: call.take(sharedSecret) };
    });
  };
  const decapsulated = (key, name, cipherText) => {
    const given = bytes("cipherText", cipherText, lengths.cipherText);
    return key.run((call, invoke, first) => {
      const sharedSecret = call.room(secretBytes);
      invoke(name, ...first, ...call.put(given), ...sharedSecret);
      return call.take(sharedSecret);
    });
  };
  const operations = {
    encapsulate(publicKey, msg) {
      const key = bytes("publicKey", publicKey, lengths.publicKey);
      return encapsulated(plain(module, algorithm, key), "wasm_encapsulate", msg);
    },
    decapsulate(cipherText, secretKey) {
      const key = bytes("secretKey", secretKey, lengths.secretKey);
      return decapsulated(plain(module, algorithm, key), "girih_decapsulate", cipherText);
    },
  };
  // NTRU Prime has no prepared keys.
  if (module.invoke("girih_encapsulation_key_size", algorithm) > 0) {
    operations.prepareEncapsulationKey = (publicKey) => {
      const key = new PreparedKey(
        module,
        "encapsulation",
        algorithm,
        bytes("publicKey", publicKey, lengths.publicKey),
      );
      return prepared(key, {
        encapsulate: (msg) => encapsulated(key, "wasm_encapsulate_prepared", msg),
      });
    };
    operations.prepareDecapsulationKey = (secretKey) => {
      const key = new PreparedKey(
        module,
        "decapsulation",
        algorithm,
        bytes("secretKey", secretKey, lengths.secretKey),
      );
      return prepared(key, {
        decapsulate: (cipherText) => decapsulated(key, "girih_decapsulate_prepared", cipherText),
      });
    };
  }
  return Object.freeze({
    info: Object.freeze({ type: name }),
    lengths,
    ...keys(module, algorithm, lengths),
    ...operations,
  });
}
