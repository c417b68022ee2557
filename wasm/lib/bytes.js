// Checks of arguments. Each error names the argument.

const isShared = (buffer) => typeof SharedArrayBuffer === "function" && buffer instanceof SharedArrayBuffer;

function described(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  return Object.prototype.toString.call(value).slice(8, -1);
}

/** `value`, a Uint8Array of `length` bytes, or of any length. */
export function bytes(name, value, length) {
  if (!ArrayBuffer.isView(value) || value[Symbol.toStringTag] !== "Uint8Array")
    throw new TypeError(`${name}: expected a Uint8Array, got ${described(value)}`);
  if (isShared(value.buffer)) throw new TypeError(`${name}: shared memory can change during the call; copy it first`);
  try {
    // Throws where the array's buffer was transferred, or shrank: its length would be 0.
    Uint8Array.prototype.at.call(value, 0);
  } catch {
    throw new TypeError(`${name}: its buffer was detached`);
  }
  if (length !== undefined && value.length !== length)
    throw new RangeError(`${name}: expected ${length} bytes, got ${value.length}`);
  return value;
}

/** The same, or `undefined`. */
export const optionalBytes = (name, value, length) => (value === undefined ? undefined : bytes(name, value, length));

/** The pieces of an iterable, of an async one, or of a ReadableStream: each a Uint8Array. */
export async function* piecesOf(name, source) {
  const isIterable = typeof source === "object" && !ArrayBuffer.isView(source) &&
    (source?.[Symbol.asyncIterator] ?? source?.[Symbol.iterator]) !== undefined;
  const isStream = !isIterable && typeof source?.getReader === "function"; // a browser in which it is no iterable
  if (!isIterable && !isStream)
    throw new TypeError(`${name}: expected an iterable of Uint8Arrays or a ReadableStream, got ${described(source)}`);
  for await (const piece of isIterable ? source : readOf(source.getReader())) yield bytes(name, piece);
}

async function* readOf(reader) {
  for (let read; !(read = await reader.read()).done; ) yield read.value;
}

/** The members of an object of options, of which `allowed` are known. */
export function options(value, allowed) {
  if (value === undefined) return {};
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value))
    throw new TypeError(`options: expected an object, got ${described(value)}`);
  for (const [name, member] of Object.entries(value))
    if (member !== undefined && !allowed.includes(name))
      throw new TypeError(`options: ${name} is unknown; there are ${allowed.join(", ")}`);
  return { ...value };
}

/** The context of options: at most 255 bytes. */
export function contextOf({ context }) {
  if (context === undefined) return new Uint8Array();
  if (bytes("context", context).length > 255)
    throw new RangeError(`context: expected at most 255 bytes, got ${context.length}`);
  return context;
}
