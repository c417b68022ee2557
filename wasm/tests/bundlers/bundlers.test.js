// The README's programs in bundles, which run in Chromium, in Node and in the runtime of Cloudflare
// Workers. The current folder has the package and the bundlers (wasm/tests/bundlers/check).

import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { copyFileSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { resolve } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { promisify } from "node:util";

import { Browser, serve } from "../browser/chromium.js";

const { resolve: pathOf } = createRequire(resolve("package.json"));
const imported = (name) => import(pathToFileURL(pathOf(name)));
const readme = readFileSync("node_modules/girih/README.md", "utf8");
const programs = readme.split("```js\n").map((text) => text.split("```")[0]);
const programWith = (entry) => programs.find((text) => text.includes(`from "${entry}"`));
const inOneLine = readme.replaceAll(/\s+/g, " ");
const settingAfter = (words) => Function(`return ${inOneLine.split(words)[1].split("`")[0]}`)();

const signs = `const { publicKey, secretKey } = ml_dsa65.keygen();
  const message = new TextEncoder().encode("news");
  const isGood = ml_dsa65.verify(ml_dsa65.sign(message, secretKey), message, publicKey);`;
writeFileSync("server.js", `import { ml_dsa65 } from "girih";\n${signs}\nconsole.log(isGood);`);
const printedBy = (bundle) =>
  execFileSync(process.execPath, [resolve(bundle)], { cwd: "/", encoding: "utf8" });

/** What worker.js answers to page.js in Chromium. */
async function answerByVite(settings) {
  const { build } = await imported("vite");
  await build({ configFile: false, logLevel: "silent", ...settings });
  const server = await serve("dist");
  const browser = await Browser.start();
  try {
    const tab = await browser.tab();
    await tab.go(server.url);
    return await tab.until("globalThis.answer");
  } finally {
    await browser.close();
    server.close();
  }
}

test("a worker bundled by Vite signs", async () => {
  const page = `const worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" });
    worker.onerror = worker.onmessage = ({ message, data }) => (globalThis.answer = data ?? message);
    worker.postMessage("sign");`;
  writeFileSync("page.js", page);
  writeFileSync("index.html", `<script type="module" src="./page.js"></script>`);
  const answers = `${signs} postMessage("good: " + isGood);`;
  writeFileSync("worker.js", programWith("girih/ready").replace("// loads once", answers));
  assert.equal(await answerByVite(), "good: true");
  writeFileSync("worker.js", `import { ml_dsa65 } from "girih/web";\n${answers}`);
  assert.equal(await answerByVite({ worker: settingAfter("`worker: ") }), "good: true");
});

async function bundleByWebpack(output, settings) {
  const { default: webpack } = await imported("webpack");
  const own = { mode: "production", target: "node", entry: "./server.js" };
  const stats = await promisify(webpack)({ ...own, output, ...settings });
  assert.equal(stats.hasErrors(), false, stats.toString());
}

test("a server bundled by webpack signs, also with a publicPath", async () => {
  await bundleByWebpack({ filename: "a.cjs" });
  assert.equal(printedBy("dist/a.cjs"), "true\n");
  const rules = [settingAfter("`publicPath`: the rule `")];
  await bundleByWebpack({ filename: "b.cjs", publicPath: "/static/" }, { module: { rules } });
  assert.equal(printedBy("dist/b.cjs"), "true\n");
  const settings = { externals: settingAfter("`externals: "), experiments: { outputModule: true } };
  await bundleByWebpack({ filename: "c.mjs", publicPath: "/static/", module: true }, settings);
  assert.equal(printedBy("dist/c.mjs"), "true\n");
});

const bundleByEsbuild = async (settings) =>
  (await imported("esbuild")).build({ bundle: true, format: "esm", ...settings });

test("a server bundled by esbuild signs, with the modules beside it", async () => {
  await bundleByEsbuild({ entryPoints: ["server.js"], platform: "node", outfile: "es/main.mjs" });
  for (const name of ["girih.wasm", "girih.scalar.wasm"])
    copyFileSync(pathOf(`girih/${name}`), `es/${name}`);
  assert.equal(printedBy("es/main.mjs"), "true\n");
});

test("a worker of Cloudflare signs by a module that is compiled before", async () => {
  const handler = `export default { fetch() { ${signs} return new Response("good: " + isGood); } };`;
  writeFileSync("edge.js", programWith("girih/compiled") + handler);
  await bundleByEsbuild({ entryPoints: ["edge.js"], outfile: "edge.mjs", external: ["*.wasm"] });
  const { Miniflare } = await imported("miniflare");
  const program = { type: "ESModule", path: "edge.mjs" };
  const contents = readFileSync(pathOf("girih/web.wasm"));
  const modules = [program, { type: "CompiledWasm", path: "girih/web.wasm", contents }];
  const runtime = new Miniflare({ compatibilityDate: "2026-07-01", modules });
  const said = runtime.dispatchFetch("http://localhost/").then((answer) => answer.text());
  assert.equal(await said.finally(() => runtime.dispose()), "good: true");
});
