"""Builds two of the examples with the package, and runs them and the command."""

import os

from conan import ConanFile
from conan.tools.build import can_run
from conan.tools.cmake import CMake, CMakeToolchain, cmake_layout


class Consumer(ConanFile):
    settings = "os", "arch", "compiler", "build_type"
    generators = "CMakeDeps", "VirtualRunEnv"

    def requirements(self):
        self.requires(self.tested_reference_str, run=True)  # its command

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.user_presets_path = False  # a file that would stay in the checkout
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def test(self):
        if not can_run(self):
            return
        programs = [os.path.join(self.cpp.build.bindir, "signature")]
        if self.dependencies["girih"].options.key_files:
            programs += [os.path.join(self.cpp.build.bindir, "key_files"), "girih selftest"]
        for program in programs:
            self.run(program, env="conanrun")
