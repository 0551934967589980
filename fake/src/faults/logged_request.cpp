#include <ostream>
#include <string>

#include <tally/fake/logged_request.h>

#include "text/readable.h"

namespace tally::fake {

namespace {

using tally::detail::appendReadable;

void appendQuestion(std::string& line, const LoggedRequest& request) {
  appendReadable(line, request.method);
  line += ' ' + (request.operation.empty() ? "(no operation)" : request.operation);
  if (!request.object.empty()) appendReadable(line += " of ", request.object);
}

void appendResponse(std::string& line, const LoggedRequest& request) {
  line += request.status == 0 ? "no response" : std::to_string(request.status);
  if (!request.errorCode.empty()) appendReadable(line += ' ', request.errorCode);
  if (!request.limit.empty()) line += ", refused by " + request.limit;
  if (request.fault != Fault::none) line.append(", ").append(toString(request.fault));
  if (request.processed && request.status != 200) line += ", processed";
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const LoggedRequest& request) {
  std::string line = tally::toString(request.time) + ' ';
  appendQuestion(line, request);
  appendResponse(line += ": ", request);
  return out << line;
}

}  // namespace tally::fake
