#include "engine/page/capturing.h"

#include <algorithm>
#include <charconv>
#include <string_view>

#include "async/sleep.h"
#include "engine/page/page_links.h"
#include "html/encoding/encoder.h"
#include "html/link_list.h"
#include "html/token/names.h"

namespace gossamer::crawler {
namespace {

// The format of Heritrix: the kind of hop, the element, the attribute.
std::string where_of(const html::Link& link) {
  std::string where = link.kind == html::LinkKind::page ? "L " : "E ";
  where += html::name(link.tag);
  if (link.attribute != html::AttributeId::other) {
    where.append("/@").append(html::name(link.attribute));
  }
  return where;
}

// Large enough that writes are cheap.
constexpr std::size_t kStoredStepBytes = 128 * 1024;
constexpr std::size_t kStoredStepBytesMin = 16 * 1024;

// Returns the announced length, up to a limit.
std::size_t bytes_expected(const wire::ResponseHead& head) {
  constexpr std::size_t kMost = kPayloadBytesInMemory;
  const std::string_view length = head.find("Content-Length").value_or("");
  std::size_t bytes = 0;
  std::from_chars(length.data(), length.data() + length.size(), bytes);
  return std::min(bytes, kMost);
}

}  // namespace

bool is_payload_large(const Capture& capture, bool is_memory_short) noexcept {
  if (is_memory_short) return capture.payload.size() >= kStoredStepBytesMin;
  return capture.payload.size() >= (capture.file ? kStoredStepBytes : kPayloadBytesInMemory);
}

async::Task<Result<void>> store_payload(Capture& capture, BodyFiles& files) {
  if (!capture.file) {
    auto file = co_await BodyFile::create(files);
    if (!file) co_return fail(std::move(file).error());
    capture.file = std::move(*file);
  }
  auto stored = co_await capture.file->append(as_bytes(capture.payload));
  capture.payload = {};
  co_return stored;
}

Capture begin_capture(const http::Response& response) {
  Capture capture;
  capture.request_head = response.request_head();
  capture.response_head = response.head().raw();
  capture.payload.reserve(bytes_expected(response.head()));
  return capture;
}

Cut cut_of(const Capture& capture, const http::Response& response,
           std::optional<Errc> trouble) noexcept {
  // A limit may cut the last bytes that were received.
  const bool is_whole = capture.payload_bytes() == response.body_bytes();
  if (response.is_complete() && is_whole) return Cut::none;
  switch (trouble.value_or(Errc::cancelled)) {
    case Errc::over_limit: return Cut::length;
    case Errc::timed_out: return Cut::time;
    case Errc::peer_closed:
    case Errc::reset: return Cut::disconnect;
    default: return Cut::unread;
  }
}

async::Task<std::vector<Capture::Outlink>> outlinks_of(const PageReading& page, const url::Url& url,
                                                       std::size_t url_bytes_max) {
  std::vector<Capture::Outlink> outlinks;
  const html::LinkList& links = page.links();
  if (links.size() == 0) co_return outlinks;
  const url::Url base = html::document_base(url, links.base(), url_bytes_max);
  std::optional<html::Encoder> encoder;
  if (page.encoding()) encoder.emplace(*page.encoding());
  url::Url resolved;
  std::size_t bytes = 0;
  std::size_t work = 0;
  for (std::size_t i = 0; i < links.size() && bytes < kOutlinksBytesMax; ++i) {
    if (work >= PageLinks::kStepWork) {
      if (!(co_await async::yield_now())) break;
      work = 0;
    }
    const html::Link link = links[i].link;
    work += PageLinks::kLinkWork + link.url.size() + base.href().size();
    if (resolved.assign(link.url, &base, encoder ? &*encoder : nullptr) != url::UrlFailure::none) {
      continue;
    }
    if (resolved.href().size() > url_bytes_max) continue;
    outlinks.push_back({resolved.href(), where_of(link)});
    bytes += sizeof(Capture::Outlink) + resolved.href().size();
  }
  co_return outlinks;
}

}  // namespace gossamer::crawler
