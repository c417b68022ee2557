# The front door: each target is a CMake preset or a script, and needs nothing typed twice.
# Another compiler: make test CXX=clang++-19 (it builds beside the first, in build/clang++-19).

ifeq ($(origin CXX),default)
CXX := g++
endif
BUILD := $(if $(filter g++,$(CXX)),build,build/$(CXX))
configure = CXX=$(CXX) cmake --preset $(1) -B $(2) --log-level=NOTICE
compile = cmake --build $(1)

.PHONY: all test test-library emulate benchmark check format sanitize constant-time compare clean help
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
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j2

# What compilers make of the library. (Of the tests' own parts, the sanitizers' build is clang's.)
shipped := cross_isa vectors compile_time stack cli
test-library: ## those of the tests that depend on what a compiler makes of the library (CXX=clang++-19)
	@CXX=$(CXX) tools/setup build test
	@$(call configure,test,$(BUILD))
	@$(call compile,$(BUILD)) --target girih_shared girih_command girih_stack_peak \
	    $(patsubst %,girih_%_tests,$(filter-out cli,$(shipped)))
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j2 -R constant_time.no_division
	ctest --test-dir $(BUILD) --output-on-failure --no-tests=error -j2 -L '^($(subst $() $(),|,$(shipped)))$$'

emulate: ## the tests on an emulated Arm processor, and on x86-64 ones without AVX-512 and without AVX
	@CXX=$(CXX) tools/setup build test emulate
	@$(call configure,aarch64,build/aarch64)
	@$(call compile,build/aarch64)
	@GIRIH_BUILD=build/aarch64 tools/check engines
	ctest --test-dir build/aarch64 -C emulated -LE 'slow|cli' --output-on-failure --no-tests=error -j2
	@$(call configure,test,$(BUILD))
	@$(call compile,$(BUILD))
	ctest --test-dir $(BUILD) -C emulated -L emulated --output-on-failure --no-tests=error -j2

benchmark: ## time every component and operation on this machine; ARGS are the benchmark's own
	@CXX=$(CXX) tools/setup build benchmark
	@$(call configure,benchmark,$(BUILD))
	@$(call compile,$(BUILD))
	$(BUILD)/girih_benchmark $(ARGS)

compare: ## race girih against the libraries that people would otherwise pick
	@CXX=$(CXX) tools/setup build compare
	compare/run $(ARGS)

check: all ## what the project demands of its own text and binaries: format, lint, facts, no divisions
	@CXX=$(CXX) tools/setup build test check
	tools/check

format: ## lay the sources out
	git ls-files '*.hpp' '*.cpp' '*.h' '*.c' | xargs clang-format-19 -i

sanitize: ## the tests under clang's address and undefined-behaviour sanitizers
	@CXX=clang++-19 tools/setup build test
	@$(call configure,sanitize,build/sanitize)
	@$(call compile,build/sanitize)
	ctest --test-dir build/sanitize -LE slow --output-on-failure --no-tests=error -j2

constant-time: ## run operations on poisoned secrets under memcheck, and under clang's memory sanitizer
	@CXX=$(CXX) tools/setup build test constant-time
	@$(call configure,constant-time,build/constant-time)
	@$(call compile,build/constant-time) --target girih_constant_time girih_planted_leak
	ctest --test-dir build/constant-time --output-on-failure --no-tests=error -L constant-time -j2
	@$(call configure,memory-sanitizer,build/memory-sanitizer)
	@$(call compile,build/memory-sanitizer) --target girih_constant_time girih_planted_leak
	ctest --test-dir build/memory-sanitizer --output-on-failure --no-tests=error -L constant-time -j2

clean: ## remove everything that was built
	rm -rf build

help: ## this list
	@grep -E '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | sed -E 's/:[^#]*## /\t/' | awk -F'\t' '{printf "  make %-14s %s\n", $$1, $$2}'
