// An instance of a module: its memory, its calls, and what happens when one of them traps.

const PAGE = 65536;
const ALIGNMENT = 64;
const aligned = (size) => Math.ceil(size / ALIGNMENT) * ALIGNMENT;

/** An error of girih.h. `code` is its number. */
export class GirihError extends Error {
  constructor(name, text, code) {
    super(name ? `${name}: ${text}` : text);
    this.name = "GirihError";
    this.code = code;
  }
}

/** girih.h's errors that name an argument. */
export const code = {
  context: -3,
  secretKey: -5,
  keyMismatch: -6,
  signature: -7,
  random: -8,
  publicKey: -11,
};
const argumentOf = new Map([
  [code.context, "context"],
  [code.secretKey, "secretKey"],
  [code.keyMismatch, "secretKey"],
  [code.publicKey, "publicKey"],
]);

/** Memory and state of one instantiation. A trap ends it. */
class Instance {
  isLost = false;
  randomError = undefined;
  #free = new Map(); // sizes, and the addresses of freed blocks of each
  #end;
  #bytes;

  constructor(compiled) {
    const random = (address, length) => this.#random(address, length);
    this.exports = new WebAssembly.Instance(compiled, { girih: { random } }).exports;
    this.arena = this.exports.wasm_arena();
    this.arenaEnd = this.arena + this.exports.wasm_arena_bytes();
    this.#end = aligned(this.exports.__heap_base.value);
    this.#bytes = new Uint8Array(this.exports.memory.buffer);
  }

  /** The memory, also after it grew. */
  get bytes() {
    if (this.#bytes.length === 0) this.#bytes = new Uint8Array(this.exports.memory.buffer);
    return this.#bytes;
  }

  /** An exception that unwinds a module leaves its stack pointer where it was, so it is kept here. */
  #random(address, length) {
    try {
      globalThis.crypto.getRandomValues(this.bytes.subarray(address, address + length));
      return 0;
    } catch (error) {
      this.randomError = error;
      return -1;
    }
  }

  /** A block of aligned memory. */
  allocate(size) {
    const rounded = aligned(size);
    const address = this.#free.get(rounded)?.pop() ?? this.#end;
    if (address === this.#end) {
      const missing = address + rounded - this.bytes.length;
      if (missing > 0) this.#grow(missing);
      this.#end += rounded;
    }
    return { address, size: rounded };
  }

  #grow(bytes) {
    try {
      this.exports.memory.grow(Math.ceil(bytes / PAGE));
    } catch (cause) {
      throw new RangeError(`girih: no memory for ${bytes} bytes more`, { cause });
    }
  }

  /** Wipes a block and keeps it for the next of its size. */
  free({ address, size }) {
    if (this.isLost) return;
    this.bytes.fill(0, address, address + size);
    if (!this.#free.has(size)) this.#free.set(size, []);
    this.#free.get(size).push(address);
  }

  word(address) {
    return new DataView(this.exports.memory.buffer).getUint32(address, true);
  }

  text(address) {
    const end = this.bytes.indexOf(0, address);
    return String.fromCharCode(...this.bytes.subarray(address, end));
  }
}

/** The inputs and outputs of a call, in the arena. They are wiped when the call ends. */
class Call {
  #instance;
  #top;
  #blocks = [];

  constructor(instance) {
    this.#instance = instance;
    this.#top = instance.arena;
  }

  /** Room for `length` bytes: its address and length, as functions of girih.h take them. */
  room(length) {
    const address = this.#top;
    if (address + length <= this.#instance.arenaEnd) {
      this.#top += aligned(length);
      return [address, length];
    }
    // Larger than the arena: a power of two, so that messages of similar lengths use the block again.
    const block = this.#instance.allocate(2 ** Math.ceil(Math.log2(length)));
    this.#blocks.push(block);
    return [block.address, length];
  }

  put(bytes) {
    const where = this.room(bytes.length);
    this.#instance.bytes.set(bytes, where[0]);
    return where;
  }

  take([address, room], length = room) {
    return this.#instance.bytes.slice(address, address + length);
  }

  wipe() {
    if (this.#instance.isLost) return;
    this.#instance.bytes.fill(0, this.#instance.arena, this.#top);
    for (const block of this.#blocks) this.#instance.free(block);
  }
}

/** A compiled module and its instance, which is replaced after a trap. */
export class Module {
  #compiled;
  #instance;

  constructor(compiled) {
    this.#compiled = compiled;
    this.#instance = new Instance(compiled);
  }

  get instance() {
    if (this.#instance.isLost) this.#instance = new Instance(this.#compiled);
    return this.#instance;
  }

  /** The name of the engine: "wasm_simd128" or "portable". */
  get engine() {
    return this.instance.text(this.invoke("girih_engine"));
  }

  has(name) {
    return name in this.instance.exports;
  }

  /** Calls an export. If it traps, the instance is wiped, and its prepared keys are lost. */
  invoke(name, ...values) {
    return this.#on(this.instance, name, values);
  }

  #on(instance, name, values) {
    try {
      return instance.exports[name](...values);
    } catch (error) {
      // Any exception may have left the stack pointer and the memory in the middle of an operation.
      instance.isLost = true;
      instance.bytes.fill(0);
      throw new Error(`girih: ${name} trapped; keys that were prepared are lost`, { cause: error });
    }
  }

  /** work(call, invoke), with the arena wiped at the end, whatever it is. */
  run(work, instance = this.instance) {
    if (instance.isLost)
      throw new Error("girih: the module trapped, and the key or message that it held is lost");
    const call = new Call(instance);
    try {
      return work(call, (name, ...values) =>
        this.#checked(instance, this.#on(instance, name, values)),
      );
    } finally {
      call.wipe();
    }
  }

  /** A result that is not negative, or code.signature; throws other errors. */
  #checked(instance, result) {
    if (result >= 0 || result === code.signature) return result;
    const { randomError } = instance;
    instance.randomError = undefined;
    if (result === code.random && randomError !== undefined) throw randomError;
    const text = instance.text(this.#on(instance, "girih_error_text", [result]));
    throw new GirihError(argumentOf.get(result), text, result);
  }

  /** The address of an algorithm by its name in girih.h, which every instance has in one place. */
  algorithm(name) {
    for (let index = 0; ; ++index) {
      const address = this.invoke("wasm_algorithm_at", index);
      if (address === 0) throw new Error(`girih: this module has no ${name}`);
      if (this.instance.text(this.invoke("girih_name", address)) === name) return address;
    }
  }
}
