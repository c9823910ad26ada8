# Bare `make` prints help. Every target does its own set-up: the virtual environment from requirements.lock, and OPA, Java and
# Kafka's jars in a per-user cache (see glue/warden/base/toolchain); a second run finds them and goes on.

PYTHON ?= python3
VENV ?= .venv

PY := $(VENV)/bin/python
WARDEN := $(VENV)/bin/warden
TOOLS := $(PY) -m tools.toolchain
TOOLED := opa=$$($(TOOLS) opa) && java=$$($(TOOLS) java) && WARDEN_OPA=$$opa JAVA_HOME=$$java
REGO := policies bundle

# What `opa test` leaves behind, and the lines in it that no test comes to.
COVERAGE := build/rego-tests.json
UNCOVERED := {$$"{file}:{part.start.row}: no test comes here" | some file, found in input.files; some part in found.not_covered}[_]

# Exit status 1 of a scan says that there are findings: that is its result, not a failure of the target.
FINDINGS := test $$? -eq 1

# `make run BOOTSTRAP=host:port` scans a live cluster in place of the embedded estate.
BOOTSTRAP ?=
# `make audit DATABASE=directory` compares with OSV's archives there, and needs no network.
DATABASE ?=
# `make test ARGS="-k scan -x"` passes arguments to pytest.
ARGS ?=
# How many files of tests run side by side: many wait for a program to start, so twice the cores of CI. Files that
# share a Spark or a broker are one process's (tests/fixtures/run/distribution.py): no more than two have a Spark of 1 GB.
PROCESSES ?= 4
# `make ci` ends within an hour and a half on a slow machine too. Of what `make test` leaves out, nothing is begun so many
# minutes after it, and of the mutants nothing so many: what is left is named, and with another seed others are.
REST_MINUTES ?= 62
MUTANTS_MINUTES ?= 75
ci: BEGAN := $(shell date +%s)
# $(call until,60): an option that names an hour after `make ci` began.
until = $(if $(BEGAN),--until $$(($(BEGAN) + 60 * $(1))))
# Where a release is tried.
RELEASE := build/release
# Where OPA runs for tests, which start it with all policies over and over, it collects garbage less often: `opa test`
# takes 38 s of a processor in place of 64. `make bench` measures without it.
quick test test-oracles test-docs test-rest test-k8s mutants lint: export GOGC ?= 800
quick test-oracles test-docs test-rest test-k8s mutants lint: export GOMEMLIMIT ?= 1GiB
# Some thirty run side by side here, of which each has less than 100 MB that it needs.
test: export GOMEMLIMIT ?= 384MiB
# A second run finds the tests compiled, also where the environment is against it.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:
.PHONY: help setup run demo bundle unit quick test test-oracles test-docs test-clients test-rest test-k8s mutants lint fmt bench soak ci broker-plugin lock audit release clean

##@ Use

help: ## Print this help
	@awk 'BEGIN {FS = ":.*## "} /^##@/ {printf "\n%s\n", substr($$0, 5)} /^[a-z0-9-]+:.*## / {printf "  make %-13s %s\n", $$1, $$2}' $(MAKEFILE_LIST)

run: setup ## Scan the embedded estate, or a live cluster with BOOTSTRAP=host:port, and report what breaks the rules
	@$(TOOLS) opa >/dev/null
	@$(WARDEN) run $(if $(BOOTSTRAP),--bootstrap-server $(BOOTSTRAP)) || $(FINDINGS)

demo: setup ## Start a real Kafka broker, fill it with good and bad topics, snapshot and scan it
	@$(TOOLS) opa >/dev/null
	@$(WARDEN) demo || $(FINDINGS)

bundle: setup ## Build and sign bundle.tar.gz
	@$(TOOLS) opa >/dev/null
	@$(WARDEN) bundle build

broker-plugin: setup ## Compile the plugin that asks OPA inside brokers into build/
	@java=$$($(TOOLS) java) && JAVA_HOME=$$java $(PY) -m tools.broker_plugin $(ARGS)

##@ Develop

setup: ## Make the virtual environment (every other target does this by itself)
	@command -v $(PYTHON) >/dev/null || { echo "warden: $(PYTHON) is not on PATH: install Python 3.11 or newer, or run make PYTHON=/path/to/python3" >&2; exit 2; }
	@$(PYTHON) .ci/environment.py $(VENV)

