# Conformance of the UML front end and semantics: the PSSM tests and the import of the corpus. Writes docs/conformance.md.
.PHONY: test-pssm test-uml-corpus
test-pssm test-uml-corpus: build
	@$(BUILD)/tests/pssm_runner
