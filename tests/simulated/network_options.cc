#include "tests/simulated/network_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace gossamer::sim {

namespace {

// Draws a range within `bounds` around any middle: some worlds are narrow, some are wide.
Range<Duration> draw_range(const Range<Duration>& bounds, base::Random& random) {
  const Duration a = draw(bounds, random);
  const Duration b = draw(bounds, random);
  return {std::min(a, b), std::max(a, b)};
}

Range<std::size_t> draw_range(const Range<std::size_t>& bounds, base::Random& random) {
  const std::size_t a = draw(bounds, random);
  const std::size_t b = draw(bounds, random);
  return {std::min(a, b), std::max(a, b)};
}

// Half of the worlds do not have this fault, so that others can be observed alone.
double draw_fault(double most, base::Random& random) {
  const bool occurs = random.chance(0.5);
  return random.unit() * (occurs ? most : 0.0);
}

std::string text(const Range<Duration>& range) {
  return base::to_string(range.least) + " to " + base::to_string(range.most);
}

std::string text(const Range<std::size_t>& range) {
  return fmt::format("{} to {}", range.least, range.most);
}

}  // namespace

NetworkOptions NetworkOptions::stormy(base::Random& random) {
  NetworkOptions options;
  options.delay = draw_range({10us, 200ms}, random);
  options.jitter = draw({Duration::zero(), 100ms}, random);
  options.segment_bytes = draw_range({1, random.chance(0.5) ? 64u : 2048u}, random);
  options.window_bytes = draw_range({64, 8192}, random);
  options.short_receive = random.unit();
  options.deferred = random.unit();
  options.cancel_delay = draw_range({Duration::zero(), 2ms}, random);
  options.refused = draw_fault(0.2, random);
  options.unanswered = draw_fault(0.2, random);
  options.breaks = draw_fault(0.4, random);
  options.goes_silent = draw_fault(0.4, random);
  options.fault_after = draw_range({Duration::zero(), 20s}, random);
  options.lent_buffers_max = static_cast<std::uint32_t>(random.between(1, 8));
  options.lent_buffer_bytes = draw({16, 4096}, random);
  return options;
}

std::string describe(const NetworkOptions& options) {
  std::string lines;
  const auto line = [&](std::string_view name, const std::string& value) {
    lines += fmt::format("  {:<20}{}\n", name, value);
  };
  line("delay", text(options.delay));
  line("jitter", base::to_string(options.jitter));
  line("segment_bytes", text(options.segment_bytes));
  line("window_bytes", text(options.window_bytes));
  line("short_receive", fmt::format("{:.3f}", options.short_receive));
  line("deferred", fmt::format("{:.3f}", options.deferred));
  line("cancel_delay", text(options.cancel_delay));
  line("refused", fmt::format("{:.3f}", options.refused));
  line("unanswered", fmt::format("{:.3f}", options.unanswered));
  line("breaks", fmt::format("{:.3f}", options.breaks));
  line("goes_silent", fmt::format("{:.3f}", options.goes_silent));
  line("fault_after", text(options.fault_after));
  line("lent_buffers_max", fmt::format("{}", options.lent_buffers_max));
  line("lent_buffer_bytes", fmt::format("{}", options.lent_buffer_bytes));
  return lines;
}

}  // namespace gossamer::sim
