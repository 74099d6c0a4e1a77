#include "record/capture.h"

namespace gossamer::crawler {

std::size_t Capture::bytes() const noexcept {
  std::size_t bytes = request_head.size() + response_head.size() + payload.size();
  for (const Outlink& outlink : outlinks) bytes += outlink.url.size() + outlink.where.size();
  return bytes;
}

}  // namespace gossamer::crawler
