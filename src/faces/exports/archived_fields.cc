#include "exports/archived_fields.h"

#include <utility>

#include "engine/page/capturing.h"
#include "html/links/link.h"

namespace gossamer::exports {
namespace {

class NoBody final : public warc::PayloadSink {
 public:
  void put(Bytes) override {}
};

}  // namespace

ArchivedFields::ArchivedFields(const std::string& folder,
                               std::span<const crawler::ChosenField> fields)
    : answers_(folder), links_(folder) {
  for (const crawler::ChosenField& chosen : fields) {
    wants_links_ = wants_links_ || chosen.field->name == crawler::kLinksField;
    wants_head_ = wants_head_ || chosen.field->name == crawler::kHeadersField;
  }
}

const crawler::FetchRecord& ArchivedFields::complete(const crawler::FetchRecord& stored) {
  if (!stored.status || (!wants_links_ && !wants_head_)) return stored;
  record_ = stored;
  if (auto done = read(); !done && missing_++ == 0) {
    first_missing_ = record_.url + ": " + done.error().message();
  }
  return record_;
}

Result<void> ArchivedFields::read() {
  if (!record_.archive) return fail(Errc::not_found, "it is not archived");
  if (wants_head_) {
    NoBody body;
    auto answer = answers_.read(*record_.archive, body, 1);
    if (!answer) return fail(std::move(answer).error());
    if (answer->http) record_.head = std::move(answer->http->raw);
  }
  if (!wants_links_) return {};
  std::size_t bytes = 0;
  return links_.for_each(record_, [&](const captures::ArchivedLink& link) {
    std::string url(link.url);
    if (!link.fragment.empty()) url.append("#").append(link.fragment);
    record_.links.push_back({.url = std::move(url),
                             .kind = html::name(link.kind),
                             .text = std::string(link.text),
                             .rel = std::string(link.rel)});
    bytes += crawler::bytes_of(record_.links.back());
    return bytes < crawler::kOutlinksBytesMax;
  });
}

}  // namespace gossamer::exports
