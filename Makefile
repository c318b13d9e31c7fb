# Every task of the project. The work is in deploy/local; what runs and what is built lies in .local.
.DEFAULT_GOAL := help
.PHONY: help run test check e2e bench docs tools up down migrate fmt lint tidy test-short cover golden fuzz clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-11s %s\n", $$1, $$2 }' Makefile

run: ## the whole shop on this machine with demo data, until Ctrl-C (SHOP_MYSQL_DSN, SHOP_REDIS_ADDR: servers to use instead)
	@exec deploy/local/run.sh

test: ## every test of every module with the race detector, the end-to-end scenarios before them (PACKAGES narrows go test)
	@exec deploy/local/test.sh

check: ## all that must hold beside the tests: format, lint, tidy, generated files, isolated builds, walls
	@exec deploy/local/check.sh

e2e: ## the end-to-end scenarios over HTTP against the running shop, then its books
	@exec deploy/local/e2e.sh

bench: ## measure speed, as ratios against plain baselines in one run
	@exec deploy/local/bench.sh

docs: ## write the generated files under docs anew
	@exec deploy/local/docs.sh docs

tools: ## build the linters into .local/bin
	@exec deploy/local/tools.sh

up: ## start the private MariaDB and Redis alone
	@exec deploy/local/servers.sh up

down: ## stop the private MariaDB and Redis
	@exec deploy/local/servers.sh down

migrate: ## bring the schema of the running shop's database up to date
	@exec deploy/local/dev.sh migrate

fmt: ## format all Go files
	@exec deploy/local/dev.sh fmt

lint: ## run the linters over all modules
	@exec deploy/local/check.sh lint

tidy: ## tidy the go.mod of every module
	@exec deploy/local/dev.sh tidy

test-short: ## the tests that need no server, quickly
	@exec deploy/local/dev.sh test-short

cover: ## run the tests and write .local/cover.html
	@exec deploy/local/dev.sh cover

golden: ## rewrite the golden files from what the tests see now; review the difference
	@exec deploy/local/dev.sh golden

fuzz: ## throw random input at the parsers, each target for a minute (FUZZTIME for each, FUZZ a pattern of names)
	@exec deploy/local/fuzz.sh

clean: ## stop what runs here and remove .local, data included
	@exec deploy/local/dev.sh clean
