apt-get install ./build/libtally0.2_*.deb ./build/libtally-bulk0.2_*.deb ./build/libtally-outbox0.2_*.deb ./build/libtally-dev_*.deb
