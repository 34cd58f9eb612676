# Automata of formulas against Spin's never claims: sizes and words; the last line is for machines.
.PHONY: test-automata
test-automata: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target automata_probe >/dev/null
	@python3 tools/compare_automata.py --probe $(BUILD)/tests/automata_probe
