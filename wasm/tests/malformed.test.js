// Every reader takes the good files of a table and refuses the others, and so does the command.

import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";

import { algorithms, files } from "./malformed.js";
import { girih } from "./package.js";

const command = process.env.GIRIH_COMMAND;
const folder = mkdtempSync(join(tmpdir(), "girih-"));
after(() => rmSync(folder, { recursive: true }));

/** Whether the command reads a file. */
function isRead({ file, method }) {
  const path = join(folder, "key");
  writeFileSync(path, method === "fromJwk" ? JSON.stringify(file) : file);
  return spawnSync(command, ["inspect", path]).status === 0;
}

for (const one of files)
  test(`${one.title} is ${one.isGood ? "read" : "refused"}`, () => {
    const { Kind, method, file, isGood, apart } = one;
    const read = () => Kind[method](file, ...algorithms);
    if (isGood) assert.ok(read() instanceof Kind);
    else assert.throws(read, /^SyntaxError: key: /);
    if (command) assert.equal(isRead(one), isGood || apart, "the command's verdict");
  });

test("readers say what a file is in the place of a key", () => {
  const { ml_dsa65, PublicKey, SecretKey } = girih;
  const key = SecretKey.generate(ml_dsa65);
  const encrypted = Uint8Array.of(0x30, 7, 0x30, 3, 6, 1, 0x2a, 4, 0);
  const locked =
    "-----BEGIN ENCRYPTED PRIVATE KEY-----\nAAAA\n-----END ENCRYPTED PRIVATE KEY-----\n";
  const header = key.toPem().replace("\n", "\nProc-Type: 4,ENCRYPTED\n\n");
  const said = [
    [() => PublicKey.fromDer(key.toDer(), ml_dsa65), /a private key, where a public one belongs/],
    [() => PublicKey.fromDer(encrypted, ml_dsa65), /an encrypted private key, where a public one/],
    [() => PublicKey.fromJwk(key.toJwk(), ml_dsa65), /a private key, where a public one belongs/],
    [() => PublicKey.fromJwk({ keys: [] }, ml_dsa65), /a JWK Set/],
    [() => SecretKey.fromDer(encrypted, ml_dsa65), /an encrypted private key, which has to be/],
    [
      () => SecretKey.fromDer(key.publicKey.toDer(), ml_dsa65),
      /a public key or certificate, where/,
    ],
    [() => SecretKey.fromPem(locked, ml_dsa65), /expected PRIVATE KEY, got ENCRYPTED PRIVATE KEY/],
    [() => SecretKey.fromPem(header, ml_dsa65), /has a header/],
  ];
  for (const [read, pattern] of said) assert.throws(read, pattern);
});

test("readers name an argument that is of another kind", () => {
  const { ml_dsa65, PublicKey, SecretKey } = girih;
  for (const Kind of [PublicKey, SecretKey]) {
    for (const text of [undefined, null, 5, {}, Object("text"), new Uint8Array(9)])
      assert.throws(() => Kind.fromPem(text, ml_dsa65), /^TypeError: key: expected a string/);
    for (const method of ["fromDer", "fromPem", "fromJwk"]) {
      assert.throws(() => Kind[method](""), /^TypeError: algorithms: name those/);
      for (const algorithm of [undefined, null, "ML-DSA-65", {}, girih.PublicKey])
        assert.throws(
          () => Kind[method]("", algorithm),
          /^TypeError: algorithm: expected one of girih's algorithms/,
        );
    }
  }
});
