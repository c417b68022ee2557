// The page in a headless Chromium, with real clicks, keys and drops, against the command
// (GIRIH_COMMAND). GIRIH_PAGE: the page's folder. GIRIH_LARGE: bytes of a large file, if one is to be
// tried. GIRIH_SCREENSHOTS: a folder for screenshots.

import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";

import { Browser, serve } from "./chromium.js";

const {
  GIRIH_COMMAND = "build/girih",
  GIRIH_PAGE = "build/page",
  GIRIH_LARGE,
  GIRIH_SCREENSHOTS,
  GIRIH_VECTORS,
} = process.env;
const folder = mkdtempSync(join(tmpdir(), "girih-page-"));
const at = (name) => join(folder, name);
const girih = (...values) => execFileSync(GIRIH_COMMAND, values, { cwd: folder, encoding: "utf8" });
const forms = { verify: 0, keygen: 1, sign: 2 };

let browser, tab, server;
before(async () => {
  server = await serve(GIRIH_PAGE);
  browser = await Browser.start();
  tab = await browser.tab();
  writeFileSync(at("news.txt"), "The news of the day.\n");
  girih("keygen", "--alg", "ML-DSA-87", "--secret", "command.key", "--public", "command.pub");
  girih("sign", "--secret", "command.key", "-o", "news.raw.sig", "news.txt");
  girih(
    "sign",
    "--secret",
    "command.key",
    "-o",
    "news.text.sig",
    "--comment",
    "first edition",
    "--context",
    "v1",
    "news.txt",
  );
});
after(async () => {
  await browser?.close();
  server?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** A new page, as a reader finds it. */
const open = async () => {
  await tab.go("about:blank");
  tab.complaints = [];
  await tab.go(server.url);
};

/** Fills a form's fields, presses its button, and returns what it says. */
async function run(job, { files = {}, fields = {} } = {}) {
  const form = `form[data-job=${job}]`;
  for (const [name, path] of Object.entries(files))
    await tab.choose(`${form} [name=${name}]`, path);
  for (const [name, value] of Object.entries(fields)) {
    await tab.evaluate(
      `document.querySelector("${form} [name=${name}]").closest("details")?.setAttribute("open", "")`,
    );
    await tab.click(`${form} [name=${name}]`);
    await tab.type(value);
  }
  await tab.click(`${form} .buttons button`);
  return answer(job);
}

const answer = (job) =>
  tab.until(`document.forms[${forms[job]}].querySelector(".result").innerText`);
const verify = (file, signature, key, fields) =>
  run("verify", { files: { file: at(file), signature: at(signature), key: at(key) }, fields });
const fingerprintOf = (key) => JSON.parse(girih("inspect", "--json", key)).fingerprint;

test("signatures of the command are verified: raw, text, with a context", async () => {
  await open();
  const said = await verify("news.txt", "news.raw.sig", "command.pub");
  assert.match(said, /^✓ Signed by this key/);
  assert.match(said, /ML-DSA-87/);
  assert.ok(said.includes(fingerprintOf("command.pub")));
  assert.match(
    await verify("news.txt", "news.text.sig", "command.pub", { context: "v1" }),
    /^✓[^]*first edition/,
  );
  assert.deepEqual(tab.complaints, []);
});

test("what does not match is said not to, and no comment is shown", async () => {
  await open();
  writeFileSync(at("other.txt"), "The news of the dax.\n");
  assert.match(await verify("other.txt", "news.raw.sig", "command.pub"), /^✗ Does not match/);
  const text = await verify("news.txt", "news.text.sig", "command.pub"); // without the context
  assert.match(text, /^✗ Does not match/);
  assert.doesNotMatch(text, /edition/);
  girih("keygen", "--alg", "ML-DSA-87", "--secret", "other.key", "--public", "other.pub");
  assert.match(await verify("news.txt", "news.raw.sig", "other.pub"), /^✗ Does not match/);
  const other = await verify("news.txt", "news.text.sig", "other.pub", { context: "v1" });
  assert.match(other, /^✗ Does not match[^]*names another key/);
  const shown = await tab.evaluate(
    `[...document.querySelectorAll(".result .fingerprint")].map((part) => part.textContent)`,
  );
  assert.deepEqual(shown, [fingerprintOf("other.pub"), fingerprintOf("command.pub")]);
});

test("wrong files are named", async () => {
  await open();
  writeFileSync(at("short.sig"), readFileSync(at("news.raw.sig")).subarray(1));
  assert.match(
    await verify("news.txt", "short.sig", "command.pub"),
    /Signature: ML-DSA-87 has 4627 bytes, and short.sig has 4626/,
  );
  writeFileSync(at("cut.sig"), readFileSync(at("news.text.sig"), "utf8").slice(0, -8));
  assert.match(
    await verify("news.txt", "cut.sig", "command.pub"),
    /Signature: the text is damaged/,
  );
  assert.match(
    await verify("news.txt", "news.raw.sig", "command.key"),
    /Public key: command.key[^]*private key: choose the public one/,
  );
  assert.match(
    await verify("news.txt", "news.raw.sig", "news.txt"),
    /Public key: news.txt cannot be read/,
  );
  writeFileSync(at("words"), "a passphrase\n");
  girih("convert", "command.key", "locked.key", "--encrypt", "--new-passphrase-file", "words");
  girih("convert", "locked.key", "locked.der", "--format", "der", "--passphrase-file", "words");
  for (const name of ["locked.key", "locked.der"])
    assert.match(
      await run("sign", { files: { file: at("news.txt"), key: at(name) } }),
      new RegExp(`Private key: ${name} is encrypted[^]*girih convert --decrypt`),
    );
  assert.match(
    await run("sign", { files: { file: at("news.txt"), key: at("command.pub") } }),
    /Private key: command.pub cannot be read \(expected PRIVATE KEY, got PUBLIC KEY\)/,
  );
});

test("a key and signatures that the page makes are the command's, and its own", async () => {
  await open();
  assert.match(await run("keygen"), /^✓ A new key/);
  const link = (job, number) => `form[data-job=${job}] .downloads a:nth-child(${number})`;
  const secret = await browser.download("girih.key", () => tab.click(link("keygen", 1)));
  const publicKey = await browser.download("girih.pub", () => tab.click(link("keygen", 2)));
  const said = await run("sign", {
    files: { file: at("news.txt") },
    fields: { comment: "über all" },
  });
  assert.match(said, /^✓ Signed/);
  assert.ok(said.includes(fingerprintOf(publicKey)));
  const text = await browser.download("news.txt.sig", () => tab.click(link("sign", 1)));
  assert.match(
    girih("verify", "--public", publicKey, "--signature", text, "news.txt"),
    /good ML-DSA-65[^]*über all/,
  );
  assert.match(
    await run("verify", { files: { file: at("news.txt"), signature: text, key: publicKey } }),
    /^✓[^]*über all/,
  );

  await tab.click("[value=raw]");
  await run("sign", { files: { key: secret }, fields: { context: "v2" } });
  const raw = await browser.download("news.txt.sig", () => tab.click(link("sign", 1)));
  assert.match(
    girih("verify", "--public", publicKey, "--signature", raw, "--context", "v2", "news.txt"),
    /good ML-DSA-65/,
  );
  girih("sign", "--secret", secret, "--force", "-o", "back.sig", "news.txt");
  assert.match(
    await run("verify", {
      files: { file: at("news.txt"), signature: at("back.sig"), key: publicKey },
    }),
    /^✓/,
  );
});

test("a result goes when its form changes, and a key's when the next one is made", async () => {
  await open();
  const text = (job) =>
    tab.evaluate(`document.forms[${forms[job]}].querySelector(".result").innerText`);
  const files = { file: at("news.txt"), key: at("command.key") };
  assert.match(await run("sign", { files }), /^✓ Signed/);
  await tab.click("[value=raw]");
  assert.equal(await text("sign"), "");

  await run("keygen");
  await tab.evaluate(
    `document.forms[1].elements.algorithm.dispatchEvent(new Event("input", { bubbles: true }))`,
  );
  assert.match(await text("keygen"), /^✓ A new key/); // its files may not be saved yet
  const withdrawn = await tab.evaluate(`(() => {
    const links = [...document.querySelectorAll(".downloads a")].map(({ href }) => href);
    const revoke = URL.revokeObjectURL;
    const revoked = [];
    URL.revokeObjectURL = (url) => revoked.push(url) && revoke.call(URL, url);
    document.forms[1].requestSubmit();
    URL.revokeObjectURL = revoke;
    return links.length === 2 && links.every((url) => revoked.includes(url));
  })()`);
  assert.equal(withdrawn, true);
  assert.match(await answer("keygen"), /^✓ A new key/);
});

test("a certificate's subject is told", { skip: !GIRIH_VECTORS }, async () => {
  await open();
  const own = (end) => join(GIRIH_VECTORS, "rfc9881", `ML-DSA-65${end}`);
  girih("sign", "--secret", own("-seed.priv"), "-o", "rfc.sig", "news.txt");
  const said = await run("verify", {
    files: { file: at("news.txt"), signature: at("rfc.sig"), key: own(".crt") },
  });
  assert.match(
    said,
    /^✓ Signed by the key in this certificate[^]*does not check who issued it[^]*O=IETF, CN=LAMPS WG/,
  );
});

test("files that are dropped together find their fields", async () => {
  await open();
  await tab.drop("h2", at("command.pub"), at("news.raw.sig"), at("news.txt"));
  await tab.until(
    `[...document.forms[0].querySelectorAll("[type=file]")].every(({ files }) => files.length === 1)`,
  );
  assert.match(await run("verify"), /^✓ Signed by this key/);
  await tab.drop("form[data-job=verify] label", at("other.txt")); // onto the first field
  await tab.until(`document.forms[0].elements.file.files[0].name === "other.txt"`);
  assert.equal(await tab.evaluate(`document.querySelector(".result").innerText`), ""); // the verdict was of another file
  assert.match(await run("verify"), /^✗ Does not match/);
});

test("all is reached, named and done by the keyboard", async () => {
  await open();
  const { nodes } = await tab.send("Accessibility.getFullAXTree");
  const controls = nodes.filter(({ role }) =>
    /^(button|textbox|combobox|radio|link)$/.test(role?.value),
  );
  assert.ok(controls.length >= 13);
  for (const { name, role } of controls) assert.ok(name?.value, `a ${role.value} without a name`);
  const own = "(part) => [part.form?.dataset.job, part.name, part.textContent].join(' ')";
  const reached = new Set();
  for (let i = 0; i < 30; ++i) {
    await tab.press("Tab");
    reached.add(await tab.evaluate(`(${own})(document.activeElement)`));
  }
  const expected =
    await tab.evaluate(`[...document.querySelectorAll("a, summary, button:not([hidden]), input, select")]
    .filter((part) => part.checkVisibility() && (part.type !== "radio" || part.checked))
    .map(${own})`);
  assert.ok(expected.length >= 14);
  for (const control of expected) assert.ok(reached.has(control), `Tab does not reach ${control}`);

  await tab.evaluate(`document.forms[1].elements.algorithm.focus()`);
  await tab.press("Tab");
  await tab.press("Enter");
  assert.match(await answer("keygen"), /^✓ A new key/);
  assert.equal(await tab.evaluate(`document.activeElement.textContent`), "Make a key");
  const live = await tab.evaluate(
    `[...document.querySelectorAll(".result")].every((part) => part.getAttribute("role") === "status")`,
  );
  assert.equal(live, true);
});

test("nothing leaves the machine", async () => {
  await open();
  const elsewhere = await serve(folder);
  await tab.evaluate(
    `const NativeWorker = Worker; Worker = class extends NativeWorker { terminate() {} }`,
  ); // to look at one
  await verify("news.txt", "news.raw.sig", "command.pub");
  for (const session of [tab.session, tab.worker])
    assert.equal(
      await tab.evaluate(`fetch("${elsewhere.url}").then(() => "sent", () => "refused")`, session),
      "refused",
    );
  assert.notEqual(tab.session, tab.worker);
  await assert.rejects(tab.evaluate("eval('1')"), /EvalError/);
  elsewhere.close();
  assert.deepEqual(elsewhere.requests, []);
  assert.ok(server.requests.length > 5);
  for (const request of server.requests) assert.match(request, /^GET \/(girih\/)?(lib\/)?[a-z.]*$/);
});

/** The contrast of a page's texts with what is behind them (WCAG 2.2, 1.4.3): [ratio, text]. */
const contrasts = `(() => {
  const channels = (colour) => colour.match(/[\\d.]+/g).map(Number);
  const light = (colour) => channels(colour).slice(0, 3).map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
    .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
  const isClear = (colour) => channels(colour)[3] === 0;
  const ground = (part) => getComputedStyle(part).backgroundColor;
  const behind = (part) => isClear(ground(part)) ? behind(part.parentElement) : ground(part);
  return [...document.querySelectorAll("body *")]
    .filter((part) => part.checkVisibility() && [...part.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
    .map((part) => { const [a, b] = [light(getComputedStyle(part).color), light(behind(part))].sort((x, y) => y - x);
      return [(a + 0.05) / (b + 0.05), part.textContent.trim()]; });
})()`;

test("it fits narrow and wide windows, and can be read in the light and in the dark", async () => {
  for (const isDark of [false, true])
    for (const width of [400, 1000, 1600]) {
      await tab.resize(width, 900, isDark);
      await open();
      await verify("news.txt", width === 1000 ? "news.text.sig" : "news.raw.sig", "command.pub");
      await run("keygen");
      await run("sign", { files: { file: at("news.txt") } });
      assert.equal(
        await tab.evaluate("document.documentElement.scrollWidth <= innerWidth && innerWidth"),
        width,
      );
      const found = await tab.evaluate(contrasts);
      assert.ok(found.length > 40);
      for (const [ratio, text] of found)
        assert.ok(ratio >= 4.5, `${ratio.toFixed(2)} of "${text}"${isDark ? " in the dark" : ""}`);
      if (GIRIH_SCREENSHOTS)
        writeFileSync(
          join(GIRIH_SCREENSHOTS, `page-${width}-${isDark ? "dark" : "light"}.png`),
          await tab.screenshot(),
        );
    }
  await tab.resize(1000);
});

test(
  "a large file is read in pieces, with progress, and can be cancelled",
  { skip: !GIRIH_LARGE },
  async () => {
    await open();
    const bytes = Number(GIRIH_LARGE);
    writeFileSync(at("large.bin"), "a large file");
    truncateSync(at("large.bin"), bytes);
    girih("sign", "--secret", "command.key", "-o", "large.sig", "--comment", "large", "large.bin");
    for (const [name, file] of [
      ["file", "large.bin"],
      ["signature", "large.sig"],
      ["key", "command.pub"],
    ])
      await tab.choose(`form[data-job=verify] [name=${name}]`, at(file));
    const before = await browser.memory();
    const start = Date.now();
    await tab.click("form[data-job=verify] button");
    const percents = new Set();
    let most = 0;
    while (!(await tab.evaluate(`document.querySelector(".result").innerText`))) {
      percents.add(await tab.evaluate(`document.querySelector("progress").value`));
      most = Math.max(most, await browser.memory());
      if (percents.size === 20 && GIRIH_SCREENSHOTS)
        writeFileSync(join(GIRIH_SCREENSHOTS, "page-progress.png"), await tab.screenshot());
      await delay(50);
    }
    const seconds = (Date.now() - start) / 1000;
    console.log(
      `${bytes} bytes in ${seconds.toFixed(1)} s; memory grew by ${((most - before) / 1e6).toFixed(0)} MB at most`,
    );
    assert.match(await answer("verify"), /^✓ Signed by this key[^]*large/);
    assert.ok(percents.size >= 10, `${percents.size} steps of progress`);
    assert.ok(most - before < 200e6);

    await tab.click("form[data-job=verify] button");
    await tab.until(`document.querySelector("progress").value > 2`);
    await tab.click("form[data-job=verify] .cancel");
    assert.equal(await answer("verify"), "Cancelled");
    assert.equal(
      await tab.evaluate(
        `document.querySelector(".progress").hidden && document.querySelector(".cancel").hidden`,
      ),
      true,
    );
  },
);
