"""Packages for firmware, tried with stand-ins, without Zephyr, ESP-IDF and Arduino's tools.

Zephyr's and ESP-IDF's functions for CMake are a few lines each; Arduino.h is one that writes to an
emulated board, where the example runs. Kconfig is read by kconfiglib, and PlatformIO's manifest by
PlatformIO, where these are installed (pip install kconfiglib platformio).
"""

import importlib.util
import json
import pathlib
import re
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock
import xml.etree.ElementTree
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
BOARD = ROOT / "examples/secure_boot"
VERSION = re.search(r"project\(girih VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())[1]

ZEPHYR = """\
cmake_minimum_required(VERSION 3.22)
project(application LANGUAGES C CXX ASM)
macro(zephyr_library_named name)
  add_library(${name} STATIC)
  set(library ${name})
endmacro()
macro(zephyr_library_sources)
  target_sources(${library} PRIVATE ${ARGN})
endmacro()
macro(zephyr_library_compile_options)
  target_compile_options(${library} PRIVATE ${ARGN})
endmacro()
macro(zephyr_include_directories)
  include_directories(${ARGN})
endmacro()
include_directories(include)
add_compile_options($<$<COMPILE_LANGUAGE:CXX>:-std=gnu++11>)
add_subdirectory(GIRIH girih)
"""
ESP_IDF = """\
cmake_minimum_required(VERSION 3.22)
project(application LANGUAGES C CXX)
add_compile_options($<$<COMPILE_LANGUAGE:C>:-ffreestanding>)
function(idf_component_register)
  cmake_parse_arguments(given "" "" "SRCS;INCLUDE_DIRS;PRIV_REQUIRES" ${ARGN})
  add_library(girih STATIC ${given_SRCS})
  target_include_directories(girih PUBLIC ${given_INCLUDE_DIRS} PRIVATE ${CMAKE_SOURCE_DIR}/include)
  set(COMPONENT_LIB girih PARENT_SCOPE)
endfunction()
set(COMPONENT_LIB girih)
add_subdirectory(GIRIH girih)
"""
ARDUINO_H = """\
extern "C" void board_print(const char* text);
static struct {
    void begin(long) {}
    void println(const char* text) { board_print(text); board_print("\\n"); }
} Serial;
void setup();
void loop();
"""
SKETCH_MAIN = "int main() { setup(); for (;;) loop(); }\n"
# The options of an Arduino core for a Cortex-M4 (UNO R4), as far as they matter here.
ARDUINO = "-mcpu=cortex-m4 -mthumb -mfloat-abi=hard -mfpu=fpv4-sp-d16 -Os -ffunction-sections -fdata-sections".split()
ARDUINO_CXX = "-std=gnu++17 -fno-rtti -fno-exceptions -fno-use-cxa-atexit -x c++".split()


def run(*command, **options) -> str:
    result = subprocess.run(
        [str(part) for part in command],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        **options,
    )
    if result.returncode != 0:
        raise AssertionError(f"{command}:\n{result.stdout[-3000:]}")
    return result.stdout


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        temporary = tempfile.TemporaryDirectory()
        cls.addClassCleanup(temporary.cleanup)
        cls.folder = pathlib.Path(temporary.name)
        run(HERE / "generate", "ml-dsa-44", "--cores", "cortex-m4", "--output", cls.folder / "out")

    def written(self, name: str, text: str) -> pathlib.Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def zephyr(self, name: str, *configuration: str) -> pathlib.Path:
        """The library that an application with this configuration gets."""
        module = (ROOT / "zephyr/module.yml").read_text()
        place = ROOT / re.search(r"cmake: (.*)", module)[1]
        self.written(
            f"{name}/include/zephyr/random/random.h",
            "#include <stddef.h>\nint sys_csrand_get(void* to, size_t bytes);\n",
        )
        project = self.written(
            f"{name}/CMakeLists.txt", ZEPHYR.replace("GIRIH", str(place), 1)
        ).parent
        run(
            "cmake",
            "-S",
            project,
            "-B",
            project / "build",
            "-G",
            "Ninja",
            "-DCMAKE_BUILD_TYPE=MinSizeRel",
            "-DGIRIH_CORE=cortex-m4",
            f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake/toolchains/arm-none-eabi.cmake'}",
            *(f"-DCONFIG_{option}=y" for option in configuration),
        )
        run("cmake", "--build", project / "build")
        return project / "build/girih/libgirih.a"

    def test_zephyr_builds_what_is_configured(self):
        sizes = []
        for plan in ("SMALL", "FAST"):
            library = self.zephyr(
                f"zephyr-{plan}", "GIRIH", "GIRIH_ML_DSA_44", f"GIRIH_PLAN_{plan}", "GIRIH_RANDOM"
            )
            symbols = run("arm-none-eabi-nm", library)
            for name, there in (
                ("girih_ml_dsa_44", True),
                ("girih_falcon_512", False),
                ("girih_device_random", True),
                ("girih_cortex_m_keccak", True),
            ):
                self.assertEqual(bool(re.search(rf" T {name}", symbols)), there, name)
            sizes.append(library.stat().st_size)
        self.assertNotEqual(*sizes)

    def test_zephyr_needs_an_algorithm(self):
        with self.assertRaisesRegex(AssertionError, "CONFIG_GIRIH_ML_DSA_44=y"):
            self.zephyr("zephyr-none", "GIRIH")

    def test_zephyr_s_options_are_in_both_files(self):
        kconfig = (HERE / "zephyr/Kconfig").read_text()
        offered = set(re.findall(r"^\s*(?:menu)?config (\w+)", kconfig, re.MULTILINE)) - {
            "GIRIH",
            "GIRIH_PLAN_SMALL",
            "GIRIH_PLAN_FAST",
            "GIRIH_RANDOM",
        }
        listed = re.search(
            r"foreach\(algorithm ([^)]*)\)", (HERE / "zephyr/CMakeLists.txt").read_text()
        )[1].split()
        self.assertEqual(offered, {f"GIRIH_{name.replace('-', '_').upper()}" for name in listed})

    @unittest.skipUnless(importlib.util.find_spec("kconfiglib"), "no kconfiglib")
    def test_zephyr_s_kconfig_is_read(self):
        import kconfiglib

        around = "config CPU_CORTEX_M\n\tdef_bool y\nconfig RISCV\n\tbool\nconfig CPP\n\tbool\nconfig REQUIRES_FULL_LIBCPP\n\tbool\nconfig CSPRNG_ENABLED\n\tdef_bool y\n"
        top = self.written("Kconfig", f'{around}source "{HERE / "zephyr/Kconfig"}"\n')
        kconfig = kconfiglib.Kconfig(str(top))
        kconfig.syms["GIRIH"].set_value("y")
        for name, value in (
            ("GIRIH_PLAN_SMALL", "y"),
            ("GIRIH_RANDOM", "y"),
            ("CPP", "y"),
            ("GIRIH_FALCON_512", "n"),
        ):
            self.assertEqual(kconfig.syms[name].str_value, value, name)

    @unittest.skipUnless(shutil.which("riscv64-unknown-elf-g++"), "no compiler for RISC-V")
    def test_esp_idf_builds_the_component(self):
        component = self.folder / "out/esp-idf/girih"
        self.assertIn(f'version: "{VERSION}"', (component / "idf_component.yml").read_text())
        self.written(
            "esp/include/esp_random.h",
            "#include <stddef.h>\nvoid esp_fill_random(void* to, size_t bytes);\n",
        )
        project = self.written(
            "esp/CMakeLists.txt", ESP_IDF.replace("GIRIH", str(component))
        ).parent
        run(
            "cmake",
            "-S",
            project,
            "-B",
            project / "build",
            "-G",
            "Ninja",
            "-DCMAKE_BUILD_TYPE=MinSizeRel",
            f"-DCMAKE_TOOLCHAIN_FILE={ROOT / 'cmake/toolchains/riscv32.cmake'}",
        )
        run("cmake", "--build", project / "build")
        symbols = run("riscv64-unknown-elf-nm", project / "build/girih/libgirih.a")
        self.assertRegex(symbols, " T girih_ml_dsa_44\n")
        self.assertRegex(symbols, " T girih_device_random\n")

    def board(self, sketch: str, *libraries) -> str:
        """The first line that a sketch says on an emulated board."""
        self.written("sketch/Arduino.h", ARDUINO_H)
        source = self.written("sketch/sketch.cpp", f'#include "Arduino.h"\n{sketch}{SKETCH_MAIN}')
        header = f"-I{self.folder / 'out/arduino/girih/src'}"
        run(
            "arm-none-eabi-g++",
            *ARDUINO,
            *ARDUINO_CXX,
            "-c",
            source,
            header,
            "-o",
            self.folder / "sketch.o",
        )
        run(
            "arm-none-eabi-gcc",
            *ARDUINO,
            "-DUART=0x40004000",
            "-c",
            BOARD / "board.c",
            "-o",
            self.folder / "board.o",
        )
        image = self.folder / "sketch.elf"
        run(
            "arm-none-eabi-gcc",
            *ARDUINO,
            "-nostartfiles",
            "--specs=nano.specs",
            "--specs=nosys.specs",
            "-Wl,--gc-sections",
            "-T",
            BOARD / "sections.ld",
            "-Wl,--defsym=CODE=0,--defsym=CODE_BYTES=0x80000,--defsym=RAM=0x20000000,--defsym=SLOT=0,--defsym=COUNTER=0",
            self.folder / "sketch.o",
            self.folder / "board.o",
            *libraries,
            "-o",
            image,
        )
        with subprocess.Popen(
            [
                "qemu-system-arm",
                "-M",
                "mps2-an386",
                "-display",
                "none",
                "-monitor",
                "none",
                "-serial",
                "stdio",
                "-kernel",
                image,
            ],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            text=True,
        ) as emulator:
            line = emulator.stdout.readline().strip()
            emulator.kill()
        return line

    def test_arduino_s_example_runs_with_the_compiled_library(self):
        package = self.folder / "out/arduino/girih"
        properties = dict(
            line.split("=", 1) for line in (package / "library.properties").read_text().splitlines()
        )
        self.assertEqual(
            (properties["version"], properties["precompiled"], properties["includes"]),
            (VERSION, "full", "girih.h"),
        )
        sketch = (package / "examples/Signature/Signature.ino").read_text()
        self.assertEqual(
            self.board(sketch, package / "src/cortex-m4/fpv4-sp-d16-hard/libgirih.a"), "verified"
        )

    def test_platformio_s_flags_compile_the_library(self):
        package = self.folder / "out/arduino/girih"
        library = json.loads((package / "library.json").read_text())
        self.assertEqual(library["version"], VERSION)
        flags = [
            flag
            for flag in [*ARDUINO, *ARDUINO_CXX[:-2]]
            if flag not in library["build"]["unflags"].split()
        ]
        objects = []
        for name in re.findall(r"\+<(.*?)>", library["build"]["srcFilter"]):
            objects.append(self.folder / f"{name}.o")
            run(
                "arm-none-eabi-g++",
                *flags,
                *library["build"]["flags"].split(),
                "-c",
                package / "src" / name,
                "-o",
                objects[-1],
            )
        sketch = (package / "examples/Signature/Signature.ino").read_text()
        self.assertEqual(self.board(sketch, *objects), "verified")

    @unittest.skipUnless(importlib.util.find_spec("platformio"), "no PlatformIO")
    def test_platformio_reads_its_manifest(self):
        from platformio.package.manifest.parser import ManifestParserFactory
        from platformio.package.manifest.schema import ManifestSchema

        manifest = ManifestParserFactory.new_from_file(
            str(self.folder / "out/arduino/girih/library.json")
        ).as_dict()
        names = {
            "licenses": [{"licenseId": "MIT"}, {"licenseId": "Apache-2.0"}]
        }  # it would fetch a list
        with unittest.mock.patch.object(
            ManifestSchema, "load_spdx_licenses", staticmethod(lambda: names)
        ):
            self.assertEqual(ManifestSchema().load_manifest(manifest)["name"], "girih")

    def test_the_cmsis_pack_has_its_files(self):
        with zipfile.ZipFile(self.folder / f"out/girih.girih.{VERSION}.pack") as pack:
            description = xml.etree.ElementTree.fromstring(pack.read("girih.girih.pdsc"))
            named = [file.get("name") for file in description.iter("file")] + [
                description.findtext("license")
            ]
            self.assertEqual(set(named) - set(pack.namelist()), set())
            self.assertEqual(description.find("releases/release").get("version"), VERSION)
            conditions = {condition.get("id") for condition in description.iter("condition")}
            self.assertEqual(
                {component.get("condition") for component in description.iter("component")},
                conditions,
            )


if __name__ == "__main__":
    unittest.main()
