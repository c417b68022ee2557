# Each target runs a CMake preset or a script.
# With another compiler: make test CXX=clang++-19 (builds in build/clang++-19).

ifeq ($(origin CXX),default)
CXX := g++
endif
BUILD := $(if $(filter g++,$(CXX)),build,build/$(CXX))
configure = CXX=$(CXX) cmake --preset $(1) -B $(2) --log-level=NOTICE
compile = cmake --build $(1)
# Three jobs for two cores, since tests of boards mostly wait.
ctest = ctest --test-dir $(1) --output-on-failure --no-tests=error -j3
programs = $(patsubst %,girih_%_tests,$(1))
labelled = -L '^($(subst $() $(),|,$(1)))$$'

on_x86 := $(shell $(CXX) -dM -E -x c++ /dev/null 2>/dev/null | grep -w __x86_64__)
avx512_here := $(filter avx512_vbmi2,$(shell grep -m1 '^flags' /proc/cpuinfo 2>/dev/null))
widest_engine := $(if $(on_x86),$(if $(avx512_here),avx512,avx2),all)

.PHONY: all test loop test-library emulate riscv platforms windows benchmark ab provider interop firmware firmware-test firmware-demo faults cores packaged \
    footprint firmware-race arm report docs check format sanitize threads fuzz constant-time traces compare \
    python wasm page rust go rustls java wheels mutate proofs coverage release dist packages conan evidence affected clean help
.DEFAULT_GOAL := all

all: ## build the library and the command (build/libgirih.a, build/girih)
	@CXX=$(CXX) tools/setup build
	@$(call configure,release,$(BUILD))
	@$(call compile,$(BUILD))
	@echo
	@echo "girih is built: $(BUILD)/girih, $(BUILD)/libgirih.a, include/girih/"
	@echo "  try it     $(BUILD)/girih list"
	@echo "  test it    make test"
	@echo "  time it    make benchmark"
	@echo "  install    cmake --install $(BUILD) --prefix /usr/local"

test: ## build and run every test; set GIRIH_VECTORS to a folder of vectors to run those too
	@CXX=$(CXX) tools/setup build test
	@$(call configure,test,$(BUILD))
	@$(call compile,$(BUILD))
	$(call ctest,$(BUILD))

ALGORITHM := ml-kem-768
ENGINES := $(widest_engine)
loop: ## build one algorithm on two engines, and run its tests (ALGORITHM=ml-kem-768 ENGINES=avx2)
	@CXX=$(CXX) tools/setup build test
	@$(call configure,test,build/loop) "-DGIRIH_ALGORITHMS=$(ALGORITHM)" "-DGIRIH_ENGINES=$(ENGINES)" \
	    -DGIRIH_BUILD_COMMAND=OFF -DGIRIH_BUILD_PROVIDER=OFF
	@$(call compile,build/loop) --target girih_cross_isa_tests girih_vectors_tests
	build/loop/tests/cross_isa/girih_cross_isa_tests --gtest_brief=1 --gtest_filter='*EveryOperation*'
	build/loop/tests/vectors/girih_vectors_tests --gtest_brief=1

# The folders of tests that depend on the compiler of the library. (The sanitizers' build compiles
# the rest with clang.)
shipped := cross_isa vectors stack
test-library: ## the tests that depend on how the library is compiled (CXX=clang++-19)
	@CXX=$(CXX) tools/setup build test
	@$(call configure,test,$(BUILD))
	@$(call compile,$(BUILD)) --target girih_shared girih_command girih_board girih_stack_peak \
	    $(call programs,$(shipped))
	$(call ctest,$(BUILD)) \
	    -R 'constant_time.no_division|hardening.(exports|library_and_command)'
	$(call ctest,$(BUILD)) $(call labelled,$(shipped))

provider: ## build the provider for OpenSSL (build/girih-provider.so) and test it with the openssl command
	@CXX=$(CXX) tools/setup build test provider
	@$(call configure,test,$(BUILD))
	@$(call compile,$(BUILD)) --target girih_command girih_provider girih_provider_tests
	$(call ctest,$(BUILD)) -L '^provider$$'

