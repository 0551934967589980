"""Builds the sources that this recipe lies in: conan create sdk/package/conan"""

import os
import re

from conan import ConanFile
from conan.tools.cmake import CMake, CMakeDeps, CMakeToolchain
from conan.tools.files import copy, load

ROOT = os.path.join("..", "..", "..")


class Tally(ConanFile):
    name = "tally"
    description = "A typed client for a payments API, and an in-process fake of the service"
    license = "BSL-1.0"
    package_type = "library"
    settings = "os", "arch", "compiler", "build_type"
    options = {"shared": [True, False], "fPIC": [True, False], "bulk": [True, False], "outbox": [True, False],
               "fake": [True, False]}
    default_options = {"shared": False, "fPIC": True, "bulk": False, "outbox": False, "fake": True,
                       "boost/*:without_json": False}
    implements = ["auto_shared_fpic"]

    def set_version(self):
        project = load(self, os.path.join(self.recipe_folder, ROOT, "CMakeLists.txt"))
        self.version = re.search(r"project\(\s*tally\s+VERSION (\S+)", project).group(1)

    def export_sources(self):
        for pattern in ("CMakeLists.txt", "LICENSE", "sdk/*", "fake/*", "codegen/api/*", "docs/tally-fake.md",
                        "docs/reference/control-api.md", "docs/tally-outbox.md",
                        "docs/recipes/csv.md"):
            copy(self, pattern, os.path.join(self.recipe_folder, ROOT), self.export_sources_folder)

    def requirements(self):
        # Public headers include those of Boost.
        self.requires("boost/[>=1.81 <2]", transitive_headers=True, transitive_libs=True)
        self.requires("libcurl/[>=7.87 <9]")
        if self.options.outbox:
            self.requires("libpq/[>=15 <18]")
        if self.options.bulk or self.options.outbox:
            self.requires("sqlite3/[>=3.40 <4]")
        if self.options.fake:
            self.requires("openssl/[>=3 <4]")

    def generate(self):
        CMakeDeps(self).generate()
        toolchain = CMakeToolchain(self)
        for option in ("BENCHMARKS", "CODEGEN", "EXAMPLES", "TESTS"):
            toolchain.cache_variables[f"TALLY_BUILD_{option}"] = False
        toolchain.cache_variables["TALLY_BUILD_BULK"] = bool(self.options.bulk)
        toolchain.cache_variables["TALLY_BUILD_OUTBOX"] = bool(self.options.outbox)
        toolchain.cache_variables["TALLY_BUILD_FAKE"] = bool(self.options.fake)
        toolchain.generate()

    def build(self):
        cmake = CMake(self)
        cmake.configure()
        cmake.build()

    def package(self):
        CMake(self).install()

    def package_info(self):
        # find_package(tally) uses the installed files of tally itself.
        self.cpp_info.set_property("cmake_find_mode", "none")
        self.cpp_info.builddirs = [os.path.join("lib", "cmake", "tally")]
