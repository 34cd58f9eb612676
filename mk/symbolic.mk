.PHONY: bench-steps
bench-steps: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target bench_steps >/dev/null
	@$(BUILD)/bench/steps/bench_steps examples
