# Bounds and times of the step encodings, and what the proof engines prove; the last lines are for machines.
.PHONY: bench-steps bench-proofs
bench-steps: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target bench_steps >/dev/null
	@$(BUILD)/bench/steps/bench_steps examples

bench-proofs: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target bench_proofs >/dev/null
	@$(BUILD)/bench/steps/bench_proofs 10 examples/*-fixed.ply examples/wide/*.ply
