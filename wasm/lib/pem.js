// PEM (RFC 7468), base64 and base64url (RFC 4648), read strictly: one text for each key.

import { malformed } from "./der.js";

const base64 = (data) => btoa(Array.from(data, (byte) => String.fromCharCode(byte)).join(""));
export const base64url = (data) =>
  base64(data).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");

/** Bytes of base64 with its padding, whose unused bits are 0. */
function fromBase64(text, what) {
  const refused = malformed(`${what} is not base64, or has bits that belong to no byte`);
  if (text.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(text)) throw refused;
  const data = Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  const whole = data.length - (data.length % 3);
  if (base64(data.subarray(whole)) !== text.slice((whole / 3) * 4)) throw refused;
  return data;
}

export function fromBase64url(text, name) {
  if (typeof text !== "string" || !/^[\w-]*$/.test(text))
    throw malformed(`the JWK's ${name} is not base64url without padding`);
  const padding = "=".repeat(-text.length & 3);
  return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/") + padding, `the JWK's ${name}`);
}

const begin = "-----BEGIN",
  end = "-----END",
  dashes = "-----";
const isBlank = (character) =>
  character === " " || character === "\t" || character === "\v" || character === "\f";

/** A line without blanks around it. */
function trimmed(line) {
  let [from, to] = [0, line.length];
  while (from < to && isBlank(line[from])) ++from;
  while (from < to && isBlank(line[to - 1])) --to;
  return line.slice(from, to);
}

const shown = (label) => (label.length > 64 ? `${label.slice(0, 64)}...` : label);

/** The label of a line that is exactly "-----BEGIN label-----", or with `mark` in the place of that. */
function labelOf(line, mark) {
  if (line[mark.length] !== " " || !line.endsWith(dashes)) return undefined;
  const label = line.slice(mark.length + 1, -dashes.length);
  return /^[ -~]+$/.test(label) && !label.endsWith("-") ? label : undefined;
}

/** The blocks of a text: label, line of the beginning, and lines. */
function blocksOf(text) {
  const lines = text.split(/\r\n|[\r\n]/).map(trimmed);
  const refuse = (at, what) => {
    throw malformed(`line ${at + 1}: ${what}`);
  };
  const blocks = [];
  for (let at = 0; at < lines.length; ++at) {
    const line = lines[at].startsWith("\ufeff") ? lines[at].slice(1) : lines[at];
    if (!line.startsWith(begin)) continue;
    const label = labelOf(line, begin) ?? refuse(at, "not a whole -----BEGIN ...----- line");
    const first = at++;
    while (at < lines.length && !lines[at].startsWith("-")) ++at;
    if (at === lines.length) refuse(first, `BEGIN ${shown(label)} has no END`);
    if (!lines[at].startsWith(end))
      refuse(at, `an -----END ${shown(label)}----- line is expected here`);
    blocks.push({ label, line: first + 1, lines: lines.slice(first + 1, at) });
    const own = `${end} ${label}${dashes}`;
    if (lines[at].startsWith(own + begin)) {
      lines[at] = lines[at].slice(own.length); // joined files, the first of which lacks a line feed at its end
      --at;
      continue;
    }
    const closing =
      labelOf(lines[at], end) ?? refuse(at, `not a whole -----END ${shown(label)}----- line`);
    if (closing !== label) refuse(at, `END ${shown(closing)} closes BEGIN ${shown(label)}`);
  }
  return blocks;
}

/** The label and contents of a text's first block of a kind: of one of `labels`, or of `others`, which
 * are refused. If `isOne`, the text has no second one. */
export function unarmoured(text, labels, { others = [], isOne = false } = {}) {
  const blocks = blocksOf(text);
  const [block, second] = blocks.filter(
    ({ label }) => labels.includes(label) || others.includes(label),
  );
  if (!block || others.includes(block.label)) {
    const got = (block ?? blocks[0])?.label;
    throw malformed(
      got === undefined
        ? "no PEM block"
        : `expected ${labels.slice(0, 2).join(" or ")}, got ${shown(got)}`,
    );
  }
  if (second && isOne) throw malformed(`line ${second.line}: a second private key`);
  if (block.lines.some((line) => line.includes(":")))
    throw malformed("the PEM block has a header, which key files do not have");
  return {
    label: block.label,
    der: fromBase64(block.lines.join("").replace(/[ \t\v\f]/g, ""), "the PEM block"),
  };
}

export const armoured = (label, der) =>
  `${begin} ${label}${dashes}\n${base64(der).replace(/.{1,64}/g, "$&\n")}${end} ${label}${dashes}\n`;
