# Random models over all engines and the independent interpreter (docs/testing.md). The seeds FIRST, FIRST + 1, … that are
# done are remembered in the build folder, so that a run that was stopped goes on; the last line is for machines.
RANDOM_FIRST ?= 1
RANDOM_MODELS ?= 3000
SANITIZED_MODELS ?= 500

.PHONY: test-random test-random-sanitized
test-random: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target parley random_models engine_answers >/dev/null
	@python3 tests/independent/random_comparison.py --parley $(BUILD)/parley --generator $(BUILD)/tests/random_models \
	  --answers $(BUILD)/tests/engine_answers \
	  --first $(RANDOM_FIRST) --count $(RANDOM_MODELS) --jobs $(JOBS) --resume $(BUILD)/random_models.done

# The same with address and undefined-behaviour sanitizers, which take their time.
test-random-sanitized: setup
	@cmake --preset sanitize >/dev/null
	@cmake --build build-sanitize -j $(JOBS) --target parley random_models engine_answers >/dev/null
	@python3 tests/independent/random_comparison.py --parley build-sanitize/parley \
	  --generator build-sanitize/tests/random_models --answers build-sanitize/tests/engine_answers \
	  --first $(RANDOM_FIRST) --count $(SANITIZED_MODELS) --jobs $(JOBS) \
	  --time 3 --patience 30 --resume build-sanitize/random_models.done
