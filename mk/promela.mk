# Promela against Spin: the corpus (where it is there) and random programs.
.PHONY: test-promela test-promela-random test-promela-trails fuzz-promela
FUZZ_SECONDS ?= 60
test-promela: build
	@python3 tools/test_promela.py --probe $(BUILD)/tests/promela_probe

fuzz-promela: setup
	@cmake --preset sanitize >/dev/null
	@cmake --build build-sanitize -j $(JOBS) --target fuzz_promela
	@mkdir -p build-sanitize/corpus-promela
	@build-sanitize/tests/fuzz_promela -max_total_time=$(FUZZ_SECONDS) -timeout=25 -rss_limit_mb=3000 -max_len=4000 \
	  -dict=tests/fuzz/promela.dict -print_final_stats=1 -verbosity=0 build-sanitize/corpus-promela \
	  tests/front/promela/models

# Counterexamples as guided simulations of Spin.
test-promela-trails: build
	@python3 tools/test_promela_trails.py --parley $(BUILD)/parley

test-promela-random: build
	@python3 tools/random_promela.py --probe $(BUILD)/tests/promela_probe

test-slow: fuzz-promela
