# The only two commands a newcomer needs: `make run` and `make test`. Both set the machine up first.
BUILD ?= build
JOBS ?= $(shell nproc)

.PHONY: all setup build build-clang run test test-slow clean format
all: build

setup:
	@tools/setup

$(BUILD)/build.ninja: CMakeLists.txt CMakePresets.json | setup
	@cmake --preset release >/dev/null

build: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS)

# The same with the other compiler, which warns about other things; warnings are errors in both.
build-clang: setup
	@cmake --preset clang >/dev/null
	@cmake --build build-clang -j $(JOBS)

run: build
	@$(BUILD)/parley check examples/philosophers.ply --set N=3; test $$? -le 1

test: build
	@cd $(BUILD) && ctest -LE slow -j $(JOBS) --output-on-failure

test-slow: build
	@cd $(BUILD) && ctest -L slow -j $(JOBS) --output-on-failure

format:
	@git ls-files '*.cpp' '*.hpp' | xargs clang-format -i
	@tests/javascript/run . $(abspath $(BUILD)) --write || test $$? -eq 77

clean:
	rm -rf build build-*

-include mk/*.mk
