// Objects that say of themselves what is not true: arrays, options, and Object.prototype.

import assert from "node:assert/strict";
import { test } from "node:test";

import { girih } from "./package.js";
import { context, exchange, message, signature, signing, uses } from "./uses.js";

const { ml_dsa65, ml_kem768, SecretKey } = girih;

/** An array with other properties, of which none says what it is. */
const saying = (properties) => (good) => {
  const array = new Uint8Array(good);
  for (const [name, value] of Object.entries(properties))
    Object.defineProperty(array, name, { value });
  return array;
};
const shortest = () => new Uint8Array();
class Claimed extends Uint8Array {
  get length() {
    return 1 << 20;
  }
  get byteLength() {
    return 1 << 20;
  }
  get byteOffset() {
    return 64;
  }
  get buffer() {
    return new ArrayBuffer(1 << 20);
  }
  get [Symbol.toStringTag]() {
    return "Float64Array";
  }
  static get [Symbol.species]() {
    return Array;
  }
  slice() {
    return new Uint8Array();
  }
  subarray() {
    return new Uint8Array();
  }
  set() {}
  at() {
    throw new Error("at was called");
  }
  [Symbol.iterator]() {
    throw new Error("the iterator was called");
  }
}
function tracking(good) {
  const array = new Uint8Array(new ArrayBuffer(good.length, { maxByteLength: 2 * good.length }));
  array.set(good);
  return array;
}

/** Arrays that are taken by their bytes, whatever they say. */
const liars = {
  "a subclass with another length": (good) => Claimed.from(good),
  "a length of 0": saying({ length: 0 }),
  "a length of 1 GB": saying({ length: 1 << 30 }),
  "a byteLength of 0": saying({ byteLength: 0 }),
  "another buffer": saying({ buffer: new ArrayBuffer(8), byteOffset: 0 }),
  "methods of its own": saying({
    slice: shortest,
    subarray: shortest,
    at: null,
    set: null,
    [Symbol.iterator]: null,
  }),
  "another constructor": saying({ constructor: { [Symbol.species]: Array } }),
  "another prototype": (good) => Object.setPrototypeOf(new Uint8Array(good), null),
  "memory that may grow": tracking,
};
// (Claimed.from calls the constructor with a length, and then sets each element.)

/** Objects that are refused, with the TypeError's argument. */
const impostors = {
  "a Proxy": (good) => new Proxy(new Uint8Array(good), {}),
  "a Proxy that was revoked": (good) => {
    const { proxy, revoke } = Proxy.revocable(new Uint8Array(good), {});
    revoke();
    return proxy;
  },
  "an object with the prototype": (good) =>
    Object.create(Uint8Array.prototype, { length: { value: good.length } }),
  "a Float32Array with the tag": (good) =>
    Object.defineProperty(new Float32Array(good.length), Symbol.toStringTag, {
      value: "Uint8Array",
    }),
  "a DataView with the tag": (good) =>
    Object.defineProperty(new DataView(new ArrayBuffer(good.length)), Symbol.toStringTag, {
      value: "Uint8Array",
    }),
  "a Uint8ClampedArray": (good) => new Uint8ClampedArray(good),
  "shared memory that says it is not": (good) => {
    const buffer = Object.setPrototypeOf(new SharedArrayBuffer(good.length), ArrayBuffer.prototype);
    return Object.defineProperty(new Uint8Array(buffer), "buffer", {
      value: new ArrayBuffer(good.length),
    });
  },
  "shared memory that may grow": (good) =>
    new Uint8Array(new SharedArrayBuffer(good.length, { maxByteLength: 2 * good.length })),
  "memory that shrank": (good) => {
    const buffer = new ArrayBuffer(good.length, { maxByteLength: 2 * good.length });
    const array = new Uint8Array(buffer, 0, good.length);
    buffer.resize(1);
    return array;
  },
};

const result = async (use, value) => use(value);

