apt-get install cmake g++ libboost1.81-dev libcurl4-openssl-dev make
cmake --preset lean
cmake --build --preset lean -j 2
cmake --install build/lean --prefix /opt/tally