test: setup ## Run the tests: Rego at 100 % coverage, then Python with real OPA, Kafka and Spark; ARGS="…" goes to pytest
	@$(TOOLS) opa java jars >/dev/null
	@mkdir -p build
	@opa=$$($(TOOLS) opa) && { GOMEMLIMIT=1GiB $$opa test --bundle --timeout 120s --fail-on-empty --coverage --coverage-runs= --format pretty $(REGO) >$(COVERAGE) || { cat $(COVERAGE); exit 1; }; } \
	  && $$opa eval --fail-defined --format raw --input $(COVERAGE) '$(UNCOVERED)'
	@$(TOOLED) $(PY) -m tests.fixtures.run.class_archives
	@$(PY) -m tests.fixtures.brokers.kerberos_parts >/dev/null
	@$(PY) -m tests.fixtures.nginx_parts >/dev/null
	@$(PY) -m tests.fixtures.pages.axe_parts >/dev/null
	@$(TOOLED) $(PY) -m pytest --numprocesses $(PROCESSES) --dist loadscope $(ARGS)

unit: setup ## Run the tests that start no process: half a minute
	@$(PY) -m pytest -m unit --hypothesis-profile unit --numprocesses 2 --dist loadscope --durations 5 $(ARGS)

quick: setup ## Run the tests that what changed since the last commit can break (SINCE=REF: since another), and say what is left out
	@$(TOOLS) opa java jars >/dev/null
	@$(TOOLED) $(PY) -m tools.quick $(if $(SINCE),--since $(SINCE)) $(ARGS)

test-oracles: setup ## Make cases for Kafka and for Warden, hundreds of each operation, and compare; and run the slow tests
	@$(TOOLS) opa java jars >/dev/null
	@$(PY) -m tests.fixtures.brokers.kerberos_parts >/dev/null
	@$(PY) -m tests.fixtures.nginx_parts >/dev/null
	@$(TOOLED) $(PY) -m pytest -m "oracle or slow" --numprocesses $(PROCESSES) --dist loadscope $(ARGS)

test-rest: setup ## Run in one go what make ci has beside make test: oracles, slow tests, pages, clusters, costs, wheels, Kubernetes
	@$(TOOLS) opa java jars promtool >/dev/null
	@$(PY) -m tests.k8s.binaries >/dev/null
	@$(PY) -m tests.fixtures.brokers.kerberos_parts >/dev/null
	@$(PY) -m tests.fixtures.nginx_parts >/dev/null
	@$(TOOLED) $(PY) -m pytest -m "oracle or slow or docs or cluster or costs or install or k8s" --numprocesses $(PROCESSES) --dist loadscope $(call until,$(REST_MINUTES)) $(ARGS)

test-k8s: setup ## Run the tests on a real etcd and Kubernetes API server, which Go builds at first (some five minutes)
	@$(PY) -m tests.k8s.binaries >/dev/null
	@$(TOOLS) promtool >/dev/null
	@opa=$$($(TOOLS) opa) && WARDEN_OPA=$$opa $(PY) -m pytest -m k8s tests/k8s --numprocesses 2 --dist loadscope $(ARGS)

test-clients: setup ## Run clients of Kafka in Go, JavaScript, Rust, Java and Python through a gateway; what cannot be had here is skipped with its reason
	@$(TOOLS) opa java jars >/dev/null
	@$(TOOLED) $(PY) -m pytest -m clients tests/clients $(ARGS)

test-docs: setup ## Run every command that the pages show, and those of a new repository, and compare; build the site
	@$(TOOLED) $(PY) -m pytest -m docs tests/docs/test_console.py tests/docs/test_site.py tests/commands/scaffold $(ARGS)

mutants: setup ## Change rules and engine in small ways, and name the changes that no test notices
	@$(PY) -m tests.mutants $(call until,$(MUTANTS_MINUTES)) $(ARGS)

lint: setup ## Check the form of Python (ruff, mypy) and of Rego (opa fmt, opa check, regal where it can be had), and what is generated
	@$(PY) -m ruff check --no-cache
	@$(PY) -m ruff format --check
	@$(PY) -m mypy & types=$$!; ( set -e; : while another processor checks types; \
	  $(PY) -m tools.lint.words; \
	  $(PY) -m tools.lint.names; \
	  opa=$$($(TOOLS) opa); java=$$($(TOOLS) java); export WARDEN_OPA=$$opa JAVA_HOME=$$java; \
	  $$opa fmt --fail --list $(REGO); \
	  $$opa check --strict --bundle --schema schemas $(REGO); \
	  $(PY) -m tools.families --check; \
	  $(PY) -m tools.locks --check; \
	  $(PY) -m tools.plain_data --check; \
	  $(PY) -m tools.pages --check; \
	  if regal=$$($(TOOLS) regal); then $$regal lint $(REGO); else echo "regal was left out: install it or Go"; fi \
	); others=$$?; wait $$types && exit $$others

