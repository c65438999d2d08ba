#!/usr/bin/env bash
# Runs every check that a change must pass: format, vet, tests, tests with the
# race detector, and some seconds of each fuzz test. Stops at the first failure.
#
#   ./test.sh                 everything, in less than ten minutes on two cores
#   FUZZTIME=1m ./test.sh     longer fuzzing
set -euo pipefail
cd "$(dirname "$0")"

fuzztime=${FUZZTIME:-3s}
concurrent='/(flow|link|pki|exec|party|mpc|node|cluster|dealer|ops)(/|$)' # packages in which goroutines live

section() { printf '\n== %s\n' "$*"; }

section "format"
unformatted=$(gofmt -l .)
if [[ -n $unformatted ]]; then
	printf 'not formatted (run gofmt -w):\n%s\n' "$unformatted"
	exit 1
fi

# fuzz NAME PACKAGE fuzzes for a while. Go's fuzzer now and then calls it a failure
# that the time is over, without an input that fails: then it is done once more.
fuzz() {
	local said
	said=$(mktemp)
	for try in 1 2; do
		if go test -run '^$' -fuzz "^$1\$" -fuzztime "$fuzztime" -fuzzminimizetime 1s "$2" 2>&1 | tee "$said"; then
			rm "$said"
			return
		fi
		if ((try == 2)) || ! grep -q '^ *context deadline exceeded$' "$said" || grep -q 'Failing input' "$said"; then
			rm "$said"
			return 1
		fi
	done
}

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

	mapfile -t packages < <(go list ./... | grep -E "$concurrent" || true)
	if ((${#packages[@]} > 0)); then
		section "test $name for races"
		go test -race "${packages[@]}"
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
		fuzz "$fuzz" "$package"
	done
	popd >/dev/null
done

section "all passed"
