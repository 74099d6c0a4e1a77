#include "bench/servers/answer.h"

#include <charconv>

#include "base/check.h"

namespace gossamer::bench {

void FetchProgress::note_time() {
  const CpuTime cpu = process_cpu_time();
  const double wall_us = wall_ns() / 1000;
  if (!over()) {
    cost_ = {.cpu = cpu, .wall_us = wall_us};
    return;
  }
  cost_ = {.answers = static_cast<double>(end_at_ - begin_at_),
           .cpu = cpu - cost_.cpu,
           .wall_us = wall_us - cost_.wall_us};
}

std::size_t AnswerScan::read_head(std::string_view bytes) {
  constexpr std::string_view kEnd = "\r\n\r\n";
  constexpr std::string_view kLength = "\r\nContent-Length: ";
  const std::size_t end = bytes.find(kEnd);
  CHECK(bytes.starts_with("HTTP/1.1 200 ") && end != bytes.npos, "an answer of {} bytes: {}",
        bytes.size(), bytes.substr(0, 200));
  const std::string_view head = bytes.substr(0, end + kEnd.size());
  const std::size_t length = head.find(kLength);
  CHECK(length != head.npos, "no Content-Length: {}", head);
  const char* const digits = head.data() + length + kLength.size();
  std::from_chars(digits, head.data() + head.size(), left_);
  return head.size();
}

}  // namespace gossamer::bench
