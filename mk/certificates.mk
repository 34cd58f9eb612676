# Certificates that somebody changed, all kinds: the last line says how many the checker took though they are false.
.PHONY: test-forged
test-forged: build
	@$(BUILD)/tests/test_verify_slow --gtest_brief=1 --gtest_filter='*Forged*'
