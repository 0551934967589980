g++ -std=c++20 client.cpp -o client $(pkg-config --cflags --libs tally)
