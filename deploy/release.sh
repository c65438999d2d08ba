#!/usr/bin/env bash
# Builds a release of the last commit: archives for all platforms, container images for Linux, lists of
# what the binaries are made of, and SHA256SUMS.
#
#   deploy/release.sh 0.2.0 out                            all platforms, into the new folder out
#   PLATFORMS=linux/amd64 deploy/release.sh 0.2.0 out      some of them
#
# The same commit, version and Go toolchain give the same bytes. Needs git, Go and the modules of go.mod
# in Go's cache or on the network, no container engine.
set -euo pipefail

version=${1:?usage: deploy/release.sh VERSION OUT}
out=${2:?usage: deploy/release.sh VERSION OUT}
platforms=${PLATFORMS:-linux/amd64 linux/arm64 darwin/arm64 darwin/amd64 windows/amd64}
if [[ ! $version =~ ^[0-9]+\.[0-9]+\.[0-9]+(-[0-9A-Za-z.-]+)?$ ]]; then
	echo "$version is not a semantic version such as 0.2.0" >&2
	exit 2
fi
root=$(git -C "$(dirname "$0")" rev-parse --show-toplevel)
if [[ -n $(git -C "$root" status --porcelain) ]]; then
	echo "note: changes that are not committed are not part of the release" >&2
fi
mkdir "$out"
out=$(cd "$out" && pwd)

# A clone of its own: Go records the commit only of a clean one, and not in linked work trees.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
git clone --quiet --shared --no-checkout "$root" "$work/source"
cd "$work/source"
git checkout --quiet --detach "$(git -C "$root" rev-parse HEAD)"

export CGO_ENABLED=0 GOFLAGS=-mod=readonly GOWORK=off TZ=UTC
binaries=()
for platform in $platforms; do
	binary=$work/bin/${platform/\//-}/tacet
	[[ $platform == windows/* ]] && binary+=.exe
	GOOS=${platform%/*} GOARCH=${platform#*/} go build -trimpath -buildvcs=true -o "$binary" \
		-ldflags "-s -w -buildid= -X github.com/tacet-mpc/tacet/version.Release=$version" ./cmd/tacet
	binaries+=("$binary")
done
go build -o "$work/pack" ./deploy/release
"$work/pack" -version "$version" -source . -out "$out" "${binaries[@]}"
