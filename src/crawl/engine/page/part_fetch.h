#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "async/task.h"
#include "base/result.h"
#include "base/time.h"
#include "http/client.h"
#include "http/request.h"
#include "http/response.h"
#include "record/capture.h"
#include "render/parts.h"
#include "url/url.h"
#include "wire/cookie_jar.h"
#include "wire/response_head.h"

namespace gossamer::crawler {

// BOUND: a part of a page that is rendered.
inline constexpr std::size_t kPartBytesMax = std::size_t{8} * 1024 * 1024;

std::vector<http::Field> fields_of(const wire::ResponseHead& head);

// Adds the cookies whose names are not in the request yet. Those that are there come from the
// browser, whose scripts may have set them. A page on another host is a third party.
void add_cookies(http::Request& request, const url::Url& page, wire::CookieJar& cookies,
                 WallTime now);

// Whether a page may request this. A host that the user typed may be local; that is no reason to
// let pages look for other servers there, or to let other pages look at it.
bool may_request(const http::Client& client, const url::Url& page, const url::Url& part);

struct FetchedPart {
  Result<render::PartAnswer> answer;
  std::uint64_t wire_bytes = 0;           // received, also if there is no answer
  std::optional<Exchange> exchange = {};  // for archives, if it is wanted
};
// Changes a request after a 401. Returns true if it shall be sent again.
using AnswerChallenge =
    std::move_only_function<bool(http::Request& request, const wire::ResponseHead& head)>;
struct PartFetching {
  http::Client& client;
  wire::CookieJar& cookies;
  WallTime now;
  AnswerChallenge* answer_challenge = nullptr;  // nullptr: it gets none
  bool captures = false;                        // whether the exchange is wanted
};
// Fetches a part of a page, and takes its cookies. BORROWS: all.
async::Task<FetchedPart> fetch_part(PartFetching how, http::Request& request);

}  // namespace gossamer::crawler
