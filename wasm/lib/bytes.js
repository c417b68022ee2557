// Checks of arguments, which callers may have made to lie. Each error names the argument.

const { apply, getOwnPropertyDescriptor, getPrototypeOf } = Reflect;

/** A getter of a prototype as a function: it reads what an object is, whatever its properties say. */
function getterOf(prototype, name) {
  const { get } = getOwnPropertyDescriptor(prototype, name);
  return (value) => apply(get, value, []);
}

const typedArray = getPrototypeOf(Uint8Array.prototype);
const typeOf = getterOf(typedArray, Symbol.toStringTag); // undefined of all but typed arrays
const lengthOf = getterOf(typedArray, "length");
const offsetOf = getterOf(typedArray, "byteOffset");
const bufferOf = getterOf(typedArray, "buffer");
const unsharedLengthOf = getterOf(ArrayBuffer.prototype, "byteLength"); // throws of shared memory
const { at } = typedArray;

const isGood = (check) => {
  try {
    check();
    return true;
  } catch {
    return false;
  }
};

/** What an argument is, for an error. */
export function described(value) {
  if (value === null || value === undefined) return String(value);
  if (typeof value !== "object") return `a ${typeof value}`;
  try {
    return Object.prototype.toString.call(value).slice(8, -1);
  } catch {
    return "an object";
  }
}

/**
 * A view of the bytes of `value`, a Uint8Array of `length` bytes, or of any length. The view has no
 * properties of the caller's. Read options before, since their getters may change the memory.
 */
export function bytes(name, value, length) {
  if (typeOf(value) !== "Uint8Array")
    throw new TypeError(`${name}: expected a Uint8Array, got ${described(value)}`);
  const buffer = bufferOf(value);
  if (!isGood(() => unsharedLengthOf(buffer)))
    throw new TypeError(`${name}: shared memory can change during the call; copy it first`);
  // Throws where the array's buffer was transferred, or shrank: its length would be 0.
  if (!isGood(() => apply(at, value, [0])))
    throw new TypeError(`${name}: its buffer was detached or shrank`);
  const size = lengthOf(value);
  if (length !== undefined && size !== length)
    throw new RangeError(`${name}: expected ${length} bytes, got ${size}`);
  return new Uint8Array(buffer, offsetOf(value), size);
}

/** Such a view, or `undefined`. */
export const optionalBytes = (name, value, length) =>
  value === undefined ? undefined : bytes(name, value, length);

/** A copy of the bytes, for operations during which the caller goes on. */
export const copied = (name, value, length) => new Uint8Array(bytes(name, value, length));

/** The pieces of an iterable, of an async one, or of a ReadableStream, unchecked. */
export async function* piecesOf(name, source) {
  const isIterable =
    typeof source === "object" &&
    typeOf(source) === undefined &&
    (source?.[Symbol.asyncIterator] ?? source?.[Symbol.iterator]) !== undefined;
  const isStream = !isIterable && typeof source?.getReader === "function"; // a browser in which it is no iterable
  if (!isIterable && !isStream)
    throw new TypeError(
      `${name}: expected an iterable of Uint8Arrays or a ReadableStream, got ${described(source)}`,
    );
  yield* isIterable ? source : readOf(source.getReader());
}

async function* readOf(reader) {
  for (let read; !(read = await reader.read()).done;) yield read.value;
}

/** Whether an object inherits a property from any prototype but the last, Object.prototype. */
function inherits(object, name) {
  for (
    let link = getPrototypeOf(object);
    link !== null && getPrototypeOf(link) !== null;
    link = getPrototypeOf(link)
  )
    if (Object.hasOwn(link, name)) return true;
  return false;
}

/**
 * The members of an object of options, of which `allowed` are known: its own, each read once. The
 * result inherits nothing, so that Object.prototype has no say in it.
 */
export function options(value, allowed) {
  const members = Object.create(null);
  if (value === undefined) return members;
  if (value === null || typeof value !== "object" || ArrayBuffer.isView(value))
    throw new TypeError(`options: expected an object, got ${described(value)}`);
  for (const name of Object.keys(value))
    if (!allowed.includes(name) && value[name] !== undefined)
      throw new TypeError(`options: ${name} is unknown; there are ${allowed.join(", ")}`);
  for (const name of allowed) {
    if (Object.hasOwn(value, name)) members[name] = value[name];
    else if (inherits(value, name))
      throw new TypeError(`options: ${name} is inherited, and has to be the object's own`);
  }
  return members;
}

/** The context of options: at most 255 bytes. */
export function contextOf({ context }) {
  if (context === undefined) return new Uint8Array();
  const given = bytes("context", context);
  if (given.length > 255)
    throw new RangeError(`context: expected at most 255 bytes, got ${given.length}`);
  return given;
}
