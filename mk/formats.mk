# Every format and dialect that is read: files in it, round trips, files of others. The last line is the sum.
.PHONY: test-formats
test-formats: build
	@$(BUILD)/tests/formats_runner
