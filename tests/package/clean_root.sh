#!/bin/sh
# Installs and uses tally in two new minimal Debian systems, as root, with a network: the client alone from its sources where
# there is nothing but a compiler, CMake, the headers of Boost and libcurl; and the Debian packages.
# usage: clean_root.sh SOURCE FOLDER PACKAGE.deb...
set -eu
source=$1 folder=$2
shift 2

rm -rf "$folder"
mkdir -p "$folder"

# in_root NAME COMMAND
in_root() {
  chroot "$folder/$1" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -euc "$2"
}

debootstrap --variant=minbase bookworm "$folder/lean"
cp /etc/resolv.conf "$folder/lean/etc/"
cp -a "$folder/lean" "$folder/packages"

in_root lean 'apt-get install -y --no-install-recommends cmake g++ libboost1.81-dev libcurl4-openssl-dev make pkgconf'
mkdir "$folder/lean/src"
git -C "$source" ls-files -z --cached --others --exclude-standard | tar -C "$source" --null --files-from=- --create |
  tar -C "$folder/lean/src" --extract
in_root lean 'cd /src
  cmake --preset lean
  cmake --build --preset lean
  cmake --install build/lean --prefix /opt/tally
  cp -r tests/package/lean_consumer tests/package/consumer/client.cpp /root
  cmake -S /root/lean_consumer -B /root/build -D CMAKE_PREFIX_PATH=/opt/tally
  cmake --build /root/build
  /root/build/client
  export PKG_CONFIG_PATH=/opt/tally/lib/pkgconfig
  g++ -std=c++20 /root/client.cpp -o /root/client $(pkg-config --cflags --libs tally)
  /root/client'

cp "$@" "$folder/packages/root"
cp "$source/tests/package/consumer/client.cpp" "$source/examples/shortest.cpp" "$folder/packages/root"
in_root packages 'cd /root
  apt-get install -y --no-install-recommends ./*.deb g++ pkgconf
  for use in client:tally shortest:tally-fake; do
    g++ -std=c++20 ${use%:*}.cpp -o ${use%:*} $(pkg-config --cflags --libs ${use#*:})
    ./${use%:*}
  done
  tally-fake --version
  # A program needs only the package of its library.
  apt-get purge -y libtally-dev tally-fake
  ./client
  apt-get purge -y "libtally*"
  ! ./client'
