#include "exports/markdown_export.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "base/json.h"
#include "captures/archived_answers.h"
#include "content/main_content.h"
#include "content/markdown.h"
#include "dom/parse.h"
#include "exports/mirror_folder.h"
#include "html/encoding/stream.h"
#include "html/page_reader.h"
#include "mirror/names.h"
#include "url/url.h"

namespace gossamer::exports {
namespace {

// BOUND: the rest of a longer page is not read.
constexpr std::size_t kMarkdownPageBytesMax = 64 * 1024 * 1024;
constexpr std::string_view kHtmlEnding = ".html";

class PageText final : public warc::PayloadSink {
 public:
  void put(Bytes piece) override {
    if (bytes_.size() < kMarkdownPageBytesMax) bytes_ += as_text(piece);
  }
  const std::string& bytes() const { return bytes_; }

 private:
  std::string bytes_;
};

bool is_page(const crawler::FetchRecord& record) {
  const bool is_html = record.mime == "text/html" || record.mime == "application/xhtml+xml" ||
                       (record.mime.empty() && !record.charset.empty());
  return is_html && record.archive && record.status && *record.status >= 200 &&
         *record.status < 300 && record.error != crawler::kUnwantedType;
}

// Returns when the page says that it was published, as written; empty: it does not say.
std::string_view date_of(const html::PageFacts& facts) {
  constexpr auto kNames = std::to_array<std::string_view>(
      {"article:published_time", "og:article:published_time", "datePublished"});
  for (const std::string_view name : kNames) {
    for (const auto& property : facts.properties) {
      if (property.name == name) return property.content;
    }
  }
  return {};
}

// A string of JSON is a string of YAML, too.
void add_line(std::string& out, std::string_view name, std::string_view value) {
  if (value.empty()) return;
  out.append(name).append(": ");
  base::append_json_string(out, value);
  out += '\n';
}

std::string front_matter(const crawler::FetchRecord& record, const html::PageFacts& facts) {
  std::string out = "---\n";
  add_line(out, "url", record.url);
  add_line(out, "title", facts.title);
  add_line(out, "date", date_of(facts));
  add_line(out, "lang", facts.language);
  add_line(out, "fetched", base::to_rfc3339(record.ts));
  return out + "---\n\n";
}

// Ignores links and text.
class NoConsumer final : public html::PageConsumer {};

class MarkdownExport {
 public:
  MarkdownExport(const store::StoredCrawl& kept, MirrorFolder folder,
                 std::move_only_function<void(std::string_view)> on_fault)
      : kept_(kept),
        answers_(kept.folder().archive()),
        folder_(std::move(folder)),
        on_fault_(std::move(on_fault)) {}

  Result<MarkdownSummary> run() {
    auto read = kept_.for_each_page([this](const crawler::FetchRecord& record) {
      if (is_page(record)) write(record);
      return !failure_;
    });
    if (!read) return fail(read.error().code(), "the tables: " + read.error().message());
    if (failure_) return fail(std::move(*failure_));
    if (const auto done = folder_.commit(); !done) {
      return fail(Errc::io_failed, done.error().message());
    }
    return summary_;
  }

 private:
  void write(const crawler::FetchRecord& record) {
    const auto url = url::Url::parse(record.url);
    if (!url) return;
    // A part of a page would look like all of it.
    if (!record.error.empty()) return note_fault(record, record.error_detail);
    PageText bytes;
    const auto read = answers_.read(*record.archive, bytes);
    if (!read || !read->is_whole) {
      return note_fault(record, read ? "its body is incomplete" : read.error().message());
    }
    const std::string text = text_of(record, *url, bytes.bytes());
    if (text.empty()) {
      ++summary_.empty;
      return;
    }
    std::string name = names_.name_for(*url, "text/html");
    if (name.ends_with(kHtmlEnding)) name.resize(name.size() - kHtmlEnding.size());
    auto file = folder_.create(name + ".md");
    auto written = file ? file->write(as_bytes(text)) : fail(std::move(file).error());
    if (!written) failure_ = Error(Errc::io_failed, name + ".md: " + written.error().message());
    ++summary_.files;
  }

  void note_fault(const crawler::FetchRecord& record, std::string_view why) {
    ++summary_.faults;
    on_fault_(fmt::format("{}: it is not exported: {}", record.url, why));
  }

  // Returns the whole file; empty: the page has no text.
  static std::string text_of(const crawler::FetchRecord& record, const url::Url& url,
                             const std::string& bytes) {
    html::DecodingStream decoder(
        {.kind = html::DocumentKind::html, .transport = html::encoding_from_label(record.charset)});
    std::string scratch;
    std::string page(decoder.decode(bytes, scratch));
    page += decoder.finish(scratch);
    const dom::Document document = dom::parse(page);
    const html::Encoding encoding =
        decoder.sniffed() ? decoder.sniffed()->encoding : html::Encoding::utf_8;
    const std::string markdown =
        content::to_markdown(content::find_main_content(document), document,
                             {.place = {.url = &url, .encoding = encoding}});
    if (markdown.empty()) return {};
    NoConsumer nothing;
    html::PageReader reader({.links = false, .facts = true}, nothing);
    reader.feed(page);
    reader.finish();
    return front_matter(record, reader.facts()) + markdown;
  }

  const store::StoredCrawl& kept_;
  captures::ArchivedAnswers answers_;
  MirrorFolder folder_;
  std::move_only_function<void(std::string_view)> on_fault_;
  mirror::Names names_;
  MarkdownSummary summary_;
  std::optional<Error> failure_;
};

}  // namespace

Result<MarkdownSummary> export_markdown(const store::StoredCrawl& kept, const std::string& folder,
                                        std::move_only_function<void(std::string_view)> on_fault) {
  auto opened = MirrorFolder::open(folder);
  if (!opened) {
    if (opened.error() == Errc::exists) return fail(std::move(opened).error());
    return fail(Errc::io_failed, opened.error().message());
  }
  return MarkdownExport(kept, std::move(*opened), std::move(on_fault)).run();
}

}  // namespace gossamer::exports
