cp -r examples/project ~/payments
cd ~/payments
cmake -S . -B build -D CMAKE_PREFIX_PATH=/opt/tally
cmake --build build
ctest --test-dir build
