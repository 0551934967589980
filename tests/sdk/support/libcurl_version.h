#pragma once

#include <curl/curl.h>

namespace tally::test {

/// Whether the libcurl that runs has version 8 or later: it takes some broken responses in another way.
inline bool isLibcurl8() {
  return curl_version_info(CURLVERSION_NOW)->version_num >= 0x08'00'00;
}

}  // namespace tally::test
