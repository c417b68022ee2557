"""girih for Conan 2, of this checkout or an unpacked release: conan create packaging/conan"""

import os
import re

from conan import ConanFile
from conan.errors import ConanInvalidConfiguration
from conan.tools.build import check_min_cppstd, stdcpp_library
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain, cmake_layout
from conan.tools.files import copy, load, rm, rmdir

required_conan_version = ">=2.0"


class Girih(ConanFile):
    name = "girih"
    description = (
        "Lattice-based signatures and key encapsulation: ML-DSA, ML-KEM, Falcon, NTRU Prime"
    )
    topics = ("cryptography", "post-quantum", "ml-dsa", "ml-kem", "falcon", "ntru-prime")
    license = "MIT OR Apache-2.0"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {
        "shared": [True, False],
        # The library of key files, which is static, and the command.
        "key_files": [True, False],
        # GIRIH_ALGORITHMS and GIRIH_ENGINES, with commas for semicolons.
        "algorithms": ["ANY"],
        "engines": ["ANY"],
    }
    default_options = {"shared": False, "key_files": True, "algorithms": "all", "engines": "all"}

    def _root(self):
        return os.path.join(self.recipe_folder, "..", "..")

    def set_version(self):
        project = load(self, os.path.join(self._root(), "CMakeLists.txt"))
        self.version = re.search(r"project\(girih VERSION ([0-9.]+)", project)[1]

    def export_sources(self):
        for pattern in (
            "CMakeLists.txt",
            "LICENSE*",
            "cmake/*",
            "include/*",
            "src/*",
            "cli/*",
            "firmware/host/*",
            "packaging/debian/copyright",
        ):
            copy(self, pattern, self._root(), self.export_sources_folder)

    def build_requirements(self):
        if self.options.key_files:  # the command's headers, which no user of the package needs
            self.test_requires("cli11/[>=2.1 <3]")
            self.test_requires("nlohmann_json/[>=3.9 <4]")

    def validate(self):
        if self.settings.compiler not in ("gcc", "clang", "apple-clang"):
            raise ConanInvalidConfiguration(
                f"girih is for g++ and clang++, not {self.settings.compiler}"
            )
        check_min_cppstd(self, 20)

    def layout(self):
        cmake_layout(self)

    def generate(self):
        toolchain = CMakeToolchain(self)
        toolchain.cache_variables["GIRIH_SHARED"] = bool(self.options.shared)
        toolchain.cache_variables["GIRIH_BUILD_COMMAND"] = bool(self.options.key_files)
        toolchain.cache_variables["GIRIH_ALGORITHMS"] = str(self.options.algorithms).replace(
            ",", ";"
        )
        toolchain.cache_variables["GIRIH_ENGINES"] = str(self.options.engines).replace(",", ";")
        toolchain.generate()
        CMakeDeps(self).generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()
        copy(self, "LICENSE*", self.source_folder, os.path.join(self.package_folder, "licenses"))
        # Conan writes its own files for CMake and pkg-config.
        rmdir(self, os.path.join(self.package_folder, "lib", "cmake"))
        rmdir(self, os.path.join(self.package_folder, "lib", "pkgconfig"))
        if self.options.shared:
            rm(self, "libgirih.a", os.path.join(self.package_folder, "lib"))

    def package_info(self):
        library = self.cpp_info.components["girih"]
        library.libs = ["girih"]
        library.set_property("cmake_target_name", "girih::girih")
        library.set_property("pkg_config_name", "girih")
        if self.options.key_files:
            key_files = self.cpp_info.components["key_files"]
            key_files.libs = ["girih_key_files"]
            key_files.requires = ["girih"]
            key_files.set_property("cmake_target_name", "girih::key_files")
            key_files.set_property("pkg_config_name", "girih-key-files")
            # For programs in C.
            if cxx_library := stdcpp_library(self):
                key_files.system_libs = [cxx_library]
