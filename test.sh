#!/usr/bin/env bash
# Runs every check that a change must pass: format, vet, tests, tests with the
# race detector, some executions of each fuzz test, and the Python package. Stops at the first failure.
#
#   ./test.sh                 everything, in about 11 minutes on two cores (AMD Zen 3), 15 where nothing is built
#   FUZZ=100000x ./test.sh    longer fuzzing, guided by coverage
#   TACET_TEST_ALL=1          all cases of tests of which a part runs otherwise (CONTRIBUTING.md lists more variables)
#   TACET_TEST_PYTHON=skip    without the Python package (python/test.sh lists its variables)
set -euo pipefail
cd "$(dirname "$0")"

executions=${FUZZ:-300x} # of each fuzz test: counted, since a time fails on a busy machine
# Packages in which goroutines live, without those among them that have none or whose code others run (the goroutines of
# protocols are those of package flow, and tests of party run every operation). Their tests run with the race detector, and
# only with it, but for:
# - results: tests that run one program after another, or much of what is sequential, run without it;
# - both: tests of many cases run all of them without it, and fewer with it.
concurrent='tacet-mpc/tacet$|/(flow|link|pki|party|mpc|node|cluster|dealer|ops|psi|console)(/|$)'
sequential='tacet-mpc/tacet$|/(conformance|fourier|fourier/internal/fit|fixed|derived|plain|protocol|protocols|maps|wire|cheetah|semi2k|aby3|browser)$'
sequential+='|/(mpc|mpc/pair|correlation|correlation/joins|correlation/store|cluster|cluster/kit|cluster/kit/kittest|cluster/local)$'
sequential+='|/(node/api|node/audit|node/hostile|node/jobstate|node/policy|ops|party/check|party/plan|party/report|party/resume)$'
models='/(party|node|psi|console)$' # the packages that have such tests
results='Programs$|^Test(SmallNumbers|Division.*|OptimizeByOperation|Passes|Fixtures.*|PyTorch.*|Fit|Tasks|HostileSubmissions'
results+='|RootsAndQuotients.*|Small.*|Forest|Optimize|RangeRows|(Declared|Cheetah)Ranges|Reveal|Trees|.*ComparesOnce|.*ProductsOnce'
results+='|Comparisons.*|Cotangents|HeldOfTasks|PlanLimitsOfConfig|ManyEnded'
results+='|HostileTasks|HostileCorpus|Replay|ManyLongStatuses|FailedResumeLeavesNothing|ResumeRefused|CheckpointNotWritten'
results+='|Stacked|FitRefused|FilesOfManyElements|Numbered|WideTable|Exactly|MisfitsCount|StoreBetween.*|PairStateOfOne'
results+='|Joins|JoinsRefused|KeptModel|RestoredNodes|RestoredStores|RequestsPruned|ResumeFromCommonCheckpoint'
results+='|LookedUp.*|ResidentsLookedUp.*|FitCG|StackedBeside|BesideKeys|OwnerSplits|ResumeMixed'
results+='|Resume|Cuckoo|HiddenPlaces|HiddenSeeds|Hostile|PairStateCrashes|PairStateApart)$'
both='^Test(Conformance|Products|Seeds)$'

# The compiler and tests make garbage that lives briefly: collecting it less often saves CPU time, a quarter of that of most tests.
# Without any collection below the limit, the first use of 384 MiB of memory by each process takes more time than that saves.
export GOGC=${GOGC:-400}
compiling="GOMEMLIMIT=${GOMEMLIMIT:-1GiB}"
export GOMEMLIMIT=${GOMEMLIMIT:-384MiB}
# Symbols and debugging information of some 120 test binaries take longer to write than most tests take. Without the paths of its
# sources, a package compiled once serves clones in all folders, of vet too: a third of the time of a run.
export GOFLAGS="${GOFLAGS:+$GOFLAGS }'-ldflags=-s -w' -trimpath"
cores=$(nproc 2>/dev/null || echo 2)
packages_at_once=$((cores + 2)) # some packages' tests wait for processes: others run meanwhile
longest=40m                     # of a package's tests: a test that hangs ends there, a machine that others use needs long

section() { printf '\n== %s\n' "$*"; }

# fuzz_package PACKAGE BINARY runs a package's fuzz tests, each some executions, by the binary of its tests. Its output comes
# at its end, since packages are fuzzed side by side. After status 255, xargs starts no further one.
fuzz_package() {
	local output status=0
	output=$(mktemp)
	fuzz_tests "$1" "$2" >"$output" 2>&1 || status=255
	section "fuzz $1"
	grep -v 'not built with coverage instrumentation' "$output" || true
	rm -f "$output"
	return $status
}

# fuzz_tests PACKAGE BINARY is fuzz_package without its output. It makes a binary where there is none, and where FUZZ asks for many
# executions, with coverage instrumentation: for a few hundred, that build takes longer than the executions.
fuzz_tests() {
	local binary=$2 cache name
	cache=$(go env GOCACHE)/fuzz/$1
	if [[ -n ${FUZZ:-} || ! -f $binary ]]; then
		go test -c -vet=off ${FUZZ:+-fuzz=Fuzz} -o "$binary" "$1" || return
	fi
	cd "$(go list -f '{{.Dir}}' "$1")" || return
	for name in $("$binary" -test.list '^Fuzz'); do
		echo "$name"
		"$binary" -test.run '^$' -test.fuzz "^$name\$" -test.fuzztime "$executions" -test.fuzzminimizetime 100x \
			-test.fuzzcachedir "$cache" -test.parallel 1 || return
	done
}
export -f section fuzz_package fuzz_tests
export executions

