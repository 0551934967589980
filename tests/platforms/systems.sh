#!/usr/bin/env bash
# Builds and tests tally on other systems, each in a Debian of its own in FOLDER, as root and with a network. Each system is kept,
# so that a second run builds only what has changed.
# usage: systems.sh ARCHIVE FOLDER SYSTEM… (ARCHIVE has the sources without what was built)
set -euo pipefail

readonly archive=$1 folder=$2
shift 2

# The tests of the client, the fake and the outbox that need no other server.
programs=(sdk_tests sdk_service_tests sdk_bulk_tests async_tests fake_tests fake_server_tests conformance_tests
  outbox_unit_tests testing_tests)

# in_system NAME COMMAND: runs the command as root of the system. What it mounts and starts ends with it.
in_system() {
  unshare --mount --pid --fork sh -euc '
    mount --types proc proc "$0/proc"
    mount --rbind /dev "$0/dev"
    mount --rbind /sys "$0/sys"
    exec chroot "$0" env -i HOME=/root DEBIAN_FRONTEND=noninteractive LANG=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin \
      sh -euc "cd /src; $1"' "$folder/$1" "$2"
}

# new_system NAME RELEASE [PACKAGE…]
new_system() {
  local root=$folder/$1 release=$2
  shift 2
  if [[ ! -e $root/installed ]]; then
    rm -rf --one-file-system "$root"
    debootstrap --variant=minbase "$release" "$root"
    echo 'APT::Get::Assume-Yes "true"; APT::Install-Recommends "false";' >"$root/etc/apt/apt.conf.d/90test"
    echo force-unsafe-io >"$root/etc/dpkg/dpkg.cfg.d/90test"
    sed -i 'p; s/^deb /deb-src /' "$root/etc/apt/sources.list"
    echo '127.0.0.1 localhost' >"$root/etc/hosts"
    mkdir "$root/src"
    touch "$root/installed"
  fi
  cp /etc/resolv.conf "$root/etc"
  unpack_sources "$root/src"
  # An earlier run may have ended while it installed packages.
  [[ $# == 0 ]] || in_system "${root##*/}" "dpkg --configure -a; apt-get update; apt-get install $*"
}

# Leaves the time of a file that has not changed, so that it is not compiled again.
unpack_sources() {
  local unpacked
  unpacked=$(mktemp --directory "$folder/sources.XXXXXX")
  tar --directory "$unpacked" --extract --file "$archive"
  rsync --recursive --links --perms --checksum --delete --exclude=/build "$unpacked/" "$1"
  rm -rf "$unpacked"
}

# The two commands of the README, and the packages. They install what they need.
debian() {
  new_system "$1" "$2"
  in_system "$1" './dev demo; ./dev test; ./dev package
    apt-get install ./build/*.deb
    tally-fake --version; tally-outbox --version; tally-report --version'
}

# run_programs SYSTEM [OPTION-OF-CMAKE…]: also the asynchronous forms of some programs. The system and its preset have one name. The
# form of a test's name is that of tally_discover_tests(). With `emulated=1`, tests don't measure memory.
run_programs() {
  in_system "$1" "cmake --preset $*; cmake --build --preset $1 --target ${programs[*]}
    ${emulated:+TALLY_TEST_EMULATED=1} ctest --test-dir build/$1 --output-on-failure --no-tests=error --timeout 3600 -j \$(nproc) \
      -R '^whole\.((async|codegen|outbox|testing)\.)?($(IFS='|'; echo "${programs[*]}"))$'"
}

# crossed ARCHITECTURE PACKAGE…
crossed() {
  local architecture=$1 package libraries=()
  shift
  for package in libboost1.81-dev libboost-json1.81-dev libcurl4-openssl-dev libgmock-dev libgtest-dev libpq-dev librapidcheck-dev \
    libsqlite3-dev libssl-dev libstdc++6; do
    libraries+=("$package:$architecture")
  done
  new_system "$architecture" bookworm cmake ninja-build ccache clang-format-19 nginx-light python3 libkainjow-mustache-dev "$@"
  in_system "$architecture" "dpkg --add-architecture $architecture; apt-get update; apt-get install ${libraries[*]}"
}

# Some kernels can't run programs of 32 bits.
i386() {
  crossed i386 g++-i686-linux-gnu qemu-user
  local emulator=() emulated=
  if ! in_system i386 '/lib/ld-linux.so.2 --version' >/dev/null 2>&1; then
    emulator=(-D CMAKE_CROSSCOMPILING_EMULATOR=qemu-i386)
    emulated=1
  fi
  run_programs i386 "${emulator[@]}"
}

# Debian's libraries for tests use libstdc++. Mirrors may lack the files of rapidcheck's source package that --tar-only leaves out.
libcxx() {
  new_system libcxx trixie cmake ninja-build ccache clang-format-19 nginx-light python3 clang-19 lld-19 libc++-19-dev libc++abi-19-dev \
    libboost-dev libcurl4-openssl-dev libkainjow-mustache-dev libpq-dev libsqlite3-dev libssl-dev googletest xz-utils
  in_system libcxx 'mkdir -p /usr/src/rapidcheck; cd /usr/src/rapidcheck
    test -e CMakeLists.txt || { apt-get source --tar-only rapidcheck; tar -xf rapidcheck_*.tar.xz; }
    for source in /usr/src/googletest /usr/src/rapidcheck; do
      cmake -G Ninja -S $source -B $source/build -D CMAKE_C_COMPILER=clang-19 -D CMAKE_CXX_COMPILER=clang++-19 \
        -D CMAKE_CXX_FLAGS=-stdlib=libc++ -D CMAKE_INSTALL_PREFIX=/usr/local -D RC_ENABLE_GTEST=ON
      cmake --build $source/build --target install
    done'
  local programs=("${programs[@]}" codegen_tests)
  run_programs libcxx
  in_system libcxx 'cmake --build --preset libcxx --target examples/all tally-outbox
    ctest --test-dir build/libcxx --output-on-failure --no-tests=error -j "$(nproc)" -R "^example_"'
}

for system in "$@"; do
  case $system in
    debian12) debian debian12 bookworm ;;
    debian13) debian debian13 trixie ;;
    i386) i386 ;;
    arm64) crossed arm64 g++-aarch64-linux-gnu qemu-user; emulated=1 run_programs arm64 ;;
    s390x) crossed s390x g++-s390x-linux-gnu qemu-user; emulated=1 run_programs s390x ;;
    libcxx) libcxx ;;
    *) echo "systems.sh: unknown system '$system'" >&2; exit 2 ;;
  esac
done
