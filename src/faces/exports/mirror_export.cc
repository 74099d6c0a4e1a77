#include "exports/mirror_export.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "captures/archived_answers.h"
#include "exports/mirror_folder.h"
#include "mirror/names.h"
#include "mirror/pages.h"
#include "mirror/rewrite.h"

namespace gossamer::exports {
namespace {

// BOUND: larger documents are copied with their links as they are.
constexpr std::size_t kRewrittenBytesMax = 64 * 1024 * 1024;

bool is_archived(const crawler::FetchRecord& record) {
  return record.status && *record.status >= 200 && *record.status < 300 && record.archive;
}

// A part of a body would look like all of it, and of an unwanted type there is no body.
bool has_copy(const crawler::FetchRecord& record) {
  return is_archived(record) && record.error.empty();
}

// A body without a type was read as a page if it looked like one, and then it has an encoding.
std::string_view type_of(const crawler::FetchRecord& record) {
  const bool is_page = record.mime.empty() && !record.charset.empty();
  return is_page ? std::string_view("text/html") : std::string_view(record.mime);
}

bool is_html(std::string_view mime) {
  return mime == "text/html" || mime == "application/xhtml+xml";
}

bool may_be_manifest(std::string_view mime) {
  return mime == "application/manifest+json" || mime == "application/json";
}

bool has_links_to_copies(const crawler::FetchRecord& record) {
  const std::string_view mime = type_of(record);
  return is_html(mime) || mime == "text/css" || may_be_manifest(mime);
}

using RewriteFunction = std::string (*)(std::string_view, const mirror::Document&,
                                        const mirror::Pages&);

Error failure_of_body(const crawler::FetchRecord& record) {
  return {Errc::malformed,
          fmt::format("it is not copied, since its body is incomplete ({})", record.error_detail)};
}

std::uint64_t decoded_bytes_max(const crawler::FetchRecord& record) {
  return std::max(record.bytes + 1, captures::ArchivedAnswers::kDecodedBytes);
}

// Receives a payload: in memory if its links must be rewritten, else in its file.
class CopySink final : public warc::PayloadSink {
 public:
  CopySink(MirrorFile file, bool is_gathering) : file_(std::move(file)), gathers_(is_gathering) {}

  void put(Bytes piece) override {
    if (gathers_ && text_.size() + piece.size() <= kRewrittenBytesMax) {
      text_ += as_text(piece);
      return;
    }
    flush();
    write(piece);
  }
  // The whole body is in memory, and nothing is written yet.
  bool has_text() const { return gathers_; }
  const std::string& text() const { return text_; }

  void write(Bytes piece) {
    if (!written_) return;
    written_ = file_.write(piece);
  }
  Result<void> finish() { return std::move(written_); }

 private:
  void flush() {
    if (!std::exchange(gathers_, false)) return;
    write(as_bytes(text_));
    text_ = {};
  }

  MirrorFile file_;
  bool gathers_;
  std::string text_;
  Result<void> written_;
};

class MirrorExport {
 public:
  MirrorExport(const store::StoredCrawl& kept, std::string path, MirrorFolder folder,
               std::move_only_function<void(std::string_view)> on_fault)
      : kept_(kept),
        path_(std::move(path)),
        answers_(kept.folder().archive()),
        folder_(std::move(folder)),
        on_fault_(std::move(on_fault)) {}

  Result<MirrorSummary> run() {
    auto read = kept_.for_each_page([this](const crawler::FetchRecord& record) {
      name(record);
      return true;
    });
    // First the files that have no links to others: if one is incomplete, links lead to the web.
    for (const bool has_links : {false, true}) {
      if (!read || failure_) break;
      read = kept_.for_each_page([this, has_links](const crawler::FetchRecord& record) {
        return has_links_to_copies(record) != has_links || copy(record);
      });
    }
    if (!read) return fail(read.error().code(), "the tables: " + read.error().message());
    if (failure_) return fail(std::move(*failure_));
    if (!has_pages_) {
      return fail(Errc::not_found, kept_.folder().path() + ": its archive has no pages");
    }
    if (const auto done = folder_.commit(); !done) {
      return fail(failure_of(path_, done.error()));
    }
    return std::move(summary_);
  }

 private:
  // All names must be known before the first link is written.
  void name(const crawler::FetchRecord& record) {
    const auto url = url::Url::parse(record.url);
    if (!url) return;
    if (has_copy(record)) {
      has_pages_ = true;
      if (!pages_.find(*url)) pages_.add_copy(*url, names_.name_for(*url, type_of(record)));
      return;
    }
    const auto next = url::Url::parse(record.next_url);
    if (next) pages_.add_redirect(*url, *next);
  }

  // Returns false if writing failed.
  bool copy(const crawler::FetchRecord& record) {
    const auto url = url::Url::parse(record.url);
    if (!url || !is_archived(record)) return true;
    if (!has_copy(record)) {
      if (record.error != crawler::kUnwantedType) note_fault(record.url, failure_of_body(record));
      return true;
    }
    const auto found = pages_.find(*url);
    if (!found) return true;
    const std::string name(*found);
    auto file = folder_.create(name);
    if (!file) return stop(name, file.error());
    CopySink sink(std::move(*file), has_links_to_copies(record));
    const auto read = answers_.read(*record.archive, sink, decoded_bytes_max(record));
    if (!read || !read->is_whole) {
      note_fault(record.url, read ? Error(Errc::malformed, "its archived body is incomplete")
                                  : read.error().copy());
      folder_.remove(name);
      pages_.remove_copy(*url);
      return true;
    }
    if (sink.has_text()) {
      const mirror::Document document = {
          .url = *url, .name = name, .encoding = html::encoding_from_label(record.charset)};
      const std::string_view mime = type_of(record);
      const auto rewrite = is_html(mime)           ? RewriteFunction(mirror::rewrite_html)
                           : may_be_manifest(mime) ? mirror::rewrite_manifest
                                                   : RewriteFunction(mirror::rewrite_css);
      sink.write(as_bytes(rewrite(sink.text(), document, pages_)));
    }
    if (const auto written = sink.finish(); !written) {
      return stop(name, written.error());
    }
    if (record.depth == 0 && record.via.empty()) summary_.roots.push_back(name);
    return true;
  }

  static Error failure_of(std::string_view what, const Error& error) {
    return {Errc::io_failed, fmt::format("{}: {}", what, error.message())};
  }
  bool stop(std::string_view what, const Error& error) {
    failure_ = failure_of(what, error);
    return false;
  }
  void note_fault(std::string_view what, const Error& error) {
    ++summary_.faults;
    on_fault_(fmt::format("{}: {}", what, error.message()));
  }

  const store::StoredCrawl& kept_;
  const std::string path_;  // of the copy
  captures::ArchivedAnswers answers_;
  MirrorFolder folder_;
  std::move_only_function<void(std::string_view)> on_fault_;
  mirror::Names names_;
  mirror::Pages pages_;
  MirrorSummary summary_;
  std::optional<Error> failure_;
  bool has_pages_ = false;
};

}  // namespace

Result<MirrorSummary> export_mirror(const store::StoredCrawl& kept, const std::string& folder,
                                    std::move_only_function<void(std::string_view)> on_fault) {
  auto opened = MirrorFolder::open(folder);
  if (!opened) {
    if (opened.error() == Errc::exists) return fail(std::move(opened).error());
    return fail(Errc::io_failed, opened.error().message());
  }
  return MirrorExport(kept, folder, std::move(*opened), std::move(on_fault)).run();
}

}  // namespace gossamer::exports
