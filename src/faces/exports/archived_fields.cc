#include "exports/archived_fields.h"

#include <utility>
#include <vector>

#include "engine/page/capturing.h"
#include "html/links/link.h"
#include "settings/job_settings.h"

namespace gossamer::exports {
namespace {

class NoBody final : public warc::PayloadSink {
 public:
  void put(Bytes) override {}
};

// The crawl reads the links of these records.
bool has_links(const crawler::FetchRecord& record) {
  const bool is_page = *record.status >= 200 && *record.status < 300 && !record.is_leaf &&
                       record.error != crawler::kUnwantedType;
  return is_page && captures::may_have_links(record);
}

}  // namespace

ArchivedFields::ArchivedFields(const store::JobFolder& folder,
                               std::span<const crawler::ChosenField> fields)
    : answers_(folder.archive()),
      links_(folder.archive()),
      url_bytes_max_(run::stored_url_bytes_max(folder)) {
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
  const bool reads_links = wants_links_ && has_links(record_);
  if (!reads_links && !wants_head_) return {};
  if (!record_.archive) return fail(Errc::not_found, "it is not archived");
  if (wants_head_) {
    NoBody body;
    auto answer = answers_.read(*record_.archive, body, 1);
    if (!answer) return fail(std::move(answer).error());
    if (answer->http) record_.head = std::move(answer->http->raw);
  }
  return reads_links ? read_links() : Result<void>();
}

Result<void> ArchivedFields::read_links() {
  std::vector<crawler::PageLink> links;
  std::size_t bytes = 0;
  auto read = links_.for_each(record_, [&](const captures::ArchivedLink& link) {
    if (link.href.size() > url_bytes_max_) return true;
    links.push_back({.url = std::string(link.href),
                     .kind = html::name(link.kind),
                     .text = std::string(link.text),
                     .rel = std::string(link.rel)});
    bytes += crawler::bytes_of(links.back());
    return bytes < crawler::kOutlinksBytesMax;
  });
  if (read) record_.links = std::move(links);
  return read;
}

}  // namespace gossamer::exports
