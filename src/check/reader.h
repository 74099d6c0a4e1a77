// From the bytes of a document to lines of the ledger.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "check/document.h"
#include "check/ledger.h"
#include "html/encoding/encoder.h"
#include "html/encoding/encoding.h"
#include "html/encoding/stream.h"
#include "url/url.h"

namespace gossamer::check {

enum class DocumentType : std::uint8_t {
  opaque,  // not looked into
  html,
  xml,
  css,
  markdown,
  restructured_text,
  url_list,
  plain_text,  // only addresses that stand in it
};

// By what a server says: "text/html".
DocumentType type_of_mime(std::string_view mime) noexcept;
// By the end of a file's name, and if that says nothing by how the file begins. A list of URLs
// whose lines have several words is plain text. So is what has no known name and looks like text,
// if the name is not empty.
DocumentType type_of_file(std::string_view name, std::string_view beginning) noexcept;

// A document with its encoding undone. `charset` is a label, or empty.
struct ReadDocument {
  Document document;
  std::optional<html::Encoding> encoding;
};
ReadDocument read_document(DocumentType type, std::string_view bytes, std::string_view charset);

// The same in steps, for the types that a server may send: html, xml, css; others are read in one.
class DocumentReading {
 public:
  // BORROWS: the bytes.
  DocumentReading(DocumentType type, std::string_view bytes, std::string_view charset);

  // Does the work of one step. True: that was all.
  bool read_some();
  // REQUIRES: all was read.
  ReadDocument take();

 private:
  void begin_reading();

  const DocumentType type_;
  std::string_view bytes_;  // still coded
  html::DecodingStream decoder_;
  std::string scratch_;
  std::string text_;
  std::unique_ptr<DocumentSteps> steps_;
  Document document_;  // of what has no steps
};

// How links of files that begin with a slash are meant.
struct FileRules {
  std::optional<url::Url> root;      // of a folder: they are files there
  std::optional<url::Url> base_url;  // they are pages of this site
};

// Where a document stands.
struct DocumentPlace {
  url::Url url;
  std::string shown;
};

// Where a link leads that is no fault in itself.
using OnTarget = std::move_only_function<void(const url::Url& target)>;

// Enters all links of a document, except that those that are no URLs are not checked where
// `is_excluded` says so. `on_file` is told of those to files, which somebody else has to
// look for, `on_web` of those to http and https; both before the link is entered. `show` gives how
// a file is called.
struct LinkUse {
  OnTarget on_file;
  OnTarget on_web;
  std::move_only_function<std::string(const url::Url& file)> show;
  std::move_only_function<bool(std::string_view text)> is_excluded;
};
void enter_document(const DocumentPlace& place, const ReadDocument& read, const FileRules& rules,
                    LinkUse& use, Ledger& ledger);

// The same in steps.
class DocumentEntering {
 public:
  // BOUND: links of one step.
  static constexpr std::size_t kStepLinks = 2000;

  // BORROWS: all but the place.
  DocumentEntering(const DocumentPlace& place, const ReadDocument& read, const FileRules& rules,
                   LinkUse& use, Ledger& ledger);

  // Enters some links. True: these were the last.
  bool enter_some();

 private:
  void enter(const LinkPlace& link);
  void enter_rooted(const LinkPlace& link, std::string_view text);
  void resolve(const LinkPlace& link, std::string_view text, const url::Url& base);
  void enter_foreign(const LinkPlace& link);
  void add_faulty_link(const LinkPlace& link, Answer answer);

  const std::vector<LinkPlace>& links_;
  std::size_t next_ = 0;
  const url::Url base_;
  const FileRules& rules_;
  LinkUse& use_;
  Ledger& ledger_;
  const std::uint32_t page_;
  std::optional<html::Encoder> encoder_;
  url::Url target_;
};

}  // namespace gossamer::check
