// The page's forms: each gives its files to a worker and shows what that answers.

let madeKey; // the private key that was made here, as a file

const element = (name, properties = {}, ...children) => {
  const created = Object.assign(document.createElement(name), properties);
  created.append(...children);
  return created;
};
const sized = (bytes) => `${bytes.toLocaleString("en")} bytes`;

/** A worker under the page's own policy: one from a URL of its own would have none. */
function startWorker() {
  const text = `import ${JSON.stringify(new URL("worker.js", import.meta.url))};`;
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  const worker = new Worker(url, { type: "module" });
  worker.addEventListener("message", () => URL.revokeObjectURL(url), { once: true });
  return worker;
}

/** What a job says: a verdict, with facts below and files to download. */
function verdict(kind, headline, { text, facts = {}, downloads = [] } = {}) {
  const box = element(
    "div",
    { className: `verdict ${kind}` },
    element("strong", { textContent: headline }),
  );
  if (text) box.append(element("p", { textContent: text }));
  const list = element("dl");
  for (const [name, value] of Object.entries(facts))
    if (value)
      list.append(
        element("dt", {}, name),
        element("dd", { className: name.startsWith("Fingerprint") ? "fingerprint" : "" }, value),
      );
  if (list.childElementCount > 0) box.append(list);
  const links = downloads.map(([label, name, content]) => {
    const href = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
    return element("a", { className: "download", href, download: name, textContent: label });
  });
  if (links.length > 0) box.append(element("div", { className: "downloads" }, ...links));
  return box;
}

const shown = {
  verify({ isGood, otherKey, file, size, algorithm, fingerprint, subject, comment }) {
    const facts = {
      File: `${file}, ${sized(size)}`,
      "Name in the certificate": subject,
      Algorithm: algorithm,
      Fingerprint: fingerprint,
    };
    if (isGood) {
      const isCertificate = subject !== undefined;
      const text = `The file is as it was when the key’s owner signed it.${
        isCertificate
          ? " Anybody can write a certificate " +
            "with any name, and this page does not check who issued it: compare the fingerprint."
          : ""
      }`;
      const headline = `✓ Signed by ${isCertificate ? "the key in this certificate" : "this key"}`;
      return verdict("good", headline, { text, facts: { Comment: comment, ...facts } });
    }
    const text = otherKey
      ? "The signature names another key than the one that you chose."
      : "This key did not sign this file as it is: the file has changed, or the signature, key or context is another one.";
    return verdict("bad", "✗ Does not match", {
      text,
      facts: { ...facts, "Fingerprint in the signature": otherKey },
    });
  },

  keygen({ secret, public: publicKey, algorithm, fingerprint }) {
    madeKey = new File([secret], "girih.key");
    const own = document.forms[2].elements.key;
    own.required = false;
    document.querySelector("#own-hint").textContent = "empty: the key made on this page";
    return verdict("good", "✓ A new key is ready", {
      text: "Download both before you close this page. The private key is not encrypted: keep its file where nobody else reads.",
      facts: { Algorithm: algorithm, Fingerprint: fingerprint },
      downloads: [
        ["Download the private key", "girih.key", secret],
        ["Download the public key", "girih.pub", publicKey],
      ],
    });
  },

  sign({ file, size, algorithm, fingerprint, signature }) {
    return verdict("good", `✓ Signed`, {
      facts: { File: `${file}, ${sized(size)}`, Algorithm: algorithm, Fingerprint: fingerprint },
      downloads: [[`Download ${file}.sig`, `${file}.sig`, signature]],
    });
  },
};

/** What a form's job is to be: its files and fields. */
function inputsOf(form) {
  const inputs = { job: form.dataset.job };
  for (const { name, type, value, files, checked } of form.elements)
    if (name && (type !== "radio" || checked)) inputs[name] = type === "file" ? files[0] : value;
  if (inputs.job === "sign") inputs.key ??= madeKey;
  return inputs;
}

function bind(form) {
  const [start, cancel] = form.querySelectorAll("button");
  const progress = form.querySelector(".progress");
  const result = form.querySelector(".result");
  let worker;

  const show = (...boxes) => {
    for (const { href } of result.querySelectorAll("a")) URL.revokeObjectURL(href);
    result.replaceChildren(...boxes);
  };
  const end = (...boxes) => {
    worker?.terminate();
    worker = undefined;
    if (document.activeElement === cancel) start.focus();
    start.removeAttribute("aria-disabled");
    cancel.hidden = progress.hidden = true;
    show(...boxes);
  };
  const showProgress = (percent) => {
    progress.firstChild.value = percent;
    progress.lastChild.textContent = `${percent} %`;
  };
  const failed = (text) => end(verdict("bad", "✗ That did not work", { text }));

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (worker) return;
    const inputs = inputsOf(form);
    show();
    start.setAttribute("aria-disabled", "true");
    cancel.hidden = progress.hidden = false;
    showProgress(0);
    worker = startWorker();
    worker.addEventListener("error", () =>
      failed("The program cannot be loaded. Reload the page."),
    );
    worker.addEventListener("message", ({ data }) => {
      if (data.isReady) worker.postMessage(inputs);
      else if (data.progress) showProgress(data.progress);
      else if (data.error) failed(data.error);
      else end(shown[form.dataset.job](data.result));
    });
  });
  cancel.addEventListener("click", () => end(verdict("", "Cancelled")));
  // A result is of the files and fields that are shown. A new key stays: it may not be saved yet.
  if (form.dataset.job !== "keygen") form.addEventListener("input", () => end());
}

/** The name of the field that a dropped file belongs to. */
async function fieldOf(file) {
  const beginning = new TextDecoder("latin1").decode(await file.slice(0, 4096).arrayBuffer());
  if (
    /-----BEGIN |^\s*\{\s*"kty"/.test(beginning) ||
    /\.(pub|pem|crt|cer|der|jwk)$/i.test(file.name)
  )
    return "key";
  return /^\W*girih signature /.test(beginning) || /\.sig$/i.test(file.name) ? "signature" : "file";
}

function put(input, file) {
  const holder = new DataTransfer();
  holder.items.add(file);
  input.files = holder.files;
  input.dispatchEvent(new Event("input", { bubbles: true }));
}

/** Takes files that are dropped on a section: one on a field, or several to be told apart. */
function takeDrops(section) {
  const { elements } = section.querySelector("form");
  const mark = (isOver) => section.classList.toggle("over", isOver);
  section.addEventListener("dragover", () => mark(true));
  section.addEventListener("dragleave", () => mark(false));
  section.addEventListener("drop", async ({ target, dataTransfer }) => {
    mark(false);
    const files = [...dataTransfer.files];
    const field = target.closest("label.file")?.control;
    if (field && files.length === 1) return put(field, files[0]);
    for (const file of files) put(elements[await fieldOf(file)] ?? elements.file, file);
  });
}

for (const event of ["dragover", "drop"])
  addEventListener(event, (happened) => happened.preventDefault());
for (const form of document.forms) bind(form);
for (const section of document.querySelectorAll("section:has(input[type=file])"))
  takeDrops(section);

// A raw signature has no comment.
const sign = document.forms[2];
sign.addEventListener("change", () => {
  sign.elements.comment.disabled = sign.elements.form.value === "raw";
});

if (!globalThis.isSecureContext)
  document.querySelector("header").append(
    verdict("bad", "✗ This address is not secure", {
      text: "Browsers compute fingerprints only on pages of https, or of this machine (localhost).",
    }),
  );