for (const { title, argument, length, good, use } of uses) {
  test(`${title} is taken by its bytes, whatever it says`, async () => {
    const expected = await use(good);
    for (const [kind, make] of Object.entries(liars))
      assert.deepEqual(await result(use, make(good)), expected, kind);
  });
  test(`${title} is refused if it only looks right`, async () => {
    const isNamed = (error) =>
      error instanceof TypeError && error.message.startsWith(`${argument}: `);
    for (const [kind, make] of Object.entries(impostors)) {
      // The host, which asks a piece whether it is a promise, refuses this one itself.
      const isOfHost = kind === "a Proxy that was revoked" && /^streams.*message of/.test(title);
      await assert.rejects(result(use, make(good)), isOfHost ? TypeError : isNamed, kind);
    }
  });
  test(`${title} has the length of its bytes`, async () => {
    const empty = saying({ length: good.length, byteLength: good.length })(new Uint8Array());
    if (length !== undefined)
      return assert.rejects(result(use, empty), /^RangeError: \w+: expected \d+ bytes, got 0$/);
    const isKey = argument === "key";
    if (isKey) return assert.rejects(result(use, empty), SyntaxError);
    assert.deepEqual(await result(use, empty), await use(new Uint8Array()));
  });
}

// ---- Options

const deterministic = () =>
  ml_dsa65.sign(message, signing.secretKey, { context, extraEntropy: false });
const key = SecretKey.fromSeed(ml_dsa65, new Uint8Array(32));
/** Functions of options that sign at random, and that verify. */
const optional = {
  sign: (options) => ml_dsa65.sign(message, signing.secretKey, options),
  "a prepared key's sign": (options) => {
    const prepared = ml_dsa65.prepareSigningKey(signing.secretKey);
    try {
      return prepared.sign(message, options);
    } finally {
      prepared.free();
    }
  },
  signStream: (options) => ml_dsa65.signStream([message], signing.secretKey, options),
  "SecretKey's sign": (options) => key.sign(message, options),
  "SecretKey's signStream": (options) => key.signStream([message], options),
  verify: (options) => ml_dsa65.verify(signature, message, signing.publicKey, options),
  "a prepared key's verify": (options) => {
    const prepared = ml_dsa65.prepareVerifyingKey(signing.publicKey);
    try {
      return prepared.verify(signature, message, options);
    } finally {
      prepared.free();
    }
  },
  verifyStream: (options) =>
    ml_dsa65.verifyStream(signature, [message], signing.publicKey, options),
};
const pollution = {
  extraEntropy: false,
  deterministic: true,
  context,
  length: 0,
  seed: new Uint8Array(32),
  get: () => 1,
};

for (const [name, use] of Object.entries(optional)) {
  test(`${name} takes no options from Object.prototype`, async () => {
    const isSigning = /sign/.test(name);
    Object.assign(Object.prototype, pollution);
    try {
      for (const options of [undefined, {}, Object.create(null)]) {
        const made = await use(options);
        if (!isSigning)
          assert.equal(made, false); // the signature has a context
        else {
          assert.notDeepEqual(await use(options), made);
          const { publicKey } = name.startsWith("SecretKey")
            ? { publicKey: key.publicKey.bytes }
            : signing;
          assert.equal(ml_dsa65.verify(made, message, publicKey), true);
        }
      }
    } finally {
      for (const polluted of Object.keys(pollution)) delete Object.prototype[polluted];
    }
  });
  test(`${name} reads each option once`, async () => {
    const names = /sign/.test(name) ? ["context", "extraEntropy"] : ["context"];
    for (const option of names) {
      let reads = 0;
      const value = option === "context" ? context : new Uint8Array(32);
      await use({
        get [option]() {
          return ++reads === 1 ? value : "another";
        },
      });
      assert.equal(reads, 1, option);
    }
  });
  test(`${name} refuses options that are inherited`, async () => {
    class Options {
      get context() {
        return context;
      }
    }
    for (const options of [new Options(), Object.create({ context })])
      await assert.rejects(result(use, options), /^TypeError: options: context is inherited/);
    const hidden = Object.defineProperty({}, "context", { value: "text", enumerable: false });
    await assert.rejects(result(use, hidden), /^TypeError: context: /);
  });
}

