# Temporal properties: the corpus against Spin, and the race with it; the last lines are for machines.
.PHONY: test-temporal bench-temporal
test-temporal: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target parley automata_probe >/dev/null
	@python3 tools/test_temporal.py --parley $(BUILD)/parley --probe $(BUILD)/tests/automata_probe

bench-temporal: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target parley >/dev/null
	@python3 bench/temporal.py --parley $(BUILD)/parley
