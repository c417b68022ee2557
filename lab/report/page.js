// The page is complete without this: it hands out the JSON, and opens the figure that a link names.
function open_named() {
  let part = location.hash.length > 1 && document.getElementById(location.hash.slice(1));
  for (; part; part = part.parentElement) if (part.tagName === "DETAILS") part.open = true;
}
addEventListener("hashchange", open_named);
open_named();
for (const button of document.querySelectorAll("button[data-save]")) {
  button.hidden = false;
  button.addEventListener("click", () => {
    const all = JSON.parse(document.getElementById("data").textContent);
    const name = button.dataset.save;
    const file = new Blob([JSON.stringify(all[name], null, 1)], { type: "application/json" });
    const link = document.createElement("a");
    link.href = URL.createObjectURL(file);
    link.download = name + ".json";
    link.click();
    URL.revokeObjectURL(link.href);
  });
}
