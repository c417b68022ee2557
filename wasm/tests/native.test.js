// Every algorithm gives the bytes of the native library, on both engines.

import assert from "node:assert/strict";
import { test } from "node:test";

import { algorithmOf, digest, fixed, modules, namesOf, nativeTranscripts } from "./package.js";
import { transcript } from "./transcript.js";

const native = await nativeTranscripts();

for (const [engine, module] of modules) {
  test(`${engine} has the native library's algorithms`, () => {
    assert.equal(module.engine, engine);
    assert.deepEqual(namesOf(module), [...native.keys()]);
  });
  for (const [name, expected] of native)
    test(`${name} on ${engine} gives the native library's bytes`, () => {
      assert.deepEqual(transcript(algorithmOf(module, name), name, fixed).map(digest), expected);
    });
}
