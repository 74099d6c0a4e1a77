#include "captures/archived_links.h"

#include <optional>
#include <utility>

#include "html/encoding/encoder.h"
#include "html/link_list.h"
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

}  // namespace

void for_each_link(const crawler::PageReading& reading, const url::Url& page, UseLink use) {
  const html::LinkList& links = reading.links();
  const url::Url base = html::document_base(page, links.base());
  std::optional<html::Encoder> encoder;
  if (reading.encoding()) encoder.emplace(*reading.encoding());
  url::Url target;
  for (std::size_t i = 0; i < links.size(); ++i) {
    const html::LinkList::Entry entry = links[i];
    const html::Link& link = entry.link;
    if (target.assign(link.url, &base, encoder ? &*encoder : nullptr) != url::UrlFailure::none) {
      continue;
    }
    const std::string_view hash = target.hash();
    const bool is_wanted = use({.url = target.without_fragment(),
                                .fragment = hash.substr(hash.empty() ? 0 : 1),
                                .kind = link.kind,
                                .tag = html::name(link.tag),
                                .attribute = html::name(link.attribute),
                                .rel = link.rel_text,
                                .text = entry.text});
    if (!is_wanted) return;
  }
}

ArchivedLinks::ArchivedLinks(std::string folder) : answers_(std::move(folder)) {
  reading_.keep_anchor_texts();
}

Result<void> ArchivedLinks::for_each(const crawler::FetchRecord& record, UseLink use) {
  const auto url = url::Url::parse(record.url);
  const crawler::BodyKind kind =
      crawler::body_kind(wire::MimeType::parse(record.mime), {.css = true});
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
