// Signatures as text: docs/SIGNATURES.md.

const mark = "girih signature ";
const title = `${mark}1\n`;
const form =
  /^girih signature 1\nalgorithm: (.+)\nkey: ([0-9a-f]{64})\ncomment:(?: ([^\n]*))?\n\n((?:[\w+/]{64}\n)*[\w+/=]{1,64}\n?)$/;
const control = /[\x00-\x09\x0b-\x1f\x7f]/;
const encoded = (text) => new TextEncoder().encode(text);

/** The lines that are signed before the message. */
export const headerOf = ({ algorithm, key, comment }) =>
  encoded(
    `${title}algorithm: ${algorithm}\nkey: ${key}\ncomment:${comment ? ` ${comment}` : ""}\n\n`,
  );

/** The context of a text signature: its title, and the user's context. */
export function contextOf(isText, context) {
  const limit = isText ? 255 - title.length : 255;
  if (encoded(context).length > limit) throw new RangeError(`Context: longer than ${limit} bytes.`);
  if (context.startsWith(mark))
    throw new RangeError(`Context: “${mark}” begins those of text signatures.`);
  return encoded(isText ? title + context : context);
}

export function checkComment(comment) {
  if (encoded(comment).length > 1024) throw new RangeError("Comment: longer than 1,024 bytes.");
  if (/[\x00-\x1f\x7f]/.test(comment)) throw new RangeError("Comment: it has a control character.");
}

/** The parts of a text signature; undefined for a raw one. */
export function parse(file) {
  if (!new TextDecoder().decode(file.subarray(0, 64)).trimStart().startsWith(mark))
    return undefined;
  const damaged = new SyntaxError(
    "Signature: the text is damaged, or of a version that this page does not read.",
  );
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(file).replaceAll("\r\n", "\n");
    const [, algorithm, key, comment = "", lines] = form.exec(text);
    const characters = lines.replaceAll("\n", "");
    const signature = atob(characters);
    if (control.test(text) || encoded(comment).length > 1024 || btoa(signature) !== characters)
      throw damaged;
    return {
      algorithm,
      key,
      comment,
      signature: Uint8Array.from(signature, (character) => character.charCodeAt(0)),
    };
  } catch {
    throw damaged;
  }
}

export function written(header, signature) {
  const characters = btoa(Array.from(signature, (byte) => String.fromCharCode(byte)).join(""));
  return new TextDecoder().decode(header) + characters.replace(/.{1,64}/g, "$&\n");
}
