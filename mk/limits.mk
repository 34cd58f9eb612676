# Every engine and command under small limits, signals at random moments, full disks and closed pipes
# (docs/limits.md). Measures the clock and memory, so it wants a machine of its own; the last line is for machines.
.PHONY: test-limits
test-limits: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target parley >/dev/null
	@python3 tests/limits/limits.py $(BUILD)/parley .
