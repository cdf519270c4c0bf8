# The two commands that matter are `make run` and `make test`; `make help` lists the rest.

CARGO ?= cargo
PNET := target/release/pnet
# Where rustup puts cargo, for shells that have not been told yet.
export PATH := $(PATH):$(HOME)/.cargo/bin

.DEFAULT_GOAL := help
.PHONY: help run test test-editors bench bench-safety evidence fuzz fmt setup setup-test setup-bench oracles clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  make %-12s %s\n", $$1, $$2 }' $(firstword $(MAKEFILE_LIST))

run: setup ## build pnet, check an example, show a mistake, an automaton and verdicts
	@$(CARGO) build --release
	@echo
	@echo "Checking examples/enable.pnet, two processes in sequence:"
	@echo
	$(PNET) check examples/enable.pnet
	@echo
	@echo "No complaints. Now the same model with two letters of one action swapped:"
	@echo
	@mkdir -p target/tour
	@sed 's/is not delta(_)/is not detla(_)/' examples/enable.pnet > target/tour/enable.pnet
	$(PNET) check target/tour/enable.pnet; test $$? -eq 2
	@echo
	@echo "Each message has a code, and 'pnet explain CODE' tells the whole story behind it."
	@echo
	@echo "What can two processes in sequence do, whatever they are? The open automaton of the net:"
	@echo
	$(PNET) build examples/enable.pnet EnableState --emit automaton
	@echo
	@echo "What does a ring of stations do? A random run, with a lane for each of them:"
	@echo
	$(PNET) run examples/ring.pnet 'Ring<3>' --seed 1 --steps 8
	@echo
	@echo "Are two such nets the same, whatever fills their holes? The checks of a model are answered by 'pnet verify':"
	@echo
	$(PNET) verify examples/enable.pnet
	@echo
	@echo "And a question that no check of the model asks. Where the answer is no, a play shows why:"
	@echo
	$(PNET) compare examples/prod_cons.pnet 'ProdCons<4>' SimProdCons --refines; test $$? -eq 1
	@echo
	@echo "Next: docs/tutorial.md, and more models in examples/."

test: setup-test ## formatting, lints, and all tests
	$(CARGO) fmt --check
	$(CARGO) clippy --all-targets -- -D warnings
	$(CARGO) test

test-editors: setup ## drive the extension for VS Code in a browser: minutes, and 800 MB from npm the first time; PNET=… takes another pnet
	@sh tools/setup.sh editors
	@[ -n "$$PNET" ] || $(CARGO) build --release
	sh tools/test-editors.sh

bench: setup setup-bench oracles ## how fast are the stages, and as fast as SPIN, MERC and MONA?
	$(CARGO) bench --bench front_end --bench editor --bench elaboration --bench generation --bench comparison --bench exploration --bench reduction --bench composition --bench parametric --bench temporal

bench-safety: setup ## what do the engines make of the safety problems? hours, can be ended and taken up again
	$(CARGO) bench --bench safety

evidence: setup ## do z3, cvc5 and replay confirm the verdicts about the safety problems? hours, can be ended and taken up again
	$(CARGO) bench --bench evidence

fuzz: setup oracles ## throw generated inputs at the front end, automata, comparisons and engines: hours
	PNET_FUZZ=100000 $(CARGO) test --release --test it robust:: -- --nocapture
	PNET_FUZZ=5000 $(CARGO) test --release --test it algebra:: -- --nocapture
	PNET_FUZZ=2000 $(CARGO) test --release --test it generate_ -- --nocapture
	PNET_FUZZ=1000 $(CARGO) test --release --test it compose::random -- --nocapture
	PNET_FUZZ=200 $(CARGO) test --release --test it compare_agrees:: -- --nocapture
	PNET_FUZZ=250 $(CARGO) test --release --test it theorems:: -- --nocapture
	PNET_FUZZ=10000 $(CARGO) test --release --test it values:: -- --nocapture
	PNET_FUZZ=2500 $(CARGO) test --release --test it reducing:: -- --nocapture
	PNET_FUZZ=500 $(CARGO) test --release --test it explore_ -- --nocapture
	PNET_FUZZ=500 $(CARGO) test --release --test it simulate:: -- --nocapture
	PNET_FUZZ=1000 $(CARGO) test --release --test it safety_ -- --nocapture --skip safety_mixed
	PNET_FUZZ=3000 $(CARGO) test --release --test it safety_mixed:: -- --nocapture
	$(CARGO) test --release --test it certificates::long_lists_are_confirmed -- --ignored
	PNET_FUZZ=20000 $(CARGO) test --release --test it lts_ -- --nocapture
	PNET_FUZZ=50000 $(CARGO) test --release --test it exp_ -- --nocapture

fmt: setup ## format the Rust code and the models
	$(CARGO) fmt
	find examples stdlib -name '*.pnet' -exec $(CARGO) run --quiet --release -- fmt {} +

setup: ## check for what the build needs, and install what is missing
	@sh tools/setup.sh

setup-test: ## the same, and what only the tests need: editors and a browser
	@sh tools/setup.sh test

setup-bench: ## install what make bench compares with, where that is possible
	@sh tools/setup.sh bench

oracles: setup ## build the program that asks MERC: minutes, once
	$(CARGO) build --release --manifest-path oracles/merc/Cargo.toml

clean: ## remove what was built
	$(CARGO) clean
