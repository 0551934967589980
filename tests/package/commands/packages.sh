apt-get install ./build/libtally0.1_*.deb ./build/libtally-bulk0.1_*.deb ./build/libtally-outbox0.1_*.deb ./build/libtally-dev_*.deb
