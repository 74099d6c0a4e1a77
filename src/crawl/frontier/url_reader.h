#pragma once

#include <string_view>

#include "url/url.h"

namespace gossamer::crawler {

// Parses URLs like Url::assign(), but faster where they have the host of the one before.
class UrlReader {
 public:
  [[nodiscard]] url::UrlFailure read(std::string_view text, url::Url& url);

 private:
  url::Url last_;  // without its path, since a long one would reserve too much memory
};

}  // namespace gossamer::crawler
