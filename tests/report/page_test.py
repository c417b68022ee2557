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
BROWSER = next(
    filter(None, map(shutil.which, ("chromium-headless-shell", "chromium", "google-chrome"))), None
)
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

    def compared(self, a, b):
        """Two results compared: what the tool prints, and its page."""
        paths = [self.build / "a.json", self.build / "b.json"]
        for path, data in zip(paths, (a, b)):
            path.write_text(json.dumps(data), encoding="utf-8")
        done = subprocess.run([TOOL, *paths, "--build", self.build], capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout, (self.build / "report/comparison.html").read_text(encoding="utf-8")

    def page(self, **files):
        done = self.run_tool(**files)
        self.assertEqual(done.returncode, 0, done.stderr)
        return (self.build / "report/index.html").read_text(encoding="utf-8")

    def full_page(self):
        if not hasattr(Report, "full"):
            (self.build / "benchmark-portable.json").write_text(
                json.dumps(results.benchmark("portable", 3.0))
            )
            Report.full = self.page(
                compare=results.compare(),
                benchmark=results.benchmark(),
                footprint=results.footprint(),
            )
        return self.full


class Page(Report):
    def elements(self, tag=None):
        return [
            (name, attributes, outer)
            for name, attributes, outer in Reader(self.full_page()).elements
            if tag in (None, name)
        ]

    def test_tags_are_closed_and_names_unique(self):
        self.assertEqual(Reader(self.full_page()).open, [])
        names = [attributes["id"] for _, attributes, _ in self.elements() if "id" in attributes]
        self.assertEqual(len(names), len(set(names)))

    def test_behind_every_figure_is_a_table_and_on_it_a_label(self):
        figures = len(self.elements("figure"))
        self.assertGreater(figures, 15)
        self.assertEqual(sum("figure" in outer for _, _, outer in self.elements("table")), figures)
        labels = [
            attributes["aria-label"]
            for _, attributes, _ in self.elements("svg")
            if attributes.get("role") == "img"
        ]
        self.assertEqual(len(labels), figures)
        self.assertTrue(all(labels))

    def test_it_loads_nothing(self):
        for tag, attributes, _ in self.elements():
            self.assertNotIn(tag, ("img", "link", "iframe", "image", "use"))
            self.assertNotIn("src", attributes)
            self.assertTrue(attributes.get("href", "#").startswith("#"), attributes)
        policies = [
            attributes["content"]
            for _, attributes, _ in self.elements()
            if attributes.get("http-equiv") == "Content-Security-Policy"
        ]
        self.assertTrue(policies and policies[0].startswith("default-src 'none'"))

    def test_links_lead_somewhere(self):
        names = {attributes.get("id") for _, attributes, _ in self.elements()}
        links = [attributes["href"][1:] for _, attributes, _ in self.elements("a")]
        self.assertGreater(len(links), 8)
        self.assertLessEqual(set(links), names)

    def test_the_results_are_inside_less_single_symbols(self):
        inside = json.loads(
            re.search(
                r'<script type="application/json" id="data">(.*?)</script>', self.full_page(), re.S
            ).group(1)
        )
        self.assertEqual(inside["compare"], results.compare())
        self.assertEqual(inside["benchmark"], results.benchmark())
        self.assertNotIn("symbols", inside["footprint"][0])

    def test_it_says_in_how_many_operations_girih_is_ahead(self):
        # There are ten operations on avx2; the key generations' intervals have 1 in them.
        self.assertRegex(
            self.full_page(), r"<b>8</b> of 10 operations, slower in <b>0</b>, and in <b>2</b>"
        )

    def test_what_was_not_measured_is_named_once_at_the_end(self):
        text = self.page(benchmark=results.benchmark())
        self.assertEqual(
            [attributes["id"] for tag, attributes, _ in Reader(text).elements if tag == "section"],
            ["operations", "components", "messages", "batches", "reference", "rows", "environment"],
        )
        missing = re.findall(r'class="missing">(.*?)</p>', text)
        self.assertEqual(
            missing,
            [
                "Not on this page: the race (<code>make compare</code>), the Cortex-M7 "
                "(<code>make footprint</code>)."
            ],
        )
        self.assertGreater(text.index(missing[0]), text.index("</main>"))

    def test_each_engine_has_its_bars_and_each_component_its_row(self):
        def bars(section, kind):
            return sum(
                f'id="{section}"' in part and part.count(f'class="girih {kind}"') or 0
                for part in self.full_page().split("<section ")
            )

        self.assertEqual(bars("components", "avx2"), 6)
        # One more is in the legend.
        self.assertEqual(
            [bars("operations", kind) for kind in ("avx2", "portable")], [4 + 1, 4 + 1]
        )
        self.assertEqual([bars("messages", kind) for kind in ("avx2", "portable")], [3 + 1, 3 + 1])

    def test_components_are_sorted(self):
        part = self.full_page().split('id="components"')[1].split("</section>")[0]
        places = re.findall(r"<text[^>]*>&lt;img src=&quot;x&quot;&gt; of (\d) coefficients", part)
        self.assertEqual(places, ["5", "4", "3", "2", "1", "0"])

    def test_two_runs_compared_mark_what_changed(self):
        printed, text = self.compared(
            results.benchmark(), results.benchmark(factor=1.01, slower=["sign prepared"])
        )
        Reader(text)
        self.assertIn("Of 17 rows in both, 1 take more in B, 0 take less", printed)
        self.assertRegex(
            printed, r"1\.212 +1\.206 to 1\.218  slower  ML-DSA-65, sign prepared, avx2"
        )
        self.assertEqual(
            re.findall(r'<tr class=(\w+)><th scope="row">([^<]*)', text)[-1:],
            [("slower", "ML-DSA-65, sign prepared, avx2")],
        )
        self.assertIn("The median row takes 1.010 times as long", text)

    def test_a_row_whose_samples_spread_is_not_marked(self):
        noisy = results.benchmark(slower=["sign prepared"])
        for row in noisy["benchmarks"]:
            if "sign prepared" in row["label"]:
                row |= {"samples": 8, "p10_exec_time (ns)": 0.8 * row["real_time"]}
        self.assertIn("0 take more in B", self.compared(results.benchmark(), noisy)[0])

    def test_a_row_of_one_sample_has_no_spread_and_is_not_marked(self):
        single = results.benchmark(slower=["sign"])
        for row in single["benchmarks"]:
            if "sign" in row["label"]:
                row["samples"] = 1
        for a, b in ((results.benchmark(), single), (single, results.benchmark())):
            printed, text = self.compared(a, b)
            self.assertIn("0 take more in B, 0 take less", printed)
            self.assertNotRegex(text, r"\b(inf|nan)\b")
        page = self.page(benchmark=single)
        self.assertIn("<title>ML-DSA-65, avx2: 60.0 µs</title>", page)
        self.assertRegex(
            page,
            "<td>sign</td><td>avx2</td><td class=number[^>]*>60,000</td><td class=number>-</td>",
        )

    def test_races_and_footprints_are_compared(self):
        changed = results.footprint()
        changed[0]["operations"]["verify"]["median_cycles"] -= 1
        self.assertIn("1 take less", self.compared(results.footprint(), changed)[0])
        self.assertIn(
            "Of 40 rows in both, 0 take more",
            self.compared(results.compare(), results.compare())[0],
        )

    def test_results_without_a_common_row_are_refused(self):
        with self.assertRaisesRegex(AssertionError, "no row in common"):
            self.compared(results.benchmark(), results.footprint())

    def test_a_race_without_the_portable_engine_is_shown(self):
        def renamed(rows, key):  # the portable engine's rows as another's
            return [row | {key: row[key].replace("portable", "avx512")} for row in rows]

        race = results.compare()
        race |= {
            "measurements": renamed(race["measurements"], "name"),
            "operations": renamed(race["operations"], "engine"),
        }
        self.assertIn("ML-KEM: keygen", self.page(compare=race))

    def test_results_that_cannot_be_read_are_as_none(self):
        done = self.run_tool(benchmark=results.benchmark(), compare="{ half a file")
        self.assertEqual(done.returncode, 0)
        self.assertIn("compare.json", done.stderr)

    def test_dates_are_those_of_the_results(self):
        data = results.benchmark()
        data["context"]["date"] = "2024-02-29T12:34:56+00:00"
        self.assertIn("the benchmark of 29 February 2024, 12:34.", self.page(benchmark=data))
        race = results.compare()
        race["environment"]["date"] = "2024-02-29T12:34:56+00:00"
        self.assertIn("the race of 29 February 2024, 12:34", self.page(compare=race))

    def test_an_interrupted_benchmark_is_named_as_unfinished(self):
        whole = json.dumps(results.benchmark(), indent=1)
        for done, row in enumerate(re.finditer('"name"', whole)):
            if done > 0:
                page = self.page(benchmark=whole[: row.end()])
                self.assertIn(f"(unfinished: {done} rows)", page[: page.index("</header>")][-900:])
        self.assertNotIn("unfinished", self.page(benchmark=whole))

    def test_without_results_there_is_no_page(self):
        done = self.run_tool()
        self.assertEqual(done.returncode, 1)
        self.assertIn("make compare", done.stderr)
        self.assertFalse((self.build / "report").exists())


@unittest.skipUnless(BROWSER, "no Chromium")
class Browser(Report):
    def run_browser(self, *options):
        command = [
            BROWSER,
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            f"--user-data-dir={self.build}/profile",
            "--enable-logging=stderr",
            "--virtual-time-budget=2000",
            *options,
        ]
        done = subprocess.run(command, capture_output=True, text=True, timeout=300)
        self.assertEqual(done.returncode, 0, done.stderr)
        complaints = [line for line in done.stderr.split("\n") if "CONSOLE" in line]
        self.assertEqual(complaints, [])
        return done.stdout

    def answer(self, expression, *options, place="", width=None, text=None):
        """The value of an expression in the page; with a width, in a frame that is so wide:
        windows are not as narrow as a phone."""
        text = text or self.full_page()
        asked = self.build / "asked.html"
        question = f"<script>top.document.documentElement.dataset.answer = JSON.stringify({expression})</script></body>"
        text = text.replace("</body>", question)
        if width:
            text = (
                f'<body><iframe width="{width}" height="740" style="border: 0" srcdoc="{html.escape(text)}">'
                "</iframe></body>"
            )
        asked.write_text(text, encoding="utf-8")
        page = self.run_browser("--dump-dom", *options, f"file://{asked}{place}")
        return json.loads(html.unescape(re.search(r'data-answer="([^"]*)"', page).group(1)))

    OPENED = "(document.querySelectorAll('details').forEach(part => part.open = true), "

    def test_nothing_is_wider_than_the_page(self):
        opened = self.OPENED + "[innerWidth, document.documentElement.scrollWidth])"
        for wanted in (360, 400, 1000, 1600):
            width, needed = self.answer(opened, "--window-size=1700,800", width=wanted)
            self.assertEqual(width, wanted)
            self.assertLessEqual(needed, width)

    def test_nothing_in_a_chart_is_cut_off_and_bars_have_a_length(self):
        drawn = (
            self.OPENED
            + """[[...document.querySelectorAll('figure > svg text, figure > svg rect')].filter(part => {
            const box = part.getBBox(), view = part.ownerSVGElement.viewBox.baseVal;
            return box.x < -1 || box.width <= 0 || box.x + box.width > view.width + 1 || box.y + box.height > view.height + 1;
        }).map(part => part.outerHTML), document.querySelectorAll('figure > svg rect').length])"""
        )
        for text in (
            None,
            self.compared(results.benchmark(), results.benchmark(slower=["sign"]))[1],
        ):
            cut_off, bars = self.answer(drawn, text=text)
            self.assertEqual(cut_off, [])
            self.assertTrue(text or bars > 40)

    def test_the_table_is_filtered_and_sorted_and_its_rows_are_exported(self):
        table = """(() => {
            const part = document.querySelector('.filtered'), words = part.querySelector('input'), saved = [];
            window.Blob = class { constructor(parts) { saved.push(parts.join('')); } };
            URL.createObjectURL = () => '#';
            HTMLAnchorElement.prototype.click = () => {};
            const export_it = () => part.querySelector('caption button').click();
            export_it();
            words.value = 'PORTABLE ml-kem';
            words.dispatchEvent(new Event('input'));
            [...part.querySelectorAll('thead button')].find(head => head.textContent.startsWith('ns')).click();
            export_it();
            document.querySelector('figure button').click();
            return [...saved, part.querySelector('output').textContent];
        })()"""
        everything, chosen, chart, count = self.answer(table)
        self.assertEqual(len(everything.split("\r\n")), 1 + 2 * 17 + 1)
        self.assertIn('"<img src=""x""> of 3 coefficients",avx2,1029,', everything)
        self.assertEqual(
            re.findall(r"^ML-KEM-768,(\w+)[^,]*,portable,(\d+),", chosen, re.M),
            [("keygen", "60000"), ("encapsulate", "120000"), ("encapsulate", "150000")],
        )
        self.assertEqual(len(chosen.split("\r\n")), 5)
        self.assertEqual(count, "3 of 34 rows")
        self.assertTrue(chart.startswith("<svg") and "rgb(" in chart and chart.endswith("</svg>"))

    def test_in_the_dark_it_is_dark(self):
        ground = "getComputedStyle(document.body).backgroundColor"
        self.assertEqual(
            self.answer(ground, "--blink-settings=preferredColorScheme=0"), "rgb(20, 23, 26)"
        )
        self.assertEqual(
            self.answer(ground, "--blink-settings=preferredColorScheme=1"), "rgb(255, 255, 255)"
        )

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
        self.assertEqual(
            self.answer(
                "[...document.querySelectorAll('footer button')].map(part => part.textContent)"
            ),
            ["compare.json", "benchmark.json", "footprint.json"],
        )

    def test_it_prints(self):
        path = self.build / "page.html"
        path.write_text(self.full_page(), encoding="utf-8")
        printed = self.build / "page.pdf"
        self.run_browser(f"--print-to-pdf={printed}", f"file://{path}")
        self.assertTrue(printed.read_bytes().startswith(b"%PDF"))


if __name__ == "__main__":
    unittest.main()