/** Changes of a buffer while options are read, and what becomes of the argument. */
const changes = {
  detaches: ({ buffer }) => structuredClone(buffer, { transfer: [buffer] }),
  shrinks: ({ buffer }) => buffer.resize(1),
};
const arrays = { signature, message, publicKey: signing.publicKey, secretKey: signing.secretKey };
const during = {
  verify: [
    ["signature", "message", "publicKey"],
    (given, options) => ml_dsa65.verify(given.signature, given.message, given.publicKey, options),
  ],
  verifyStream: [
    ["signature", "publicKey"],
    (given, options) => ml_dsa65.verifyStream(given.signature, [message], given.publicKey, options),
  ],
  sign: [
    ["message", "secretKey"],
    (given, options) => ml_dsa65.sign(given.message, given.secretKey, options),
  ],
  signStream: [
    ["secretKey"],
    (given, options) => ml_dsa65.signStream([message], given.secretKey, options),
  ],
};

for (const [name, [names, use]] of Object.entries(during))
  for (const [change, act] of Object.entries(changes))
    test(`${name} sees when an option's getter ${change} an argument`, async () => {
      for (const changed of names) {
        const buffer = new ArrayBuffer(arrays[changed].length, { maxByteLength: 1 << 20 });
        const array = new Uint8Array(buffer, 0, arrays[changed].length);
        array.set(arrays[changed]);
        const options = {
          get context() {
            act(array);
            return context;
          },
        };
        await assert.rejects(
          async () => use({ ...arrays, [changed]: array }, options),
          new RegExp(`^TypeError: ${changed}: its buffer`),
        );
      }
    });

test("streams work with the keys and signatures that they were given, whatever becomes of these", async () => {
  const given = Object.fromEntries(
    Object.entries(arrays).map(([name, value]) => [name, new Uint8Array(value)]),
  );
  const spoiling = (...names) =>
    (function* () {
      yield message.subarray(0, 50);
      for (const name of names) given[name].fill(1);
      yield message.subarray(50);
    })();
  assert.equal(
    await ml_dsa65.verifyStream(
      given.signature,
      spoiling("signature", "publicKey"),
      given.publicKey,
      { context },
    ),
    true,
  );
  const made = await ml_dsa65.signStream(spoiling("secretKey"), given.secretKey, {
    context,
    extraEntropy: false,
  });
  assert.deepEqual(made, deterministic());
});

test("a piece that is detached before it is read is refused, and never left out", async () => {
  const whole = ml_dsa65.sign(new Uint8Array(50), signing.secretKey, { extraEntropy: false });
  for (let turns = 0; turns < 12; ++turns) {
    const piece = new Uint8Array(50);
    const detach = (left) =>
      left > 0
        ? queueMicrotask(() => detach(left - 1))
        : structuredClone(piece, { transfer: [piece.buffer] });
    async function* source() {
      detach(turns);
      yield piece;
    }
    const made = await ml_dsa65
      .signStream(source(), signing.secretKey, { extraEntropy: false })
      .catch((error) => error);
    if (made instanceof Error)
      assert.match(String(made), /^TypeError: message: its buffer was detached/);
    else assert.deepEqual(made, whole, `after ${turns} turns`);
  }
});

test("memory beside the arena is not written", () => {
  const before = ml_kem768.encapsulate(exchange.publicKey, new Uint8Array(32));
  for (const size of [1 << 16, 1 << 17]) {
    const lying = saying({ length: 0 })(new Uint8Array(size).fill(255));
    assert.equal(ml_dsa65.verify(signature, lying, signing.publicKey), false);
    assert.equal(ml_dsa65.verify(lying, message, signing.publicKey), false);
  }
  assert.deepEqual(ml_kem768.encapsulate(exchange.publicKey, new Uint8Array(32)), before);
});