COLLECTIONS :=
interop: ## make artifacts for the IETF hackathon's PQC certificates (build/interop), and check all of a checkout's (COLLECTIONS=path)
	@CXX=$(CXX) tools/setup build test provider
	@$(call configure,test,$(BUILD))
	@$(call compile,$(BUILD)) --target girih_command girih_provider
	@GIRIH_COMMAND=$(BUILD)/girih GIRIH_PROVIDER=$(BUILD)/girih-provider.so tools/interop $(COLLECTIONS)

# If this processor lacks AVX-512, a processor that has it is emulated.
emulator := $(if $(on_x86),$(if $(avx512_here),,bochs))
# A change runs only the tests of engines.
FOLDERS := $(if $(GIRIH_BASE),cross_isa kernels vectors)
emulate: ## the tests on an emulated Arm processor, and on x86-64 ones without AVX, without AVX-512, and with
	@CXX=$(CXX) tools/setup build test emulate $(emulator)
	@$(call configure,aarch64,build/aarch64)
	@$(call compile,build/aarch64)$(if $(FOLDERS), --target girih girih_shared girih_command $(call programs,$(FOLDERS)))
	@GIRIH_BUILD=build/aarch64 tools/check engines
	$(call ctest,build/aarch64) -C emulated -LE slow $(if $(FOLDERS),$(call labelled,$(FOLDERS)))
	@$(call configure,test,$(BUILD))
	@$(call compile,$(BUILD))
	$(call ctest,$(BUILD)) -C emulated -L emulated

riscv: ## the tests on emulated 64-bit RISC-V processors, without vectors and with those of 128 to 1024 bits
	@tools/setup build riscv
	@$(call configure,riscv64,build/riscv64)
	@$(call compile,build/riscv64)$(if $(FOLDERS), --target girih girih_shared girih_command $(call programs,$(FOLDERS)))
	@GIRIH_BUILD=build/riscv64 tools/check engines
	$(call ctest,build/riscv64) -C emulated -LE slow $(if $(FOLDERS),$(call labelled,$(FOLDERS)))

# FAULTS=1 plants faults in the kernels instead; the proofs have to find each of them.
PROVED := g++ clang++-19
FAULTS :=
proofs: ## prove kernels for every input, from the machine code that each compiler makes (PROVED="g++ clang++-19"); ARGS are the script's own
	@$(foreach compiler,$(PROVED),CXX=$(compiler) tools/setup build proofs &&) true
	ARGS="$(ARGS)" FAULTS=$(FAULTS) tests/proofs/machine/run $(PROVED)

PLATFORMS := s390x
LEVELS := -O1
platforms: ## whether other processors, emulated, and other levels compute the same (PLATFORMS="s390x riscv64 riscv64-clang arm i686 aarch64 x86_64 x86_64-clang" LEVELS="-O1 -Os" ALGORITHMS=all)
	@CXX=$(CXX) tools/setup build platforms
	LEVELS="$(LEVELS)" ALGORITHMS="$(ALGORITHMS)" tests/platforms/run $(PLATFORMS)

# A change runs only the tests that depend on Windows, or on the registers and stack of its calls.
on_windows := cross_isa key_files threads
# Under Wine a program sometimes hangs, or ends without output: only a second time is a fault.
windows: ## build for 64-bit Windows with MinGW-w64 (build/windows: libgirih.a, libgirih-*.dll); the tests run under Wine
	@CXX=$(CXX) tools/setup build windows
	@$(call configure,windows,build/windows)
	@$(call compile,build/windows)$(if $(GIRIH_BASE), --target girih_shared girih_command girih_hold_file girih_linear_time_tests \
	    $(call programs,$(on_windows)))
	tools/with_wine $(CURDIR)/build/wine \
	    $(call ctest,build/windows) -LE slow --timeout 300 --repeat until-pass:2 \
	    $(if $(GIRIH_BASE),$(call labelled,$(on_windows) cli))