# start TITLE COMMAND... runs a section beside the others; finish waits for the sections that were started,
# prints each, and stops at the first that failed.
outputs=$(mktemp -d)
titles=() processes=()
trap 'kill "${processes[@]}" 2>/dev/null || true; rm -rf "$outputs"' EXIT
start() {
	local title=$1
	shift
	"$@" >"$outputs/${#processes[@]}" 2>&1 &
	titles+=("$title") processes+=($!)
}
finish() {
	local i status
	for i in "${!processes[@]}"; do
		status=0
		wait "${processes[i]}" || status=$?
		section "${titles[i]}"
		cat "$outputs/$i"
		((status == 0)) || exit "$status"
	done
	titles=() processes=()
}

section "format"
unformatted=$(gofmt -l .)
if [[ -n $unformatted ]]; then
	printf 'not formatted (run gofmt -w):\n%s\n' "$unformatted"
	exit 1
fi

# Modules of this repository: the core, and those with dependencies of their own.
mapfile -t modules < <(find . -name go.mod -not -path '*/.*/*' -printf '%h\n' | sort)

start "environments of Python" python/test.sh environments # mostly downloads
for module in "${modules[@]}"; do
	section "vet $(cd "$module" && go list -m)"
	(cd "$module" && env $compiling go vet ./...)
done
finish

# What vet compiled serves the builds that run side by side from here on, each of which would compile it again.
start "python" python/test.sh

# What is built for the race detector: without inlining, which takes a quarter of the compiler's time and saves none of the tests',
# and without Parquet, which no test with goroutines reads.
for_races=(-race -gcflags=all=-l -tags noparquet)

# race PACKAGES... runs tests with the race detector: those of models but for results, and all others'.
# One after another, so that nothing is compiled twice.
race() {
	local packages=("$@") some
	mapfile -t some < <(printf '%s\n' "${packages[@]}" | grep -E "$models")
	go test -vet=off -timeout "$longest" "${for_races[@]}" -skip "$results" "${some[@]}" || return
	mapfile -t some < <(printf '%s\n' "${packages[@]}" | grep -vE "$models")
	go test -vet=off -timeout "$longest" -p "$packages_at_once" "${for_races[@]}" "${some[@]}"
}

for module in "${modules[@]}"; do
	pushd "$module" >/dev/null
	name=$(go list -m)

	# Tests with the race detector run beside the others, since those of nodes wait most of their time.
	mapfile -t raced < <(go list ./... | grep -E "$concurrent" | grep -vE "$sequential" || true)
	if ((${#raced[@]} > 0)); then
		section "build $name for races" # before the others begin: they wait least if this is done first
		env $compiling go build "${for_races[@]}" "${raced[@]}"
		start "test $name for races" race "${raced[@]}"
	fi
	# The packages that have fuzz tests: their binaries are kept for these.
	mapfile -t fuzzed < <(go list -f '{{.ImportPath}} {{.Dir}}' ./... | while read -r package folder; do
		if grep -qE '^func Fuzz' "$folder"/*_test.go 2>/dev/null; then
			echo "$package"
		fi
	done)
	binaries=$(mktemp -d -p "$outputs")

	mapfile -t some < <(printf '%s\n' "${raced[@]}" | grep -E "$models")
	if ((${#some[@]} > 0)); then # beside the others, since tests of nodes wait most of their time
		start "test $name/node, party, psi and console" go test -vet=off -timeout "$longest" -run "$results|$both" -o "$binaries/" "${some[@]}"
	fi

	section "test $name"
	mapfile -t others < <(go list ./... | grep -vxFf <(printf '%s
' "${raced[@]}"))
	mapfile -t some < <(printf '%s
' "${others[@]}" | grep -xFf <(printf '%s
' "${fuzzed[@]}"))
	if ((${#some[@]} > 0)); then
		go test -vet=off -timeout "$longest" -p "$packages_at_once" -o "$binaries/" "${some[@]}"
	fi
	mapfile -t some < <(printf '%s
' "${others[@]}" | grep -vxFf <(printf '%s
' "${fuzzed[@]}"))
	if ((${#some[@]} > 0)); then
		go test -vet=off -timeout "$longest" -p "$packages_at_once" "${some[@]}"
	fi

	if [[ -f ring/kernels_other.go ]]; then
		section "test $name/ring, mpc/fixed, he and ot without assembly"
		go test -vet=off -tags purego ./ring ./mpc/fixed ./he ./ot
	fi
	printf '%s\n' "${fuzzed[@]}" | xargs -r -P "$cores" -I{} bash -c 'fuzz_package "$1" "$2/$(basename "$1").test"' fuzz {} "$binaries"
	finish
	popd >/dev/null
done

section "all passed"
