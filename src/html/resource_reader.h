// Links of the documents that a crawler meets besides HTML and XML: style sheets, scripts, JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "html/links/css_urls.h"
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
  void feed(std::string_view piece) {
    append_large(text_, piece.substr(0, kBytesMax - text_.size()), kBytesMax);
  }
  void finish() {
    while (!finish_some(kBytesMax)) {
    }
  }
  // Does a part of what finish() does, at least so many bytes if there are. True: that was all.
  bool finish_some(std::size_t bytes) {
    if (!read(text_, bytes)) return false;
    text_.clear();
    return true;
  }

 protected:
  // Reads on where it stopped, about so many bytes. True: that was all. `text` is the same each
  // time.
  virtual bool read(std::string_view text, std::size_t bytes) = 0;

  PageConsumer& consumer_;

 private:
  std::string text_;
};

// url() and @import of a style sheet.
class CssReader final : public ResourceReader {
 public:
  using ResourceReader::ResourceReader;

 private:
  bool read(std::string_view text, std::size_t bytes) override;

  std::optional<CssUrls> urls_;  // once it has begun
};

// Strings of a script or a JSON document that are addresses beyond reasonable doubt.
class ScriptReader final : public ResourceReader {
 public:
  using ResourceReader::ResourceReader;

 private:
  bool read(std::string_view text, std::size_t bytes) override;
};

}  // namespace gossamer::html
