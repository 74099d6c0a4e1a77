// Finds the images, styles and other parts of an archived page that are not archived.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"
#include "captures/collection.h"

namespace gossamer::captures {

// A part of a page that is not archived.
struct MissingPart {
  std::string url;
  std::string_view kind;  // "image"
  std::string from;       // the page or the style sheet
};
struct MissingParts {
  std::string url;  // as archived
  WallTime at;
  std::size_t parts = 0;
  std::vector<MissingPart> missing;
};
// Where replay takes the parts of a page from: with scripts, each crawl has a token of its own.
enum class PartsFrom : std::uint8_t { all_crawls, own_crawl };
// Reads a page and its style sheets. Fails with Errc::not_found if the page is not archived. It
// blocks. BOUND: 2,000 parts, 50 style sheets. Ends early if the limit is over.
Result<MissingParts> find_missing_parts(const Collection& collection, const std::string& url,
                                        std::optional<WallTime> at, PartsFrom parts_from,
                                        const WorkLimit& limit = WorkLimit::none());

}  // namespace gossamer::captures
