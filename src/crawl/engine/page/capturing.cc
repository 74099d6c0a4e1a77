#include "engine/page/capturing.h"

#include <algorithm>
#include <charconv>
#include <string>
#include <string_view>

#include "async/sleep.h"
#include "engine/page/page_links.h"
#include "html/resolved_links.h"
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
// Of one page: what PageLinks notes about each link, and what a link in the capture takes besides
// its text.
constexpr std::size_t kLinkNotesBytes = 64;
constexpr std::size_t kOutlinkBytes = sizeof(Capture::Outlink) + 64;
constexpr std::size_t kPageLinkBytes = sizeof(PageLink) + 64;

}  // namespace

std::size_t payload_bytes_expected(const wire::ResponseHead& head) noexcept {
  const std::string_view length = head.find("Content-Length").value_or("");
  std::size_t bytes = 0;
  std::from_chars(length.data(), length.data() + length.size(), bytes);
  return std::min(bytes, kPayloadBytesInMemory);
}

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

namespace {

// Passes each link that is a URL to `use`, which returns the bytes that it keeps. BORROWS: both.
template <class Use>
async::Task<void> for_each_link(const PageReading& page, const url::Url& url,
                                std::size_t url_bytes_max, Use use) {
  if (page.links().size() == 0) co_return;
  html::ResolvedLinks links(page.links(), url, page.encoding(), url_bytes_max);
  std::size_t bytes = 0;
  std::size_t work = 0;
  while (bytes < kOutlinksBytesMax && links.next()) {
    if (work >= PageLinks::kStepWork) {
      if (!(co_await async::yield_now())) co_return;
      work = 0;
    }
    work += PageLinks::kLinkWork + links.entry().link.url.size() + links.base().href().size();
    if (links.url() == nullptr || links.url()->href().size() > url_bytes_max) continue;
    bytes += use(*links.url(), links.entry());
  }
}

}  // namespace

std::size_t bytes_after_body(const PageReading& reading, const Page& page, bool keeps_outlinks,
                             bool keeps_links) {
  const html::LinkList& links = reading.links();
  std::size_t bytes = reading.bytes_held() + page.bytes() + links.size() * kLinkNotesBytes;
  if (keeps_outlinks) bytes += links.size() * kOutlinkBytes + links.text_bytes();
  if (keeps_links) bytes += links.size() * kPageLinkBytes + links.text_bytes();
  return bytes;
}

async::Task<std::vector<Capture::Outlink>> outlinks_of(const PageReading& page, const url::Url& url,
                                                       std::size_t url_bytes_max) {
  std::vector<Capture::Outlink> outlinks;
  co_await for_each_link(page, url, url_bytes_max,
                         [&](const url::Url& target, const html::LinkList::Entry& entry) {
                           outlinks.push_back({target.href(), where_of(entry.link)});
                           return sizeof(Capture::Outlink) + target.href().size();
                         });
  co_return outlinks;
}

async::Task<std::vector<PageLink>> links_of(const PageReading& page, const url::Url& url,
                                            std::size_t url_bytes_max) {
  std::vector<PageLink> links;
  co_await for_each_link(page, url, url_bytes_max,
                         [&](const url::Url& target, const html::LinkList::Entry& entry) {
                           links.push_back({.url = target.href(),
                                            .kind = html::name(entry.link.kind),
                                            .text = std::string(entry.text),
                                            .rel = std::string(entry.link.rel_text)});
                           return bytes_of(links.back());
                         });
  co_return links;
}

}  // namespace gossamer::crawler
