#include "report/phrases.h"

#include <fmt/format.h>

#include <array>
#include <utility>

namespace gossamer::report {

std::string_view describe(crawl::SkipReason reason) noexcept {
  static constexpr std::array<std::string_view, crawl::kSkipReasons> kTexts = {
      "it is asked for",
      "neither http nor https",
      "no URL at all",
      "longer than --max-url-length",
      "outside of the --scope",
      "an --exclude matches",
      "no --include matches",
      "further from a root than --depth",
      "its extension is among --skip-extensions",
      "the link or its page says nofollow",
      "robots.txt forbids it",
      "robots.txt could not be had, so nothing may be asked for",
      "the host wants longer pauses than we are ready to make",
      "the host did not answer for too long",
      "the host asked us to wait for longer than --max-wait",
      "the host has had as many as --host-limit allows",
      "the path has had as many queries as --path-limit allows",
      "trap: the same segments over and over",
      "trap: a path of too many segments",
      "trap: a calendar without end",
      "trap: the same path under ever new tokens",
      "trap: numbered pages without end that add nothing new",
      "trap: the domain has as many hosts as --max-hosts-per-domain allows",
      "found on a page that is the host's answer to everything",
      "more links than a page may bring",
      "a filter of the program says so",
      "it looks like the end of the session; --follow-logout follows it",
      "whoever watches the crawl wants no more of this host",
      "the crawl ended before its turn came",
  };
  return kTexts[static_cast<std::size_t>(reason)];
}

std::string_view name(crawl::EndReason end) noexcept {
  switch (end) {
    case crawl::EndReason::finished: return "finished";
    case crawl::EndReason::incomplete: return "incomplete";
    case crawl::EndReason::page_limit: return "page_limit";
    case crawl::EndReason::quota: return "quota";
    case crawl::EndReason::time_limit: return "time_limit";
    case crawl::EndReason::memory_limit: return "memory_limit";
    case crawl::EndReason::interrupted: return "interrupted";
    case crawl::EndReason::aborted: return "aborted";
    case crawl::EndReason::sink_failed: return "sink_failed";
    case crawl::EndReason::failed: return "failed";
  }
  return "";
}

std::string_view describe(crawl::EndReason end) noexcept {
  switch (end) {
    case crawl::EndReason::finished: return "nothing is left to be asked for";
    case crawl::EndReason::incomplete: return "incomplete: some hosts were unreachable";
    case crawl::EndReason::page_limit: return "ended by --limit";
    case crawl::EndReason::quota: return "ended by --quota";
    case crawl::EndReason::time_limit: return "ended by --max-time";
    case crawl::EndReason::memory_limit:
      return "stopped: it found more hosts than --memory has room for; use a larger --memory, a "
             "narrower --scope or a lower --max-hosts-per-domain";
    case crawl::EndReason::interrupted: return "interrupted";
    case crawl::EndReason::aborted: return "interrupted twice: fetches were given up";
    case crawl::EndReason::sink_failed: return "ended because results could not be written";
    case crawl::EndReason::failed: return "ended because it could not go on";
  }
  return "";
}

std::string_view status_phrase(int status) noexcept {
  static constexpr std::array<std::pair<int, std::string_view>, 36> kPhrases = {{
      {200, "OK"},
      {201, "Created"},
      {202, "Accepted"},
      {203, "Non-Authoritative"},
      {204, "No Content"},
      {206, "Partial Content"},
      {300, "Multiple Choices"},
      {301, "Moved Permanently"},
      {302, "Found"},
      {303, "See Other"},
      {304, "Not Modified"},
      {307, "Temporary Redirect"},
      {308, "Permanent Redirect"},
      {400, "Bad Request"},
      {401, "Unauthorized"},
      {402, "Payment Required"},
      {403, "Forbidden"},
      {404, "Not Found"},
      {405, "Method Not Allowed"},
      {406, "Not Acceptable"},
      {407, "Proxy Authentication"},
      {408, "Request Timeout"},
      {409, "Conflict"},
      {410, "Gone"},
      {414, "URI Too Long"},
      {418, "I'm a Teapot"},
      {421, "Misdirected Request"},
      {422, "Unprocessable"},
      {429, "Too Many Requests"},
      {451, "Legal Reasons"},
      {500, "Server Error"},
      {501, "Not Implemented"},
      {502, "Bad Gateway"},
      {503, "Unavailable"},
      {504, "Gateway Timeout"},
      {505, "Version Not Supported"},
  }};
  for (const auto& [known, phrase] : kPhrases) {
    if (known == status) return phrase;
  }
  return {};
}

std::string grouped(std::uint64_t number) {
  std::string text = fmt::format("{}", number);
  for (std::size_t at = text.size(); at > 3;) text.insert(at -= 3, 1, ',');
  return text;
}

std::string counted(std::uint64_t number, std::string_view what) {
  return fmt::format("{} {}{}", grouped(number), what, number == 1 ? "" : "s");
}

std::string byte_count(std::uint64_t bytes) {
  constexpr std::array<std::string_view, 5> kUnits = {"kB", "MB", "GB", "TB", "PB"};
  if (bytes < 1000) return fmt::format("{} B", bytes);
  double amount = static_cast<double>(bytes) / 1000;
  std::size_t unit = 0;
  for (; amount >= 999.95 && unit + 1 < kUnits.size(); ++unit) amount /= 1000;
  return fmt::format("{:.1f} {}", amount, kUnits[unit]);
}

std::string short_time(Duration duration) {
  const double seconds = std::chrono::duration<double>(duration).count();
  const auto three_digits = [](double value, std::string_view unit) {
    const int behind = value < 9.995 ? 2 : value < 99.95 ? 1 : 0;
    std::string text = fmt::format("{:.{}f}", value, behind);
    if (text.find('.') != std::string::npos) {
      while (text.ends_with('0')) text.pop_back();
      if (text.ends_with('.')) text.pop_back();
    }
    return fmt::format("{} {}", text, unit);
  };
  if (seconds <= 0) return "0 s";
  if (seconds < 0.9995e-3) return three_digits(seconds * 1e6, "us");
  if (seconds < 0.9995) return three_digits(seconds * 1e3, "ms");
  if (seconds < 59.5) return three_digits(seconds, "s");
  return base::to_string(std::chrono::round<std::chrono::seconds>(duration));
}

}  // namespace gossamer::report
