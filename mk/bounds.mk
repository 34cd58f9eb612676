# The boundedness test on the Promela corpus (where it is beside the repository), the examples and generated rings;
# the last line is for machines.
.PHONY: bench-bounds
PARLEY_SHARED ?= ../shared
bench-bounds: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target bench_bounds >/dev/null
	@$(BUILD)/bench/bench_bounds --corpus=$(PARLEY_SHARED)/corpus/promela examples/*.ply examples/bounds/*.ply
