apt-get install cmake g++ libboost1.81-dev libcurl4-openssl-dev libgmock-dev make
cmake --preset lean -D TALLY_BUILD_FAKE=ON
cmake --build --preset lean -j 2
cmake --install build/lean --prefix /opt/tally
