// The page's work: reads files, signs, verifies, makes keys. Messages are { job, ... }; answers are
// { progress }, then { result } or { error }.

import { ml_dsa44, ml_dsa65, ml_dsa87, PublicKey, SecretKey } from "./girih/girih.js";
import { checkComment, contextOf, headerOf, parse, written } from "./text.js";

const algorithms = [ml_dsa44, ml_dsa65, ml_dsa87];
const pieceBytes = 1 << 20;

/** A file of keys or signatures, which are small. */
async function small(file, name) {
  if (file.size > 1 << 20)
    throw new RangeError(`${name}: ${file.name} is larger than 1 MB; is it the right file?`);
  return new Uint8Array(await file.arrayBuffer());
}

/** The message that is signed: the header, if there is one, and the file in pieces. */
async function* message(file, header) {
  if (header) yield header;
  let shown = 0;
  for (let at = 0; at < file.size; at += pieceBytes) {
    yield new Uint8Array(await file.slice(at, at + pieceBytes).arrayBuffer());
    const progress = Math.floor((100 * Math.min(at + pieceBytes, file.size)) / file.size);
    if (progress > shown) postMessage({ progress: (shown = progress) });
  }
}

/** A key of `Kind` from a file in PEM, DER or JWK. */
async function keyOf(file, Kind, name) {
  const data = await small(file, name);
  const text = new TextDecoder().decode(data);
  try {
    if (text.includes("-----BEGIN ")) return Kind.fromPem(text, ...algorithms);
    if (text.trimStart().startsWith("{")) return Kind.fromJwk(JSON.parse(text), ...algorithms);
    return Kind.fromDer(data, ...algorithms);
  } catch (error) {
    if (Kind === SecretKey && /encrypted private key/i.test(error.message))
      throw new Error(
        `${name}: ${file.name} is encrypted, and this page does not read encrypted keys. ` +
          "Decrypt it with the command: girih convert --decrypt KEY NEW-FILE.",
      );
    const hint =
      Kind === PublicKey && text.includes("PRIVATE KEY-----")
        ? " It is a private key: choose the public one, and keep this one secret."
        : "";
    throw new Error(
      `${name}: ${file.name} cannot be read (${error.message.replace(/^key: /, "")}).${hint}`,
    );
  }
}

const jobs = {
  async verify({ file, signature: signatureFile, key: keyFile, context }) {
    const key = await keyOf(keyFile, PublicKey, "Public key");
    const data = await small(signatureFile, "Signature");
    const text = parse(data);
    const signature = text?.signature ?? data;
    const { info, lengths } = key.algorithm;
    const fingerprint = await key.fingerprint();
    const said = {
      file: file.name,
      size: file.size,
      algorithm: info.type,
      fingerprint,
      subject: key.subject,
    };
    if (text && text.key !== fingerprint) return { ...said, isGood: false, otherKey: text.key };
    if (text && text.algorithm !== info.type)
      throw new Error(`Signature: it is by ${text.algorithm}, and the key is of ${info.type}.`);
    if (signature.length !== lengths.signature)
      throw new Error(
        `Signature: ${info.type} has ${lengths.signature} bytes, and ${signatureFile.name} has ${signature.length}.`,
      );
    const isGood = await key.verifyStream(signature, message(file, text && headerOf(text)), {
      context: contextOf(!!text, context),
    });
    return { ...said, isGood, comment: text?.comment };
  },

  async keygen({ algorithm }) {
    const key = SecretKey.generate(algorithms.find(({ info }) => info.type === algorithm));
    const made = {
      secret: key.toPem(),
      public: key.publicKey.toPem(),
      algorithm,
      fingerprint: await key.publicKey.fingerprint(),
    };
    key.free();
    return made;
  },

  async sign({ file, key: keyFile, form, comment, context }) {
    const isText = form === "text";
    checkComment(comment);
    const chosen = { context: contextOf(isText, context) };
    const key = await keyOf(keyFile, SecretKey, "Private key");
    try {
      const algorithm = key.algorithm.info.type;
      const fingerprint = await key.publicKey.fingerprint();
      const header = isText ? headerOf({ algorithm, key: fingerprint, comment }) : undefined;
      const signature = await key.signStream(message(file, header), chosen);
      return {
        file: file.name,
        size: file.size,
        algorithm,
        fingerprint,
        signature: isText ? written(header, signature) : signature,
      };
    } finally {
      key.free();
    }
  },
};

addEventListener("message", async ({ data }) => {
  try {
    if (!Object.hasOwn(jobs, data.job)) throw new TypeError(`No such job: ${data.job}`);
    postMessage({ result: await jobs[data.job](data) });
  } catch (error) {
    const isGone = error.name === "NotReadableError" || error.name === "NotFoundError";
    postMessage({
      error: isGone
        ? "A file cannot be read, or has changed since it was chosen. Choose it again."
        : error.message,
    });
  }
});
postMessage({ isReady: true });
