#!/usr/bin/env bash
# Runs every check that a change must pass: format, vet, tests, tests with the
# race detector, and some executions of each fuzz test. Stops at the first failure.
#
#   ./test.sh                 everything, in less than ten minutes on two cores
#   FUZZ=100000x ./test.sh    longer fuzzing
set -euo pipefail
cd "$(dirname "$0")"

executions=${FUZZ:-300x} # of each fuzz test: counted, since a time fails on a busy machine
concurrent='/(flow|link|pki|exec|party|mpc|node|cluster|dealer|ops)(/|$)' # packages in which goroutines live

section() { printf '\n== %s\n' "$*"; }

section "format"
unformatted=$(gofmt -l .)
if [[ -n $unformatted ]]; then
	printf 'not formatted (run gofmt -w):\n%s\n' "$unformatted"
	exit 1
fi

# Modules of this repository: the core, and those with dependencies of their own.
mapfile -t modules < <(find . -name go.mod -not -path '*/.*/*' -printf '%h\n' | sort)

for module in "${modules[@]}"; do
	pushd "$module" >/dev/null
	name=$(go list -m)

	section "vet $name"
	go vet ./...

	section "test $name"
	go test ./...

	if [[ -f ring/kernels_other.go ]]; then
		section "test $name/ring and mpc/fixed without assembly"
		go test -tags purego ./ring ./mpc/fixed
	fi

	mapfile -t packages < <(go list ./... | grep -E "$concurrent" | grep -v '/conformance$' || true)
	if ((${#packages[@]} > 0)); then
		section "test $name for races"
		go test -race -short "${packages[@]}"
	fi

	# A fuzz test each: file:func FuzzName(
	mapfile -t targets < <(find . -name '*_test.go' -exec grep -HoE '^func Fuzz[A-Za-z0-9_]+' {} + | sort)
	for target in "${targets[@]}"; do
		package=$(dirname "${target%%:*}")
		if [[ $(cd "$package" && go list -m) != "$name" ]]; then
			continue # of a module within this one
		fi
		fuzz=${target##*func }
		section "fuzz $fuzz in $package"
		go test -run '^$' -fuzz "^$fuzz\$" -fuzztime "$executions" -fuzzminimizetime 100x "$package"
	done
	popd >/dev/null
done

section "all passed"
