#include "engine/page_readings.h"

#include <cstddef>
#include <utility>

namespace gossamer::crawler {
namespace {

// The readings that are kept for further pages.
constexpr std::size_t kReadingsKept = 32;
constexpr std::size_t kReadingBytesKept = 128 * 1024;

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
  rendering_.prepare(*reading);
  if (settings_.avoids_logout || settings_.keeps_links) reading->keep_anchor_texts();
  if (settings_.keeps_validators) reading->keep_text_digest();
  if (settings_.mines_scripts) reading->mine_scripts();
  return reading;
}

void PageReadings::give_back(std::unique_ptr<PageReading> reading) {
  reading->drop_page();
  // Frees the buffers of a burst, and those that one huge page enlarged.
  if (unused_.size() < kReadingsKept && reading->bytes_held() < kReadingBytesKept) {
    unused_.push_back(std::move(reading));
  }
}

}  // namespace gossamer::crawler
