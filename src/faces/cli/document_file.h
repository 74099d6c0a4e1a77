#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "html/encoding/stream.h"
#include "options/value.h"
#include "url/url.h"

namespace gossamer::cli {

// The value of an option that names the document's encoding.
options::Value charset_value(std::optional<html::Encoding>& charset);

// The value of an option that names the URL of a document.
options::Value base_value(std::optional<url::Url>& base);

// A document on disk, or standard input for "-", read in pieces and decoded to UTF-8.
class DocumentFile {
 public:
  DocumentFile(const std::string& path, const html::SniffOptions& options);
  ~DocumentFile();
  DocumentFile(const DocumentFile&) = delete;
  DocumentFile& operator=(const DocumentFile&) = delete;

  // Returns the next piece of text; it is empty only at the end or when reading fails.
  // BORROWS: until the next call.
  std::string_view next();

  // Why the file could not be opened or read completely; empty if it could.
  const std::string& failure() const { return failure_; }
  // REQUIRES: next() has reached the end.
  html::Encoding encoding() const;

 private:
  struct Stream;

  std::unique_ptr<Stream> stream_;
  html::DecodingStream decoder_;
  bool is_finished_ = false;
  std::string bytes_;
  std::string scratch_;
  std::string failure_;
};

}  // namespace gossamer::cli
