#include "frontier/url_reader.h"

#include "base/check.h"
#include "frontier/origin.h"

namespace gossamer::crawler {

url::UrlFailure UrlReader::read(std::string_view text, url::Url& url) {
  const url::UrlFailure failure = url.assign_beside(text, last_);
  if (failure == url::UrlFailure::none && origin_text(url) != origin_text(last_)) {
    CHECK(last_.assign(origin_text(url)) == url::UrlFailure::none);
  }
  return failure;
}

}  // namespace gossamer::crawler
