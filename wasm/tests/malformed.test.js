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

test("readers name an argument that is of another kind", () => {
  const { ml_dsa65, PublicKey, SecretKey } = girih;
  for (const Kind of [PublicKey, SecretKey]) {
    for (const text of [undefined, null, 5, {}, Object("text"), new Uint8Array(9)])
      assert.throws(() => Kind.fromPem(text, ml_dsa65), /^TypeError: key: expected a string/);
    for (const method of ["fromDer", "fromPem", "fromJwk"]) {
      assert.throws(() => Kind[method](""), /^TypeError: algorithms: name those/);
      for (const algorithm of [undefined, null, "ML-DSA-65", {}, girih.PublicKey])
        assert.throws(() => Kind[method]("", algorithm), /^TypeError: algorithm: expected one of girih's algorithms/);
    }
  }
});
