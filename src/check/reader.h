// From the bytes of a document to lines of the ledger.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "check/document.h"
#include "check/ledger.h"
#include "html/encoding.h"
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

}  // namespace gossamer::check
