# The refinement loop on the models with wide data; the last line is for machines.
.PHONY: bench-cegar
bench-cegar: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target bench_cegar >/dev/null
	@$(BUILD)/bench/bench_cegar examples/wide/*.ply examples/ojala-running.ply
