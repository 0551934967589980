#include "har/recording_index.h"

#include <algorithm>
#include <cerrno>
#include <stdexcept>
#include <system_error>
#include <utility>

#include "har/har_reader.h"
#include "har/recorded_target.h"
#include "text/find_header.h"
#include "text/readable.h"
#include "text/suggestion.h"
#include "wire.h"

namespace tally::detail {

namespace {

constexpr char separator = '\n';  // of the parts of a key, of which only the body may contain it

/// The method, path and query of a key.
std::string_view headIn(std::string_view key) {
  return key.substr(0, key.find(separator));
}

std::string_view pathIn(std::string_view head) {
  const std::string_view target = head.substr(std::min(head.find(' ') + 1, head.size()));
  return target.substr(0, target.find('?'));
}

std::string quoted(std::string_view text) {
  std::string shown;
  appendReadable(shown, text);
  return "'" + shown + "'";
}

}  // namespace

RecordingIndex::RecordingIndex(std::string file, ReplayOrder order)
    : name_(std::move(file)), order_(order), file_(name_, std::ios::binary) {
  if (!file_) throw std::runtime_error{"can't read " + name_ + ": " + std::generic_category().message(errno)};
  if (file_.tellg() < 0)
    throw std::runtime_error{"can't replay " + name_ + ": it is a pipe; save the recording in a file"};
  try {
    read();
  } catch (const HarError& problem) {
    throw std::runtime_error{name_ + ": " + problem.what()};
  }
  file_.clear();
}

void RecordingIndex::read() {
  HarReader reader{file_};
  while (const auto exchange = reader.next()) {
    if (!redactor_) redactor_.emplace(reader.redacted());
    const auto entry = series_.try_emplace(keyOf(*exchange)).first;
    entry->second.numbers.push_back(places_.size());
    keys_.push_back(entry->first);
    places_.push_back({.at = reader.position(), .size = reader.size()});
  }
  cutOff_ = reader.cutOff();
  if (!redactor_) redactor_.emplace();
}

/// What makes requests equal. Keys and the order of headers don't, and neither does the server's name.
std::string RecordingIndex::keyOf(const Exchange& exchange) {
  const Exchange cleaned = redactor_->redacted({.method = exchange.method,
                                                .url = exchange.url,
                                                .requestHeaders = exchange.requestHeaders,
                                                .requestBody = exchange.requestBody});
  std::string key = cleaned.method + ' ' + std::string{recordedTarget(cleaned.url)};
  std::ranges::replace(key, separator, ' ');
  key += separator;
  const std::string* const account = findHeader(cleaned.requestHeaders, header::connectedAccount);
  if (account != nullptr) key += *account;
  return (key += separator) += cleaned.requestBody;
}

std::variant<Exchange, NotRecorded> RecordingIndex::next(const Exchange& request) {
  const std::scoped_lock lock{mutex_};
  const std::string key = keyOf(request);
  const auto found = order_ == ReplayOrder::strict ? nextInOrder(key) : find(key);
  if (const auto* problem = std::get_if<NotRecorded>(&found)) return *problem;
  return load(std::get<std::size_t>(found));
}

std::variant<std::size_t, NotRecorded> RecordingIndex::nextInOrder(const std::string& key) {
  if (done_ < keys_.size() && keys_[done_] == key) return done_++;
  const std::string_view head = headIn(key);
  std::string text = quoted(head) + " is not the next recorded request: ";
  if (done_ == keys_.size()) return NotRecorded{text + "all " + std::to_string(done_) + " have been sent"};
  const std::string_view expected = headIn(keys_[done_]);
  text += "number " + std::to_string(done_ + 1) + " is " + quoted(expected);
  return NotRecorded{expected == head ? text + " with another body or account" : text};
}

std::variant<std::size_t, NotRecorded> RecordingIndex::find(const std::string& key) {
  const auto found = series_.find(key);
  if (found == series_.end())
    return NotRecorded{quoted(headIn(key)) + " is not recorded" + closestTo(headIn(key))};
  Series& series = found->second;
  const std::size_t number = series.numbers[series.next];
  if (series.next + 1 < series.numbers.size()) ++series.next;
  return number;
}

/// Up to three recorded requests: those for the same path, or else a similar one.
std::string RecordingIndex::closestTo(std::string_view head) const {
  constexpr std::size_t most = 3;
  std::vector<std::string_view> heads;
  for (const auto& [key, series] : series_)
    if (heads.empty() || heads.back() != headIn(key)) heads.push_back(headIn(key));
  if (std::ranges::binary_search(heads, head)) return " with this body and account, but only with others";
  std::string text;
  std::size_t shown = 0;
  for (const std::string_view each : heads)
    if (pathIn(each) == pathIn(head) && shown++ < most)
      text += (text.empty() ? "; closest: " : ", ") + quoted(each);
  return text.empty() ? suggestion(head, heads) : text;
}

Exchange RecordingIndex::load(std::size_t number) {
  const Place place = places_[number];
  std::string text(place.size, '\0');
  file_.clear();
  file_.seekg(static_cast<std::streamoff>(place.at));
  file_.read(text.data(), static_cast<std::streamsize>(text.size()));
  try {
    if (file_) return readHarEntry(text);
  } catch (const HarError&) {  // NOLINT(bugprone-empty-catch): see below
  }
  throw std::runtime_error{name_ + " has changed since it was opened"};
}

}  // namespace tally::detail
