// Captures exchanges, while they happen.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include "async/task.h"
#include "base/errc.h"
#include "base/result.h"
#include "engine/page/page_reading.h"
#include "http/response.h"
#include "record/body_file.h"
#include "record/capture.h"
#include "record/page_sink.h"
#include "record/record.h"
#include "url/url.h"

namespace gossamer::crawler {

// BOUND: a longer payload goes to a file.
inline constexpr std::size_t kPayloadBytesInMemory = 256 * 1024;
// Returns whether it is time for store_payload(), while a body arrives.
bool is_payload_large(const Capture& capture, bool is_memory_short = false) noexcept;
// Moves the payload so far to its file. Fails as BodyFile does. BORROWS: both.
async::Task<Result<void>> store_payload(Capture& capture, BodyFiles& files);
// Returns the announced length, up to what is in memory.
std::size_t payload_bytes_expected(const wire::ResponseHead& head) noexcept;
// Captures the heads of a response before its body is read.
Capture begin_capture(const http::Response& response);
// Returns why a capture is incomplete after its body was read; `trouble` is how the body failed.
Cut cut_of(const Capture& capture, const http::Response& response,
           std::optional<Errc> trouble) noexcept;
// BOUND: the bytes of all links of a page.
inline constexpr std::size_t kOutlinksBytesMax = 32 * 1024 * 1024;
// Collects all links of a page, with repetitions, in steps. Omits URLs longer than `url_bytes_max`
// and those beyond the bound. BORROWS: both.
async::Task<std::vector<Capture::Outlink>> outlinks_of(const PageReading& page, const url::Url& url,
                                                       std::size_t url_bytes_max);
// Returns the memory of a page after its body, with its links and what is made of them.
std::size_t bytes_after_body(const PageReading& reading, const Page& page, bool keeps_outlinks,
                             bool keeps_links);
// Collects them for the record of the page. BORROWS: both.
async::Task<std::vector<PageLink>> links_of(const PageReading& page, const url::Url& url,
                                            std::size_t url_bytes_max);

}  // namespace gossamer::crawler
