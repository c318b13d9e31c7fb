# All tasks of the project. The scripts are in deploy/local; data and builds are in .local.
.DEFAULT_GOAL := help
.PHONY: help run build test test-mysql test-engines check web web-dev pages e2e bench prove affected whole nightly drill upgrade-drill restore-drill scale-drill container-drill mutants docs tools up down migrate fmt lint tidy cover golden fuzz clean

help: ## list the targets
	@awk -F ':.*## ' '/^[a-z0-9-]+:.*## / { printf "  make %-15s %s\n", $$1, $$2 }' Makefile

run: ## run the whole shop with demo data until Ctrl-C (SHOP_PORT, ADMIN_PORT; SHOP_MYSQL_DSN, SHOP_REDIS_ADDR: other servers)
	@exec deploy/local/dev.sh run

build: ## build the programs as they are delivered into .local/build
	@exec deploy/local/build.sh

test: ## run all tests; for a change of documents alone theirs (PACKAGES, PARTS: these and nothing else; RACE=all: with the race detector)
	@exec deploy/local/test.sh

test-mysql: ## run the tests of what moves money or stock on MySQL 9, where it can be fetched (PACKAGES; a part of make prove)
	@exec deploy/local/engines.sh money

test-engines: ## run the scenarios and the tests of the domain on MySQL 9 and the newest MariaDB (ENGINES, PACKAGES)
	@exec deploy/local/engines.sh

check: ## check format, lint, tidy, generated files, requirements and module walls
	@exec deploy/local/check.sh

web: ## build the pages of both services into services/*/web/dist (WEB: storefront or admin alone)
	@exec deploy/local/web.sh build

web-dev: ## serve the pages with hot reload against the running shop (WEB)
	@exec deploy/local/web.sh dev

pages: ## test the pages in a browser and write screenshots of every page to .local/pages (WEB, PAGES)
	@SHOP_STORIES=pictures exec deploy/local/dev.sh pages $(PAGES)

e2e: ## run the end-to-end scenarios against the running shop, then check its books
	@exec deploy/local/e2e.sh

bench: ## measure performance as ratios against plain baselines in one run
	@exec deploy/local/dev.sh bench

prove: ## prove the promises of docs/guarantees.md (PROVE=long: in hours; PARTS, SHOP_SEED: see prove.sh)
	@exec deploy/local/dev.sh prove

affected: ## of make prove and make test-mysql, run what the changes since SHOP_BASE or the last whole run can touch
	@exec deploy/local/affected.sh

whole: ## run everything in the short form and note the commit in .ci/whole, with which later runs compare
	@exec deploy/local/whole.sh

nightly: ## run everything in the long forms, in at most eight hours (HOURS), and note the result in .local/nightly
	@exec deploy/local/nightly.sh

drill: ## kill, hang, fill and cut off everything while the shop is open; one line for each fault
	@exec deploy/local/drill.sh Faults

upgrade-drill: ## replace a release by this one and go back while the shop is open (OLD: the other release)
	@exec deploy/local/drill.sh Upgrade

scale-drill: ## measure what more replicas bring, with processes that have a small part of a processor each
	@exec deploy/local/drill.sh Scale

container-drill: ## install the shop in containers as the page says, and buy in it while a replica is killed
	@exec deploy/local/containers.sh

restore-drill: ## lose the database and restore it, with the payments made since the backup (SHOP_DATABASE=mysql)
	@exec deploy/local/drill.sh Restore

mutants: ## introduce twelve known faults one at a time into a copy; a test must notice each (FAULT: a part of names)
	@exec deploy/local/dev.sh mutants $(if $(FAULT),"$(FAULT)")

docs: ## regenerate the files under docs
	@exec deploy/local/dev.sh docs

tools: ## build the linters into .local/bin
	@exec deploy/local/tools.sh

up: ## start the private MariaDB and Redis alone
	@exec deploy/local/dev.sh up

down: ## stop the private MariaDB and Redis
	@exec deploy/local/dev.sh down

migrate: ## apply missing migrations to the running shop's database
	@exec deploy/local/daily.sh migrate

fmt: ## format all Go files
	@exec deploy/local/daily.sh fmt

lint: ## run the linters over all modules
	@exec deploy/local/check.sh lint

tidy: ## tidy the go.mod of every module
	@exec deploy/local/daily.sh tidy

cover: ## run the tests and write .local/cover.html
	@exec deploy/local/daily.sh cover

golden: ## rewrite the golden files from the current answers; review the difference
	@exec deploy/local/daily.sh golden

fuzz: ## fuzz the parsers, each target for a minute (FUZZTIME: time per target, FUZZ: pattern of names)
	@exec deploy/local/fuzz.sh

clean: ## stop everything and delete .local with its data; in a terminal it asks first
	@exec deploy/local/daily.sh clean
