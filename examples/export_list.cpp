// Exports all payment records to NDJSON, one page at a time. A run that was killed continues at its
// checkpoint, and the file has every record once.

#include <filesystem>
#include <fstream>
#include <utility>

#include <tally/tally.h>

#include "support/target.h"

namespace {

namespace fs = std::filesystem;

constexpr std::string_view help = R"(usage: export_list [--base-url URL] [--output FILE]

Exports all payment records to FILE (default: payments.ndjson), from a fake in this process, or from URL with the key
in TALLY_API_KEY. If the program is killed, run it again: FILE.checkpoint says where it stopped.
)";

/// How many bytes of the output are complete, and where the list continues after them.
struct Progress {
  std::uintmax_t bytes = 0;
  std::string checkpoint{};
};

Progress load(const fs::path& path) {
  Progress progress;
  std::ifstream{path} >> progress.bytes >> progress.checkpoint;
  return progress;
}

/// Renaming replaces the file atomically, so a kill leaves either the old progress or the new one.
void save(const Progress& progress, const fs::path& path) {
  const fs::path next = path.string() + ".new";
  std::ofstream out{next};
  out << progress.bytes << ' ' << progress.checkpoint << '\n';
  out.close();
  if (!out) throw std::runtime_error{"cannot write " + next.string()};
  fs::rename(next, path);
}

/// Removes what a killed run wrote after its last checkpoint. The next run writes these lines again.
std::ofstream openAt(const fs::path& path, std::uintmax_t bytes) {
  std::ofstream{path, std::ios::app}.close();
  if (fs::file_size(path) < bytes)
    throw std::runtime_error{path.string() + " is shorter than its checkpoint says"};
  fs::resize_file(path, bytes);
  return std::ofstream{path, std::ios::app};
}

void exportTo(const fs::path& path, const tally::PaymentRecords& payments) {
  const fs::path progressPath = path.string() + ".checkpoint";
  Progress progress = load(progressPath);
  auto list = payments.list({.limit = 100});
  if (!progress.checkpoint.empty()) list = std::move(list).resumeFrom(progress.checkpoint);
  std::ofstream out = openAt(path, progress.bytes);
  auto pages = std::move(list).pages();
  for (auto page = pages.begin(); page != pages.end();) {
    for (const auto& payment : page->value().data)  // throws if the page could not be read
      out << tally::toJson(payment) << '\n';
    out.flush();
    if (!out) throw std::runtime_error{"cannot write " + path.string()};
    ++page;  // consumes the page, so the checkpoint is after it
    progress = {fs::file_size(path), pages.checkpoint()};
    save(progress, progressPath);
  }
  std::cout << progress.bytes << " bytes in " << path.string() << '\n';
}

}  // namespace

int main(int argc, char** argv) try {
  const auto baseUrl = takeOption(argc, argv, "--base-url");
  const auto output = takeOption(argc, argv, "--output");
  expectNoMore(argc, argv, help);
  tally::fake::Service fake;
  const Target target{fake, fake.addAccount().sandboxKey, baseUrl.value_or("")};
  fake.insertMany(target.fakeKey, "payment_record", 450);
  exportTo(output.value_or("payments.ndjson"), tally::Client{target.clientOptions()}.paymentRecords());
} catch (const std::exception& failure) {
  std::cerr << failure.what() << '\n';
  return 1;
}
