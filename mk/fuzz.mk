# A minute of the text front end and lowering on made-up bytes, with sanitizers; part of the slow tier. What it finds
# is kept in build-sanitize/corpus-text; inputs that broke something belong into tests/fuzz/corpus/text.
FUZZ_SECONDS ?= 60

.PHONY: fuzz-text
fuzz-text: setup
	@cmake --preset sanitize >/dev/null
	@cmake --build build-sanitize -j $(JOBS) --target fuzz_text
	@mkdir -p build-sanitize/corpus-text
	@build-sanitize/tests/fuzz_text -max_total_time=$(FUZZ_SECONDS) -timeout=25 -rss_limit_mb=3000 -max_len=20000 \
	  -dict=tests/fuzz/text.dict -print_final_stats=1 -verbosity=0 build-sanitize/corpus-text tests/fuzz/corpus/text

# The same for the UML front end, from the examples.
.PHONY: fuzz-uml
fuzz-uml: setup
	@cmake --preset sanitize >/dev/null
	@cmake --build build-sanitize -j $(JOBS) --target fuzz_uml
	@mkdir -p build-sanitize/corpus-uml
	@build-sanitize/tests/fuzz_uml -max_total_time=$(FUZZ_SECONDS) -timeout=25 -rss_limit_mb=3000 -max_len=20000 \
	  -dict=tests/fuzz/uml.dict -print_final_stats=1 -verbosity=0 build-sanitize/corpus-uml examples/uml

test-slow: fuzz-text fuzz-uml
