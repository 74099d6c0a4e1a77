#include "report/phrases.h"

namespace gossamer::report {

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

}  // namespace gossamer::report
