// NIST's ACVP vectors for signatures of FIPS 204: those with a context and without a pre-hash, which
// the package has functions for. GIRIH_VECTORS names their folder.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gunzipSync } from "node:zlib";

import { algorithmOf, modules } from "./package.js";

const vectors = process.env.GIRIH_VECTORS;
const unhex = (text) => Uint8Array.from(Buffer.from(text, "hex"));

/** The groups of a set, each test with its result. */
function groupsOf(set) {
  const read = (file) =>
    JSON.parse(gunzipSync(readFileSync(join(vectors, "acvp", set, `${file}.json.gz`))));
  const results = read("expectedResults").testGroups;
  return read("prompt").testGroups.map((group, i) => ({
    ...group,
    tests: group.tests.map((one, j) => ({ ...one, ...results[i].tests[j] })),
  }));
}

for (const set of ["ML-DSA-sigGen-FIPS204", "ML-DSA-sigGen-FIPS204-tr1"])
  for (const [engine, module] of modules)
    test(`${set} on ${engine}`, { skip: !vectors && "GIRIH_VECTORS names no folder" }, async () => {
      const counts = { true: 0, false: 0 };
      for (const { parameterSet, deterministic, preHash, tests } of groupsOf(set)) {
        if (preHash !== "pure") continue;
        const signer = algorithmOf(module, parameterSet);
        for (const { sk, seed, message, context, rnd, signature } of tests) {
          const secretKey = sk ? unhex(sk) : signer.keygen(unhex(seed)).secretKey;
          const options = {
            context: unhex(context),
            extraEntropy: deterministic ? false : unhex(rnd),
          };
          const text = unhex(message);
          const prepared = signer.prepareSigningKey(secretKey);
          const found = [
            signer.sign(text, secretKey, options),
            prepared.sign(text, options),
            await signer.signStream([text], secretKey, options),
          ];
          prepared.free();
          for (const one of found)
            assert.equal(Buffer.from(one).toString("hex"), signature.toLowerCase());
          ++counts[deterministic];
        }
      }
      assert.ok(counts.true >= 45 && counts.false >= 45);
    });