# The benchmark's rows of operations, for the engines that are not the widest.
operation_rows := --benchmark_filter='::(keygen|sign|verify|encapsulate|decapsulate)' --benchmark_min_time=0.1
benchmark: ## time every component and operation on this machine (build/report/index.html); ARGS are the benchmark's own
	@CXX=$(CXX) tools/setup build benchmark
	@$(call configure,benchmark,$(BUILD))
	@$(call compile,$(BUILD)) --target girih_benchmark
	$(BUILD)/girih_benchmark --benchmark_out=build/benchmark.json $(ARGS)
	@$(if $(ARGS),,for engine in $(filter-out $(widest_engine),portable $(if $(on_x86),avx2)); do \
	    $(BUILD)/girih_benchmark --engine=$$engine $(operation_rows) --benchmark_out=build/benchmark-$$engine.json || exit; done)
	@lab/report/report

ab: ## time this build against another, interleaved: make ab BASE=path/to/libgirih.so; ARGS are girih_ab's own
	@test -n "$(BASE)" || { echo "make ab: BASE names no libgirih.so" >&2; exit 2; }
	@CXX=$(CXX) tools/setup build benchmark
	@$(call configure,benchmark,$(BUILD))
	@$(call compile,$(BUILD)) --target girih_shared girih_ab
	$(BUILD)/girih_ab $(ARGS) $(BASE) $(BUILD)/libgirih.so $(ALGORITHMS)

FIRMWARE := release minsize debug
firmware: ## build the images for the Cortex-M7, in three presets (build/firmware-*/images)
	@CXX=$(CXX) tools/setup build firmware
	@for preset in $(FIRMWARE); do \
	    cmake --preset firmware-$$preset --log-level=NOTICE && cmake --build build/firmware-$$preset || exit; done

firmware-test: firmware ## run every image in the emulator: known answers, signatures, refusals
	@CXX=$(CXX) tools/setup build test firmware
	@$(call configure,test,$(BUILD))
	@$(call compile,$(BUILD)) --target girih_command girih_board girih_firmware_tests girih_host_board_full girih_host_board_signing girih_host_board_verifying girih_emulator_tests
	$(call ctest,$(BUILD)) -C firmware -L '^firmware$$'

faults: ## try single faults of the processor on examples/secure_boot in the emulator; no bad image may start (ARGS=--all: all of them)
	@CXX=$(CXX) tools/setup build firmware
	@$(call configure,release,$(BUILD))
	@$(call compile,$(BUILD)) --target girih_command
	examples/secure_boot/libraries.sh build/devices
	GIRIH_COMMAND=$(abspath $(BUILD))/girih GIRIH_DEVICES=$(abspath build/devices) examples/secure_boot/glitches.py $(ARGS)

cores: ## run the library for devices on every core that QEMU emulates, and compare figures with firmware/README.md (ARGS)
	@CXX=$(CXX) tools/setup build cores
	@$(call configure,release,$(BUILD))
	@$(call compile,$(BUILD)) --target girih
	tools/device --core all --library $(BUILD)/libgirih.a $(ARGS)

packaged: ## run what packaging/embedded/generate writes on every core that QEMU emulates (ARGS="--core cortex-m0plus --optimization Os O3")
	@CXX=$(CXX) tools/setup build cores
	@$(call configure,release,$(BUILD))
	@$(call compile,$(BUILD)) --target girih
	tools/device --packaged --core all --library $(BUILD)/libgirih.a $(ARGS)

