#include "captures/archived_links.h"

#include <utility>

#include "html/resolved_links.h"
#include "html/token/names.h"
#include "wire/content_type.h"

namespace gossamer::captures {
namespace {

class ReadingSink final : public warc::PayloadSink {
 public:
  explicit ReadingSink(crawler::PageReading& reading) : reading_(reading) {}
  void put(Bytes piece) override { reading_.feed(piece); }

 private:
  crawler::PageReading& reading_;
};

crawler::BodyKind kind_of(const crawler::FetchRecord& record) {
  return crawler::body_kind(wire::MimeType::parse(record.mime), {.css = true});
}

}  // namespace

bool may_have_links(const crawler::FetchRecord& record) {
  return kind_of(record) != crawler::BodyKind::opaque;
}

void for_each_link(const crawler::PageReading& reading, const url::Url& page, UseLink use) {
  html::ResolvedLinks links(reading.links(), page, reading.encoding());
  while (links.next()) {
    if (links.url() == nullptr) continue;
    const html::Link& link = links.entry().link;
    const std::string_view hash = links.url()->hash();
    const bool is_wanted = use({.href = links.url()->href(),
                                .url = links.url()->without_fragment(),
                                .fragment = hash.substr(hash.empty() ? 0 : 1),
                                .kind = link.kind,
                                .tag = html::name(link.tag),
                                .attribute = html::name(link.attribute),
                                .rel = link.rel_text,
                                .text = links.entry().text});
    if (!is_wanted) return;
  }
}

ArchivedLinks::ArchivedLinks(std::string folder) : answers_(std::move(folder)) {
  reading_.keep_anchor_texts();
}

Result<void> ArchivedLinks::for_each(const crawler::FetchRecord& record, UseLink use) {
  const auto url = url::Url::parse(record.url);
  const crawler::BodyKind kind = kind_of(record);
  if (!record.archive || !url || kind == crawler::BodyKind::opaque) return {};
  reading_.begin(kind, record.charset, "");
  ReadingSink sink(reading_);
  if (auto read = answers_.read(*record.archive, sink); !read) {
    return fail(std::move(read).error());
  }
  reading_.finish();
  for_each_link(reading_, *url, std::move(use));
  return {};
}

}  // namespace gossamer::captures
