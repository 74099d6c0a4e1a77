#include "engine/page_readings.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <utility>

namespace gossamer::crawler {
namespace {

// The readings that are kept for further pages, at most, and their part of the memory for bodies.
constexpr std::size_t kReadingsKept = 32;
constexpr std::size_t kReadingBytesKept = sizeof(PageReading) + 128 * 1024;
constexpr std::uint64_t kPartKept = 16;

}  // namespace

std::unique_ptr<PageReading> PageReadings::borrow() {
  std::unique_ptr<PageReading> reading;
  if (unused_.empty()) {
    reading = std::make_unique<PageReading>(settings_.scope.links_per_page_max,
                                            body_shares(settings_).links);
  } else {
    reading = std::move(unused_.back());
    unused_.pop_back();
  }
  contents_.prepare(*reading);
  rendering_.prepare(*reading, contents_.is_wanted());
  if (settings_.avoids_logout || settings_.keeps_links) reading->keep_anchor_texts();
  if (settings_.keeps_validators) reading->keep_text_digest();
  if (settings_.mines_scripts) reading->mine_scripts();
  return reading;
}

void PageReadings::give_back(std::unique_ptr<PageReading> reading) {
  reading->drop_page();
  const std::uint64_t kept_max = body_shares(settings_).bodies / kPartKept / kReadingBytesKept;
  // Frees the buffers of a burst, and those that one huge page enlarged.
  if (unused_.size() < std::clamp<std::uint64_t>(kept_max, 1, kReadingsKept) &&
      reading->bytes_held() < kReadingBytesKept) {
    unused_.push_back(std::move(reading));
  }
}

}  // namespace gossamer::crawler