demo = $(BUILD)/firmware-demo
firmware-demo: all ## make a key on an emulated Cortex-M7, sign a file there, and verify the signature here
	@CXX=$(CXX) tools/setup firmware
	@cmake --preset firmware-release --log-level=NOTICE
	@cmake --build build/firmware-release --target girih_mps2_an500_falcon-512
	@mkdir -p $(demo) && echo "signed by a microcontroller" > $(demo)/message.txt
	$(BUILD)/girih-board --force --emulate build/firmware-release/images/mps2_an500/falcon-512.elf info \
	    keygen --public $(demo)/board.pem sign $(demo)/message.txt --signature $(demo)/message.sig
	$(BUILD)/girih verify --public $(demo)/board.pem --signature $(demo)/message.sig $(demo)/message.txt

footprint: firmware all ## flash, RAM, stack and instructions of every image (build/footprint.md); ARGS are the script's own
	lab/boards/footprint --girih-board $(BUILD)/girih-board $(ARGS)

firmware-race: ## race the library for devices against peers: PQCLEAN, PQM4, C_FN_DSA, WOLFSSL, MLDSA_NATIVE are paths of sources
	@CXX=$(CXX) tools/setup build firmware
	lab/boards/race $(ARGS) $(if $(PQCLEAN),--pqclean $(PQCLEAN)) $(if $(PQM4),--pqm4 $(PQM4)) \
	    $(if $(C_FN_DSA),--c-fn-dsa $(C_FN_DSA)) $(if $(WOLFSSL),--wolfssl $(WOLFSSL)) $(if $(MLDSA_NATIVE),--mldsa-native $(MLDSA_NATIVE))

compare: ## race girih against the libraries that people would otherwise pick (build/report/index.html); ARGS are the script's own
	@CXX=$(CXX) tools/setup build benchmark compare
	lab/compare $(ARGS)

arm: ## count girih's operations and other people's on 64-bit Arm, by an emulator and models of processors (build/arm.md)
	@CXX=$(CXX) tools/setup build emulate compare arm
	lab/emulated/arm $(ARGS)

report: ## write the page of what was measured again, and test it in a headless Chromium (build/report/index.html)
	@CXX=$(CXX) tools/setup build report
	lab/report/report
	GIRIH_REPORT=lab/report/report python3 tests/report/page_test.py

check: ## check the project's own text and binaries: format, lint, facts, no divisions
	@CXX=$(CXX) tools/setup build test check
	@$(call configure,test,$(BUILD))
	@$(call compile,$(BUILD)) --target girih girih_shared girih_command girih_board girih_provider
	tools/check

docs: ## make the reference of the public headers (build/docs/html/index.html)
	@CXX=$(CXX) tools/setup docs
	@tools/checks/reference
	@echo "the reference is build/docs/html/index.html"

format: ## format the sources
	tools/format

# Memcheck does not know AVX-512, so the memory sanitizer checks that engine, if the processor has
# it. The other sanitizers run every engine of this processor; on a change, the widest one, and not
# the proofs, which compute on intervals alone.
memcheck_engines := $(if $(on_x86),avx2,all)
memory_sanitizer_engines := $(if $(on_x86),$(if $(avx512_here),avx512),all)
sanitizer_engines := $(if $(avx512_here),$(if $(GIRIH_BASE),avx512,all),$(memcheck_engines))
sanitize: ## the tests under clang's address and undefined-behaviour sanitizers, except the slowest
	@CXX=clang++-19 tools/setup build test
	@$(call configure,sanitize,build/sanitize) -DGIRIH_ENGINES=$(sanitizer_engines)
	@$(call compile,build/sanitize)
	$(call ctest,build/sanitize) -LE 'slow$(if $(GIRIH_BASE),|^proofs$$)' -E 'command_(encryption|kems|manifests|signatures)'
	tools/fuzz --replay

coverage: ## which lines and branches the tests reach, by folder (build/coverage/coverage.tsv); ARGS are the script's own
	@CXX=clang++-19 tools/setup build test provider coverage $(findstring python,$(ARGS))
	@$(call configure,coverage,build/coverage)
	@$(call compile,build/coverage)
	tools/coverage $(ARGS)

