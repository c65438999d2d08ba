#!/usr/bin/env bash
# Tests the Python package: pytest with the examples of docstrings, mypy, pyright, and a wheel in an environment
# of its own. Makes its environments in .cache, where they are kept between runs.
#
#   python/test.sh environments             makes the environments alone
#   python/test.sh tests/test_misuse.py     runs some tests alone
#   TACET_TEST_PYTHON=/usr/bin/python3.12   the Python to use (3.11 or later); `skip` skips all of this
#   TACET_TEST_NOTEBOOKS=1                  all notebooks, not one
#   TACET_TEST_TORCH=1                      tests of PyTorch modules and Keras, in an environment of 6 GB
#   TACET_TEST_ESTIMATORS=1                 every estimator of scikit-learn on every data set
set -euo pipefail
cd "$(dirname "$0")"

fail() {
	printf 'python/test.sh: %s\n' "$*" >&2
	exit 1
}

if [[ ${TACET_TEST_PYTHON:-} == skip ]]; then
	echo "python: SKIPPED, since TACET_TEST_PYTHON=skip"
	exit 0
fi

# find_python prints the first Python of 3.11 or later.
find_python() {
	local p
	for p in ${TACET_TEST_PYTHON:-python3 python3.13 python3.12 python3.11}; do
		if "$p" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then
			command -v "$p"
			return
		fi
	done
	return 1
}
python=$(find_python) || fail "no Python 3.11 or later with venv was found: install python3 and python3-venv, name one in TACET_TEST_PYTHON, or set TACET_TEST_PYTHON=skip"

# environment FOLDER PACKAGES... makes a virtual environment with packages, unless it is there already.
environment() {
	local folder=$1 version stamp
	shift
	version=$("$python" -VV)
	stamp=$(printf '%s\n' "$@"; cat requirements-test.txt requirements-torch.txt)
	if [[ ! -f $folder/python || $(<"$folder/python") != "$version" ]]; then
		rm -rf "$folder"
		"$python" -m venv "$folder"
		printf '%s' "$version" >"$folder/python"
	elif [[ -f $folder/stamp && $(<"$folder/stamp") == "$stamp" ]]; then
		return
	fi
	"$folder/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile "$@" >&2 ||
		fail "pip cannot install $*: the tests need PyPI once (set TACET_TEST_PYTHON=skip to leave them out)"
	printf '%s' "$stamp" >"$folder/stamp"
}

mkdir -p .cache
venv=$PWD/.cache/venv
environment "$venv" -r requirements-test.txt
environment .cache/clean "$(grep '^jax==' requirements-test.txt)" "$(grep '^jaxlib==' requirements-test.txt)" \
	"$(grep '^numpy==' requirements-test.txt)"

if [[ ${1:-} == environments ]]; then
	exit
fi
(cd .. && go build -ldflags '-s -w' -o python/.cache/tacet ./cmd/tacet) # compiled as the Go tests are: one compilation serves both
export TACET=$PWD/.cache/tacet
# Threads of libraries that wait for each other in loops take a third of the tests' processor time.
export OMP_NUM_THREADS=${OMP_NUM_THREADS:-1} OPENBLAS_NUM_THREADS=${OPENBLAS_NUM_THREADS:-1}
# JAX compiles for longer than it computes what private results are compared with.
export XLA_FLAGS=${XLA_FLAGS:---xla_backend_optimization_level=0 --xla_llvm_disable_expensive_passes=true}

echo "pytest"
TACET_TEST_TORCH='' "$venv/bin/python" -m pytest -o cache_dir=.cache/pytest "$@" # without torch
if [[ ${TACET_TEST_TORCH:-} == 1 ]]; then
	echo "pytest of PyTorch modules"
	environment .cache/torch -r requirements-test.txt -r requirements-torch.txt
	torch=("$@")
	(($# > 0)) || torch=(tests/test_torch.py tests/test_keras.py)
	.cache/torch/bin/python -m pytest -o cache_dir=.cache/pytest-torch "${torch[@]}"
fi
if (($# > 0)); then
	exit # some tests were asked for
fi

echo "mypy"
"$venv/bin/python" -m mypy --cache-dir .cache/mypy

echo "pyright"
"$venv/bin/python" -m pyright --pythonpath "$venv/bin/python"

echo "wheel"
rm -rf .cache/dist
"$venv/bin/python" -m build --no-isolation --wheel --outdir .cache/dist . >.cache/build.log 2>&1 || fail "the wheel cannot be built: $(tail -1 .cache/build.log)"
.cache/clean/bin/python -m pip install --quiet --disable-pip-version-check --no-deps --force-reinstall .cache/dist/*.whl
.cache/clean/bin/python -m pip check
"$python" - <<'PY'
import re
text = open("README.md").read()
open(".cache/readme.py", "w").write(re.search(r"```python\n(.*?)```", text, re.S)[1])
PY
clean=$PWD/.cache/clean/bin
(
	unset TACET PYTHONPATH
	cd "$(mktemp -d)"
	"$clean/python" "$OLDPWD/.cache/readme.py"
	"$clean/tacet" version
)
