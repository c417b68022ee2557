// DER (X.690): elements that are written, and that are read strictly.

export const malformed = (what, cause) => new SyntaxError(`key: ${what}`, cause && { cause });

export const tag = {
  boolean: 0x01,
  integer: 0x02,
  bits: 0x03,
  octets: 0x04,
  none: 0x05,
  oid: 0x06,
  enumerated: 0x0a,
  sequence: 0x30,
  set: 0x31,
};
/** The context-specific tag of a number, of a primitive or a constructed element. */
export const primitive = (number) => 0x80 | number;
export const constructed = (number) => 0xa0 | number;
const isConstructed = (type) => (type & 0x20) !== 0;

const deepest = 32; // elements within one another; certificates have about six

/** An element. */
export function element(type, ...contents) {
  const size = contents.reduce((sum, { length }) => sum + length, 0);
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255]; // keys have no 64 KB
  return Uint8Array.of(type, ...length, ...contents.flatMap((part) => [...part]));
}

/** Base-128 numbers in the fewest bytes, the last one complete. */
const isIdentifier = (content) =>
  content.length > 0 &&
  content.at(-1) < 0x80 &&
  content.every((byte, i) => byte !== 0x80 || (i > 0 && content[i - 1] >= 0x80));
/** The first nine bits are neither all 0 nor all 1. */
const isShortestInteger = ([first, second], length) =>
  length === 1 || (length > 1 && first !== (second >= 0x80 ? 0xff : 0x00));
/** At most 7 bits of the last byte are unused, which are 0. */
const isBits = (content) =>
  content[0] <= 7 &&
  (content.length === 1 ? content[0] === 0 : (content.at(-1) & ((1 << content[0]) - 1)) === 0);

/** Whether an element of a universal type is in DER's form. (The content of other types is unknown.) */
function isWrittenAsDer(type, content) {
  if (type >= 0x40) return true;
  if (isConstructed(type)) return type === tag.sequence || type === tag.set; // strings are in one piece
  switch (type) {
    case tag.boolean:
      return content.length === 1 && (content[0] === 0 || content[0] === 0xff);
    case tag.integer:
    case tag.enumerated:
      return isShortestInteger(content, content.length);
    case tag.bits:
      return isBits(content);
    case tag.none:
      return content.length === 0;
    case tag.oid:
      return isIdentifier(content);
    case 0x00:
    case 0x10:
    case 0x11:
      return false; // the end of an indefinite length; those two are constructed
    default:
      return true;
  }
}

/** Reads elements one after another. */
export class Reader {
  #left;
  constructor(contents) {
    this.#left = contents;
  }
  get nextTag() {
    return this.#left[0];
  }
  /** A reader of the same elements, which leaves this one where it is. */
  ahead() {
    return new Reader(this.#left);
  }
  /** The contents of the next element, whose tag is known. */
  next(type, name) {
    const data = this.#left;
    if (data[0] !== type) throw malformed(`no ${name} where one belongs`);
    const count = data[1] > 128 ? data[1] - 128 : 0; // of the bytes of the length
    const size =
      count === 0
        ? data[1]
        : data.subarray(2, 2 + count).reduce((value, byte) => value * 256 + byte, 0);
    const isMinimal = count === 0 ? data[1] < 128 : size >= 128 && data[2] > 0;
    const start = 2 + count;
    if (!isMinimal || data.length - start < size)
      throw malformed(`${name}: a wrong length, or the file is cut short`);
    this.#left = data.subarray(start + size);
    return data.subarray(start, start + size);
  }
  in(type, name) {
    return new Reader(this.next(type, name));
  }
  /** The contents of the next element, in which all others are read, too. */
  wellFormed(type, name) {
    const content = this.next(type, name);
    checkValue(type, content, name);
    if (isConstructed(type)) checkElements(content, name, 1);
    return content;
  }
  /** The content of a BIT STRING of whole bytes. */
  wholeBytes(type, name) {
    const content = this.next(type, name);
    if (content[0] !== 0) throw malformed(`the ${name} has unused bits`);
    return content.subarray(1);
  }
  end(name) {
    if (this.#left.length > 0) throw malformed(`bytes after the end of ${name}`);
  }
  get isAtEnd() {
    return this.#left.length === 0;
  }
}

function checkValue(type, content, name) {
  if (!isWrittenAsDer(type, content)) throw malformed(`${name}: a value that is not in DER's form`);
}

function checkElements(contents, name, depth) {
  for (const elements = new Reader(contents); !elements.isAtEnd;) {
    const type = elements.nextTag;
    if ((type & 0x1f) === 0x1f) throw malformed(`${name}: a tag of more than one byte`);
    const content = elements.next(type, name);
    checkValue(type, content, name);
    if (!isConstructed(type)) continue;
    if (depth === deepest) throw malformed(`${name}: an element that is nested too deeply`);
    checkElements(content, name, depth + 1);
  }
}