threads: ## the tests of many threads under clang's thread sanitizer
	@CXX=clang++-19 tools/setup build test threads
	@$(call configure,thread-sanitizer,build/thread-sanitizer)
	@$(call compile,build/thread-sanitizer) --target girih_threads_tests girih_planted_race
	$(call ctest,build/thread-sanitizer) -L '^threads$$'

SECONDS := 60
fuzz: ## fuzz the decoders, the parsers and the engines, two targets at a time, SECONDS=60 each; ARGS are the script's own
	@CXX=clang++-19 tools/setup build test
	@$(call configure,sanitize,build/sanitize) -DGIRIH_ENGINES=$(sanitizer_engines)
	@$(call compile,build/sanitize) --target girih_fuzz
	tools/fuzz --seconds $(SECONDS) $(ARGS)

# A compiler can make branches from source without any: memcheck checks each compiler at each level.
MEMCHECKED := $(foreach level,-O3 -O2 -Os,g++:$(level) clang++-19:$(level))
memcheck_build = build/constant-time/$(subst :,,$(1))
define memcheck
@CXX=$(firstword $(subst :, ,$(1))) cmake --preset constant-time -B $(memcheck_build) --log-level=NOTICE \
    -DCMAKE_CXX_FLAGS_RELEASE="$(lastword $(subst :, ,$(1))) -DNDEBUG" -DGIRIH_ENGINES=$(memcheck_engines)
@$(call compile,$(memcheck_build)) --target girih_constant_time girih_planted_leak
$(call ctest,$(memcheck_build)) -L constant-time

endef
define memory_sanitize
@$(call configure,memory-sanitizer,build/memory-sanitizer) -DGIRIH_ENGINES=$(memory_sanitizer_engines)
@$(call compile,build/memory-sanitizer) --target girih_constant_time girih_planted_leak
$(call ctest,build/memory-sanitizer) -L constant-time
endef
constant-time: ## run operations on poisoned secrets under memcheck (MEMCHECKED="g++:-O3 ..."), and clang's memory sanitizer
	@CXX=$(CXX) tools/setup build test constant-time
	$(foreach build,$(MEMCHECKED),$(call memcheck,$(build)))
	$(if $(memory_sanitizer_engines),$(memory_sanitize))

# Traces of the shared library as it ships (-O3), and as users may build it. On a change, of a few
# algorithms on the engines for vectors; else of all, and no line of the list may be idle.
TRACED := $(foreach level,-O3 $(if $(GIRIH_BASE),,-O2 -Os),g++:$(level) clang++-19:$(level))
trace_build = build/traces/$(subst :,,$(1))
trace_algorithms := $(if $(GIRIH_BASE),ml-dsa-65;falcon-512;ml-kem-768;sntrup761;ntrulpr761,all)
trace_tests := $(if $(GIRIH_BASE),-R 'avx.*(selected|planted|steps)|timing_runs',-E 'selected|timing_runs')
define trace
@CXX=$(firstword $(subst :, ,$(1))) cmake --preset traces -B $(trace_build) --log-level=NOTICE \
    -DCMAKE_CXX_FLAGS_RELEASE="$(lastword $(subst :, ,$(1))) -DNDEBUG -g1" "-DGIRIH_ALGORITHMS=$(trace_algorithms)"
@$(call compile,$(trace_build)) --target girih_traces girih_traced_planted girih_timing $(if $(GIRIH_BASE),,girih_traced_amalgamated)
@rm -f $(trace_build)/tests/traces/used.*
$(call ctest,$(trace_build)) -L '^traces$$' $(trace_tests)
$(if $(GIRIH_BASE),,$(if $(findstring -O3,$(1)),$(call same_code,$(firstword $(subst :, ,$(1))),$(trace_build))))

endef
# Line tables change no byte of the code.
define same_code
@CXX=$(1) cmake --preset release -B build/$(1) --log-level=NOTICE
@$(call compile,build/$(1)) --target girih_shared
@for build in build/$(1) $(2); do objcopy -O binary --only-section=.text $$build/libgirih.so $$build/libgirih.text; done
cmp build/$(1)/libgirih.text $(2)/libgirih.text

