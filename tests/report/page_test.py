"""The page of what was measured: one, whole, of whatever results there are. The environment names
the tool, GIRIH_REPORT; the tests in a browser are skipped where there is none.
"""

import html.parser
import json
import os
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest

import results

TOOL = os.environ["GIRIH_REPORT"]
BROWSER = next(filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None)
VOID = {"meta", "br", "img", "input", "link"}


class Reader(html.parser.HTMLParser):
    """The elements of a page with their attributes; complains of tags that are not closed."""

    def __init__(self, text):
        super().__init__()
        self.open, self.elements = [], []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag, attributes):
        self.elements.append((tag, dict(attributes), tuple(self.open)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag, attributes):
        self.elements.append((tag, dict(attributes), tuple(self.open)))

    def handle_endtag(self, tag):
        last = self.open.pop()
        if last != tag:
            raise AssertionError(f"</{tag}> closes <{last}>, line {self.getpos()[0]}")


class Report(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.build = pathlib.Path(folder.name)

    def run_tool(self, **files):
        for name, data in files.items():
            text = data if isinstance(data, str) else json.dumps(data)
            (self.build / f"{name}.json").write_text(text, encoding="utf-8")
        return subprocess.run([TOOL, "--build", self.build], capture_output=True, text=True)

    def page(self, **files):
        done = self.run_tool(**files)
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.build / "report/index.html").read_text(encoding="utf-8")

    def full_page(self):
        if not hasattr(Report, "full"):
            Report.full = self.page(compare=results.compare(), benchmark=results.benchmark(),
                                    footprint=results.footprint())
        return self.full


class Page(Report):
    def elements(self, tag=None):
        return [(name, attributes, outer) for name, attributes, outer in Reader(self.full_page()).elements
                if tag in (None, name)]

    def test_tags_are_closed_and_names_unique(self):
        self.assertEqual(Reader(self.full_page()).open, [])
        names = [attributes["id"] for _, attributes, _ in self.elements() if "id" in attributes]
        self.assertEqual(len(names), len(set(names)))

    def test_behind_every_figure_is_a_table_and_on_it_a_label(self):
        figures = len(self.elements("figure"))
        self.assertGreater(figures, 15)
        self.assertEqual(sum("figure" in outer for _, _, outer in self.elements("table")), figures)
        labels = [attributes["aria-label"] for _, attributes, _ in self.elements("svg")
                  if attributes.get("role") == "img"]
        self.assertEqual(len(labels), figures)
        self.assertTrue(all(labels))

    def test_it_loads_nothing(self):
        for tag, attributes, _ in self.elements():
            self.assertNotIn(tag, ("img", "link", "iframe", "image", "use"))
            self.assertNotIn("src", attributes)
            self.assertTrue(attributes.get("href", "#").startswith("#"), attributes)
        policies = [attributes["content"] for _, attributes, _ in self.elements()
                    if attributes.get("http-equiv") == "Content-Security-Policy"]
        self.assertTrue(policies and policies[0].startswith("default-src 'none'"))

    def test_links_lead_somewhere(self):
        names = {attributes.get("id") for _, attributes, _ in self.elements()}
        links = [attributes["href"][1:] for _, attributes, _ in self.elements("a")]
        self.assertGreater(len(links), 8)
        self.assertLessEqual(set(links), names)

    def test_the_results_are_inside_less_single_symbols(self):
        inside = json.loads(re.search(r'<script type="application/json" id="data">(.*?)</script>', self.full_page(),
                                      re.S).group(1))
        self.assertEqual(inside["compare"], results.compare())
        self.assertEqual(inside["benchmark"], results.benchmark())
        self.assertNotIn("symbols", inside["footprint"][0])

    def test_it_says_in_how_many_operations_girih_is_ahead(self):
        # There are ten operations on avx2; the key generations' intervals have 1 in them.
        self.assertRegex(self.full_page(), r"<b>8</b> of 10 operations, slower in <b>0</b>, and in <b>2</b>")

    def test_what_was_not_measured_is_named_with_its_command(self):
        text = self.page(benchmark=results.benchmark())
        Reader(text)
        self.assertIn("<code>make compare</code>", text)
        self.assertIn("<code>make footprint</code>", text)
        self.assertNotIn("<code>make benchmark</code>", text)

    def test_a_race_without_the_portable_engine_is_shown(self):
        def renamed(rows, key):  # the portable engine's rows as another's
            return [row | {key: row[key].replace("portable", "avx512")} for row in rows]

        race = results.compare()
        race |= {"measurements": renamed(race["measurements"], "name"),
                 "operations": renamed(race["operations"], "engine")}
        self.assertIn("The portable engine beside another is not in this report", self.page(compare=race))

    def test_results_that_cannot_be_read_are_as_none(self):
        done = self.run_tool(benchmark=results.benchmark(), compare="{ half a file")
        self.assertEqual(done.returncode, 0)
        self.assertIn("compare.json", done.stderr)

    def test_without_results_there_is_no_page(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 1)
        self.assertIn("make compare", done.stderr)
        self.assertFalse((self.build / "report").exists())


@unittest.skipUnless(BROWSER, "no Chromium")
class Browser(Report):
    def run_browser(self, *options):
        command = [BROWSER, "--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={self.build}/profile",
                   "--enable-logging=stderr", "--virtual-time-budget=2000", *options]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        complaints = [line for line in done.stderr.split("\n") if "CONSOLE" in line]
        self.assertEqual(complaints, [])
        return done.stdout

    def answer(self, expression, *options, place="", width=None):
        """The value of an expression in the page; with a width, in a frame that is so wide:
        windows are not as narrow as a phone."""
        text = self.full_page()
        asked = self.build / "asked.html"
        question = f"<script>top.document.documentElement.dataset.answer = JSON.stringify({expression})</script></body>"
        text = text.replace("</body>", question)
        if width:
            text = f'<body><iframe width="{width}" height="740" style="border: 0" srcdoc="{html.escape(text)}">' \
                   "</iframe></body>"
        asked.write_text(text, encoding="utf-8")
        page = self.run_browser("--dump-dom", *options, f"file://{asked}{place}")
        return json.loads(html.unescape(re.search(r'data-answer="([^"]*)"', page).group(1)))

    def test_on_a_phone_nothing_is_wider_than_the_page(self):
        opened = "(document.querySelectorAll('details').forEach(part => part.open = true), " \
                 "[innerWidth, document.documentElement.scrollWidth])"
        width, needed = self.answer(opened, width=360)
        self.assertEqual(width, 360)
        self.assertLessEqual(needed, width)

    def test_in_the_dark_it_is_dark(self):
        ground = "getComputedStyle(document.body).backgroundColor"
        self.assertEqual(self.answer(ground, "--blink-settings=preferredColorScheme=0"), "rgb(20, 23, 26)")
        self.assertEqual(self.answer(ground, "--blink-settings=preferredColorScheme=1"), "rgb(255, 255, 255)")

    def test_every_control_can_have_the_focus(self):
        unreachable = (
            "[...document.querySelectorAll('a, summary, button, .wide')].filter(part => part.checkVisibility())"
            ".filter(part => (part.focus(), document.activeElement !== part)).map(part => part.outerHTML)"
        )
        self.assertEqual(self.answer(unreachable), [])

    def test_a_link_opens_what_it_names(self):
        is_open = "document.getElementById('speed-ml-kem-768').open"
        self.assertFalse(self.answer(is_open))
        self.assertTrue(self.answer(is_open, place="#speed-ml-kem-768"))

    def test_the_results_can_be_saved(self):
        self.assertEqual(self.answer("[...document.querySelectorAll('button')].filter(part => !part.hidden).length"), 3)

    def test_it_prints(self):
        path = self.build / "page.html"
        path.write_text(self.full_page(), encoding="utf-8")
        printed = self.build / "page.pdf"
        self.run_browser(f"--print-to-pdf={printed}", f"file://{path}")
        self.assertTrue(printed.read_bytes().startswith(b"%PDF"))


if __name__ == "__main__":
    unittest.main()
