#!/bin/sh
# Installs and uses tally in two new minimal Debian systems, as root, with a network: the client alone from its sources where
# there is nothing but what docs/installing.md names; and the Debian packages. Runs the commands of that page.
# usage: clean_root.sh SOURCE ARCHIVE FOLDER (ARCHIVE has the sources without what was built)
set -eu
source=$1 archive=$2 folder=$3
packages=$source/tests/package

rm -rf "$folder"
mkdir -p "$folder"

# in_root NAME COMMAND
in_root() {
  chroot "$folder/$1" env DEBIAN_FRONTEND=noninteractive PATH=/usr/sbin:/usr/bin:/sbin:/bin sh -euxc "$2"
}

debootstrap --variant=minbase bookworm "$folder/lean"
cp /etc/resolv.conf "$folder/lean/etc/"
echo 'APT::Get::Assume-Yes "true"; APT::Install-Recommends "false";' >"$folder/lean/etc/apt/apt.conf.d/90test"
cp -a "$packages/installed" "$packages/consumer/client.cpp" "$source/examples/shortest.cpp" "$packages/commands" \
  "$folder/lean/root"
cp "$packages/consumer/client.cpp" "$folder/lean/root/installed"
cp -a "$folder/lean" "$folder/packages"

mkdir "$folder/lean/src"
tar -C "$folder/lean/src" --extract --file "$archive"
in_root lean 'cd /src
  sh -eux /root/commands/lean.sh
  cd /root
  cmake -S installed -B build -D CMAKE_PREFIX_PATH=/opt/tally
  cmake --build build
  build/client
  apt-get install pkgconf
  PKG_CONFIG_PATH=/opt/tally/lib/pkgconfig sh -eux commands/pkg_config.sh
  ./client
  : The README, with the fake.
  cd /src
  sh -eux /root/commands/fake.sh
  sh -eux /root/commands/project.sh
  cd ~/payments
  /opt/tally/bin/tally-fake --records 3 --ready-file /root/ready &
  while ! test -e /root/ready; do kill -0 $!; sleep 0.1; done
  sh -eux /root/commands/project_runs.sh >payments.txt
  kill $!
  test "$(grep -c "requested: 1000 usd" payments.txt)" = 3'

mkdir "$folder/packages/root/build"
cp "$source"/build/*.deb "$folder/packages/root/build"
in_root packages 'cd /root
  sh -eux commands/packages.sh
  apt-get install ./build/tally-fake_*.deb ./build/tally-outbox_*.deb ./build/tally-report_*.deb g++ pkgconf
  sh -eux commands/pkg_config.sh
  ./client
  g++ -std=c++20 shortest.cpp -o shortest $(pkg-config --cflags --libs tally-fake)
  ./shortest
  tally-fake --version
  tally-outbox --version
  tally-report --version
  : A program needs only the package of its library.
  apt-get purge libtally-dev tally-fake tally-outbox tally-report libtally-bulk0.2 libtally-outbox0.2
  ./client
  apt-get purge libtally0.2
  ! ./client'
