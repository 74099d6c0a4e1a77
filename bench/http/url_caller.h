#pragma once

#include <string>
#include <utility>

#include "base/check.h"
#include "http/request_source.h"
#include "url/url.h"

namespace gossamer::bench {

// The minimum of a caller: a URL, from which it makes a request when needed.
class UrlCaller final : public http::RequestSource {
 public:
  explicit UrlCaller(std::string url) : url_(std::move(url)) {}

  const http::Request& request(http::Request& room) const override {
    CHECK(room.url.assign(url_) == url::UrlFailure::none);
    return room;
  }
  void note(http::ExchangeStep /*step*/) noexcept override {}

 private:
  std::string url_;
};

}  // namespace gossamer::bench
