// Reads the bytes of a document and enters its links into the book.
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
#include "check/link_book.h"
#include "check/remap.h"
#include "html/encoding/encoder.h"
#include "html/encoding/encoding.h"
#include "html/encoding/stream.h"
#include "url/url.h"

namespace gossamer::check {

enum class DocumentType : std::uint8_t {
  opaque,  // not read
  html,
  xml,
  css,
  markdown,
  restructured_text,
  url_list,
  plain_text,  // only the URLs in it
};

// Determines the type by the Content-Type: "text/html".
DocumentType type_of_mime(std::string_view mime) noexcept;
// Determines the type by the extension of the file's name, otherwise by the beginning of the file.
// A list of URLs whose lines have several words is plain text. So is a file with an unknown
// extension that looks like text, if the name is not empty.
DocumentType type_of_file(std::string_view name, std::string_view beginning) noexcept;

// A decoded document. `charset` is a label, or empty.
struct ReadDocument {
  Document document;
  std::optional<html::Encoding> encoding;
};
ReadDocument read_document(DocumentType type, std::string_view bytes, std::string_view charset,
                           const MarkdownRules& markdown = {}, Words words = Words::dropped);

// The same in steps, for the types that a server can send: html, xml, css; others are read in one
// step.
class DocumentReading {
 public:
  // BORROWS: the bytes.
  DocumentReading(DocumentType type, std::string_view bytes, std::string_view charset,
                  const MarkdownRules& markdown = {}, Words words = Words::dropped);

  // Does one step. Returns true when done.
  bool read_some();
  // REQUIRES: the whole document was read.
  ReadDocument take();

 private:
  void begin_reading();

  const DocumentType type_;
  const MarkdownRules markdown_;
  const Words words_;
  std::string_view bytes_;  // not decoded yet
  html::DecodingStream decoder_;
  std::string scratch_;
  std::string text_;
  std::unique_ptr<DocumentSteps> steps_;
  Document document_;  // of types without steps
};

// How the links of files are read.
struct FileRules {
  // Where links that begin with a slash lead to.
  std::optional<url::Url> root;      // a folder that contains their targets
  std::optional<url::Url> base_url;  // the site that contains their targets
  Remaps remaps;                     // replace targets
  MarkdownRules markdown;
};

// The location of a document.
struct DocumentPlace {
  url::Url url;
  std::string shown;
};

// Receives the target of a valid link.
using OnTarget = std::move_only_function<void(const url::Url& target)>;

// Enters all links of a document, except that invalid URLs are not checked if `is_excluded` says
// so. `on_file` receives the links to files, which the caller must check, `on_web` those to http
// and https; both before the link is entered. `show` returns the name of a file for the result.
struct LinkUse {
  OnTarget on_file;
  OnTarget on_web;
  std::move_only_function<std::string(const url::Url& file)> show;
  std::move_only_function<bool(std::string_view text)> is_excluded;
  bool checks_mail = false;  // mailto: addresses must be valid
};
void enter_document(const DocumentPlace& place, const ReadDocument& read, const FileRules& rules,
                    LinkUse& use, LinkBook& book);

// The same in steps.
class DocumentEntering {
 public:
  // BOUND: links of one step.
  static constexpr std::size_t kStepLinks = 2000;

  // BORROWS: all but the place.
  DocumentEntering(const DocumentPlace& place, const ReadDocument& read, const FileRules& rules,
                   LinkUse& use, LinkBook& book);

  // Enters some links. Returns true when done.
  bool enter_some();

 private:
  void enter(const LinkPlace& link);
  void enter_rooted(const LinkPlace& link, std::string_view text);
  void resolve(const LinkPlace& link, std::string_view text, const url::Url& base);
  void enter_foreign(const LinkPlace& link);
  // Returns false if the result of a remap is not a URL.
  bool remap_target();
  void add_faulty_link(const LinkPlace& link, Answer answer);

  const std::vector<LinkPlace>& links_;
  std::size_t next_ = 0;
  const url::Url base_;
  const FileRules& rules_;
  LinkUse& use_;
  LinkBook& book_;
  const std::uint32_t page_;
  std::optional<html::Encoder> encoder_;
  url::Url target_;
};

}  // namespace gossamer::check