endef
traces: ## compare traces of operations under different secrets, on the library that ships (TRACED="g++:-O3 ...")
	@CXX=$(CXX) tools/setup build test traces
	$(foreach build,$(TRACED),$(call trace,$(build)))
	$(if $(GIRIH_BASE),,@sort -u build/traces/*/tests/traces/used.* > build/traces/used; \
	    ! grep -v '^#' tests/traces/declassified.tsv | grep -vxFf build/traces/used)

python: ## build the Python package and test it in an environment of its own (PYTHON=python3.13); ARGS are pytest's own
	@CXX=$(CXX) tools/setup build python
	CXX=$(CXX) python/check $(ARGS)

# The package for JavaScript, and its modules for hosts with vectors and without.
define wasm_package
@CXX=$(CXX) tools/setup build wasm
@$(call configure,wasm,build/wasm/simd)
@$(call compile,build/wasm/simd)
@$(call configure,wasm,build/wasm/scalar) -DGIRIH_ENGINES=portable
@$(call compile,build/wasm/scalar)
wasm/package build/wasm/package
endef
# GIRIH_LIBRARY: a native library to compare with, instead of building one; GIRIH_COMMAND: its
# command, or nothing.
native = GIRIH_LIBRARY=$(or $(GIRIH_LIBRARY),$(abspath $(BUILD))/libgirih.so)
wasm: ## build the package for JavaScript (build/wasm/package); its tests run under Node, against the native library
	$(wasm_package)
	tools/format --check javascript
	@$(if $(GIRIH_LIBRARY),,$(call configure,release,$(BUILD)) && $(call compile,$(BUILD)) --target girih_shared girih_command)
	$(native) GIRIH_COMMAND=$(if $(GIRIH_LIBRARY),$(GIRIH_COMMAND),$(abspath $(BUILD))/girih) node --test wasm/tests/*.test.js

LARGE :=
page: ## build the page that makes and verifies signatures (build/page); test it and the package in a headless Chromium (LARGE=1e9: with a file of 1 GB)
	$(wasm_package)
	@CXX=$(CXX) tools/setup report
	@$(call configure,release,$(BUILD))
	@$(call compile,$(BUILD)) --target girih_shared girih_command
	rm -rf build/page && mkdir -p build/page/girih && cp wasm/page/* build/page
	cd build/wasm/package && cp --parents girih.js girih.wasm girih.scalar.wasm lib/*.js ../../page/girih
	$(native) GIRIH_COMMAND=$(abspath $(BUILD))/girih GIRIH_LARGE=$(LARGE) node --test wasm/tests/browser/*.test.js

TARGETS :=
wheels: ## build wheels that install without a compiler, and try them (build/wheels/dist); TARGETS="x86_64-linux-gnu.2.28 ..." PYTHONS="python3.12 ..."
	@tools/setup wheels
	python/wheels $(TARGETS)

# Seconds for the portable engine, minutes for all: then the packages are compiled alone as well.
RUST_ENGINES := portable
rust: ## test Rust's crates against the native library, and package them (build/rust/package; RUST_ENGINES=portable,avx2,avx512)
	@CXX=$(CXX) tools/setup build test rust firmware cores
	@$(call configure,test,$(BUILD))
	@$(call compile,$(BUILD)) --target girih_command girih_amalgamate_program
	CXX=$(CXX) GIRIH_BUILD=$(abspath $(BUILD)) GIRIH_ENGINES=$(RUST_ENGINES) rust/check $(ARGS)

go: ## test the recipe for Go (examples/go) with the library of this build
	@CXX=$(CXX) tools/setup build go
	@$(call configure,release,$(BUILD))
	@$(call compile,$(BUILD)) --target girih_shared girih_command
	cd examples/go && GIRIH_COMMAND=$(abspath $(BUILD))/girih LD_LIBRARY_PATH=$(abspath $(BUILD)) \
	    CGO_CFLAGS=-I$(CURDIR)/include CGO_LDFLAGS=-L$(abspath $(BUILD)) go test -count=1 .

rustls: ## test the recipe for rustls (examples/rustls): handshakes with ML-DSA and ML-KEM, against aws-lc
	@CXX=$(CXX) tools/setup build rust
	@$(call configure,release,$(BUILD))
	@$(call compile,$(BUILD)) --target girih_shared
	cd examples/rustls && GIRIH_LIB_DIR=$(abspath $(BUILD)) LD_LIBRARY_PATH=$(abspath $(BUILD)) RUSTFLAGS=-Dwarnings \
	    CARGO_TARGET_DIR=$(abspath $(BUILD))/rustls cargo test --locked $(ARGS)

java: ## test the recipe for Java (examples/java) with the library of this build (JAVA_HOME: a JDK, 24 or later)
	@CXX=$(CXX) tools/setup build
	@$(call configure,release,$(BUILD))
	@$(call compile,$(BUILD)) --target girih_shared girih_command
	examples/java/test $(abspath $(BUILD)) $(ARGS)

mutate: ## break every check of decoders, verifiers, samplers and arguments, and list what no test notices; ARGS are the script's own
	@CXX=$(CXX) tools/setup build test $(findstring provider,$(ARGS))
	@$(call configure,test,$(BUILD))
	@$(call compile,$(BUILD)) --target girih $(call programs,unit api negative key_files $(findstring provider,$(ARGS)))
	CXX=$(CXX) GIRIH_BUILD=$(BUILD) tools/mutate $(ARGS)

dist: ## make a release's tarball (build/dist); two clones make the same one, and it builds without git
	@CXX=$(CXX) tools/setup build
	CXX=$(CXX) packaging/dist_check $$(packaging/dist)

SECRET :=
PUBLIC :=
release: ## make what a release consists of, from the last commit, and try it (build/release); ARGS are the script's own (SECRET=key.pem PUBLIC=key.pub.pem: signed)
	@CXX=$(CXX) tools/setup build wheels wasm rust packages emulate riscv windows
	packaging/release $(if $(SECRET),--secret $(SECRET)) $(ARGS)
	packaging/release_check build/release $(PUBLIC)

packages: ## make Debian's packages (build/packages); install, use and remove them on a clean system
	@CXX=$(CXX) tools/setup build provider packages
	@$(call configure,packages,build/packages)
	@$(call compile,build/packages)
	rm -f build/packages/*.deb
	cd build/packages && SOURCE_DATE_EPOCH=$$(../../packaging/date) cpack
	packaging/packages_check build/packages

conan: ## make Conan's packages, shared and static (build/conan); build programs with them; ARGS are those of conan create
	@CXX=$(CXX) tools/setup build conan
	packaging/conan_check $(ARGS)

evidence: ## run every part of the net, or those in PARTS, and record the results (docs/EVIDENCE.md)
	@tools/setup check
	tools/parts release $(PARTS)

affected: ## what a change touches: tests to run meanwhile, and parts of the net (BASE=commit)
	@tools/affected $(BASE)

clean: ## remove everything that was built
	rm -rf build

# The targets in groups, in the order of help.
help_groups := use=all,test,provider,python,rust,rustls,go,java,firmware-demo,benchmark,docs,clean,help \
    change=loop,affected,check,format,test-library,sanitize,constant-time,traces,threads,fuzz,mutate,proofs,coverage \
    port=emulate,riscv,platforms,windows,wasm,page,firmware,firmware-test,faults,cores,packaged measure=ab,compare,report,footprint,firmware-race,arm \
    release=evidence,release,interop,dist,packages,conan,wheels
help: ## this list
	@for group in $(help_groups); do echo "to $${group%%=*} it:"; \
	    for target in $$(echo "$${group#*=}" | tr , ' '); do \
	        sed -nE "s/^($$target):[^#]*## (.*)/  make \1\t\2/p" $(MAKEFILE_LIST) | expand -t 22; done; done
