#include "crawl/statistics.h"

namespace gossamer::crawl {
namespace {

void count(std::map<std::string, std::uint64_t, std::less<>>& counts, std::string_view what) {
  auto found = counts.find(what);
  if (found == counts.end()) {
    const bool is_full = counts.size() >= Statistics::kNamesMax;
    found = counts.try_emplace(is_full ? "other" : std::string(what)).first;
  }
  ++found->second;
}

}  // namespace

void Statistics::add(const FetchRecord& record) {
  ++pages;
  if (record.status) {
    ++answered;
    ++by_status[*record.status];
  }
  if (!record.next_url.empty()) ++redirects;
  if (!record.error.empty()) {
    ++failed;
    count(by_error, record.error);
  }
  if (!record.mime.empty()) count(by_type, record.mime);
  if (!record.duplicate_of.empty()) ++duplicates;
  retries += record.tries - 1;
  bytes += record.bytes;
  wire_bytes += record.wire_bytes;
  links_found += record.links_found;
  links_new += record.links_new;
}

}  // namespace gossamer::crawl
