// Links of the documents that a crawler meets besides HTML and XML: style sheets, scripts, JSON.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "html/page_consumer.h"

namespace gossamer::html {

// Gathers a document that can only be read as a whole.
// BOUND: what is beyond kBytesMax is not looked at.
class ResourceReader {
 public:
  static constexpr std::size_t kBytesMax = 16 * 1024 * 1024;

  explicit ResourceReader(PageConsumer& consumer) : consumer_(consumer) {}
  virtual ~ResourceReader() = default;
  ResourceReader(const ResourceReader&) = delete;
  ResourceReader& operator=(const ResourceReader&) = delete;

  // The next piece, in UTF-8.
  void feed(std::string_view piece) { text_.append(piece.substr(0, kBytesMax - text_.size())); }
  void finish() {
    read(text_);
    text_.clear();
  }

 protected:
  virtual void read(std::string_view text) = 0;

  PageConsumer& consumer_;

 private:
  std::string text_;
};

// url() and @import of a style sheet.
class CssReader final : public ResourceReader {
 public:
  using ResourceReader::ResourceReader;

 private:
  void read(std::string_view text) override;
};

// Strings of a script or a JSON document that are addresses beyond reasonable doubt.
class ScriptReader final : public ResourceReader {
 public:
  using ResourceReader::ResourceReader;

 private:
  void read(std::string_view text) override;
};

}  // namespace gossamer::html
