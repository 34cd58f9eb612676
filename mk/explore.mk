# The exhaustive search on scaled-up examples; the last line is for machines.
.PHONY: bench-explore
bench-explore: setup $(BUILD)/build.ninja
	@cmake --build $(BUILD) -j $(JOBS) --target bench_explore >/dev/null
	@$(BUILD)/bench/bench_explore \
	  examples/two-phase-commit-fixed.ply N=4 examples/two-phase-commit-fixed.ply N=6 \
	  examples/two-phase-commit-fixed.ply N=7 \
	  examples/travel-agent-fixed.ply N=3 \
	  examples/mtravel.ply N=3 examples/mtravel.ply N=4 \
	  examples/philosophers.ply N=5 examples/philosophers.ply N=6 examples/philosophers.ply N=7
