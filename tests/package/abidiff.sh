#!/usr/bin/env bash
# abidiff.sh BASE WORK: builds the shared libraries as they were at the commit BASE and as they are now, in the folder WORK, and
# fails if a program that was linked to the former cannot use the latter, although their sonames are equal.
set -euo pipefail
base=$(git rev-parse --short "$1^{commit}")
work=$2
mkdir -p "$work"

# build SOURCE NAME: the libraries in WORK/NAME, with the types of what they export, and their headers in one folder.
build() {
  local source=$1 name=$2 option off=() headers=$work/$2/public
  for option in BENCHMARKS CODEGEN EXAMPLES FAKE TESTS; do off+=(-D "TALLY_BUILD_$option=OFF"); done
  cmake -S "$source" -B "$work/$name" -G Ninja -D CMAKE_BUILD_TYPE= -D CMAKE_CXX_COMPILER=g++ -D CMAKE_CXX_FLAGS=-g \
    -D BUILD_SHARED_LIBS=ON -D CMAKE_UNITY_BUILD=ON -D CMAKE_UNITY_BUILD_BATCH_SIZE=10 "${off[@]}"
  cmake --build "$work/$name" --target tally_sdk tally_bulk tally_outbox
  rm -rf "$headers"
  mkdir -p "$headers"
  cp -r "$source"/sdk/{,generated/,bulk/,outbox/}include/tally "$headers"
}

soname() {
  readelf --dynamic "$1" | sed -n 's/.*soname: \[\(.*\)\]/\1/p'
}

{
  if [[ ! -d $work/source-$base ]]; then
    mkdir -p "$work/source-$base"
    git archive "$base" | tar -x -C "$work/source-$base"
  fi
  build "$work/source-$base" "$base"
  build . now
} >"$work/log" 2>&1 || { tail -n 40 "$work/log"; exit 1; }

broken=0
for library in libtally_base libtally bulk/libtally_bulk outbox/libtally_outbox; do
  before=$work/$base/sdk/$library.so after=$work/now/sdk/$library.so
  if [[ $(soname "$before") != "$(soname "$after")" ]]; then
    echo "${library##*/}: $(soname "$before") has become $(soname "$after"), so programs are linked anew"
  elif ! report=$(abidiff --leaf-changes-only --headers-dir1 "$work/$base/public" --headers-dir2 "$work/now/public" --no-added-syms \
                   --suppressions tests/package/abidiff.suppressions "$before" "$after"); then
    echo "${library##*/}: programs linked to $(soname "$before") of $base break:"
    echo "$report"
    broken=1
  else
    echo "${library##*/}: $(soname "$before") of $base can be replaced"
  fi
done
if [[ $broken == 1 ]]; then
  echo "Keep the names and the layouts, or raise the version in project() that the soname contains, in CMakeLists.txt."
fi
exit $broken