fmt: setup ## Put Python and Rego into their form, and write the families, the schemas, the data for plain OPA and the pages about rules and profiles
	@$(PY) -m ruff check --fix-only --quiet
	@$(PY) -m ruff format --quiet
	@opa=$$($(TOOLS) opa) && $$opa fmt --write $(REGO)
	@$(TOOLED) $(PY) -m tools.families
	@$(PY) -m tools.locks
	@$(TOOLED) $(PY) -m tools.plain_data
	@$(TOOLED) $(PY) -m tools.schemas >/dev/null
	@$(TOOLED) $(PY) -m tools.pages

bench: setup ## Measure decisions a second (the scan, one call a row, OPA itself, conftest), and count what decisions cost
	@$(TOOLED) $(PY) -m tests.bench.decisions.counts
	@$(TOOLED) $(PY) -m tests.bench $(ARGS)

soak: setup ## Send all programs odd requests for ten minutes, then load, change and fail for an hour or ARGS="--minutes 15"
	@$(PY) -m tests.k8s.binaries >/dev/null
	@$(TOOLED) $(PY) -m tests.fuzz --minutes 10
	@$(TOOLED) $(PY) -m tests.soak $(ARGS)

ci: lint test test-rest mutants bundle run demo ## Everything that has to hold before a change is merged; ends by failing on a dirty tree
	@changed=$$(git status --porcelain); test -z "$$changed" || { echo "warden: the tree is not as committed: commit these files, or find out what wrote them" >&2; echo "$$changed" >&2; exit 1; }

##@ Keep

lock: ## Resolve the dependencies of pyproject.toml again and write requirements.lock (needs uv)
	@env -u PIP_FIND_LINKS -u UV_FIND_LINKS UV_CUSTOM_COMPILE_COMMAND="make lock" uv pip compile --quiet --upgrade --universal \
	  --python-version 3.11 --extra all --group dev --generate-hashes --no-emit-index-url --no-emit-find-links \
	  --output-file requirements.lock pyproject.toml

audit: setup ## Look up known vulnerabilities of what the lock names (DATABASE=DIRECTORY: without a network); 3: not all was looked up
	@$(PY) -m tools.audit $(if $(DATABASE),--database $(DATABASE)) $(ARGS)

release: setup ## Build wheel, source, one executable file and the plugin's jar into dist/, check and install them, write hashes and SBOMs; signs and uploads nothing
	@version=$$($(WARDEN) --version | sed 's/.* //'); tag=$$(git tag --points-at HEAD --list 'v*'); \
	  if test -z "$$tag"; then echo "warden: no tag on this commit: a build to try, not a release" >&2; \
	  elif test "$$tag" != "v$$version" || ! grep -q "^## \[$$version\]" CHANGELOG.md; then \
	    echo "warden: tag $$tag, version $$version and a heading [$$version] in CHANGELOG.md have to agree" >&2; exit 1; fi
	@rm -rf dist $(RELEASE) && mkdir -p dist $(RELEASE)
	@$(PY) -m build --no-isolation --outdir dist . >$(RELEASE)/build.log || { cat $(RELEASE)/build.log >&2; exit 1; }
	@$(PY) -m check_wheel_contents dist/*.whl
	@$(PY) -m twine check --strict dist/*.whl dist/*.tar.gz
	@sed -E '/^ +(--hash|#)/d; s/ *\\$$//' requirements.lock >$(RELEASE)/constraints.txt
	@$(PYTHON) -m venv $(RELEASE)/venv
	@$(RELEASE)/venv/bin/python -m pip install --quiet --disable-pip-version-check --no-compile --constraint $(RELEASE)/constraints.txt "$$(ls dist/*.whl)[all]"
	@$(PY) -m tools.sbom environment $(RELEASE)/venv/bin/python --output dist/sbom.json
	@$(PY) -m tools.sbom image dist/*.whl --output dist/sbom-image.json
	@$(PY) -m tools.one_file dist/*.whl --constraint $(RELEASE)/constraints.txt --output dist/warden-$$(uname -s | tr A-Z a-z)-$$(uname -m)
	@java=$$($(TOOLS) java) && JAVA_HOME=$$java $(PY) -m tools.broker_plugin --pinned --output dist/warden-broker-$$($(WARDEN) --version | sed 's/.* //').jar
	@cd dist && sha256sum * >SHA256SUMS && cat SHA256SUMS

clean: ## Remove what the targets above made in this checkout (the per-user cache stays)
	@rm -rf $(VENV) build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage bundle.tar.gz
	@find . -name __pycache__ -prune -exec rm -rf {} +
