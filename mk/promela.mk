# Promela against Spin: the corpus (where it is there) and random programs.
.PHONY: test-promela test-promela-random
test-promela: build
	@python3 tools/test_promela.py --probe $(BUILD)/tests/promela_probe

test-promela-random: build
	@python3 tools/random_promela.py --probe $(BUILD)/tests/promela_probe
