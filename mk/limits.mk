# What must never happen, in one go (docs/testing.md): limits that are not kept, answers that are lost, crashes, forged
# certificates that are accepted, engines that contradict each other. Measures the clock and memory, so it wants a machine
# of its own, for some hours; the last line is for machines.
.PHONY: test-limits test-limits-alone
test-limits: build
	@python3 tests/limits/together.py "$(MAKE) -s test-limits-alone" "$(MAKE) -s test-forged" "$(MAKE) -s test-random"

# Only every engine and command under small limits, signals at random moments, full disks and closed pipes
# (docs/limits.md).
test-limits-alone: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target parley >/dev/null
	@python3 tests/limits/limits.py $(BUILD)/parley .
