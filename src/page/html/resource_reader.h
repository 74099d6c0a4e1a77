// Finds links in documents other than HTML and XML: style sheets, scripts, manifests, JSON.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "html/links/css_urls.h"
#include "html/links/script_urls.h"
#include "html/page_consumer.h"

namespace gossamer::html {

// Collects a document that can only be read as a whole.
// BOUND: bytes beyond `bytes_max` are ignored.
class ResourceReader {
 public:
  static constexpr std::size_t kBytesMax = 16 * 1024 * 1024;

  explicit ResourceReader(PageConsumer& consumer, std::size_t bytes_max = kBytesMax)
      : consumer_(consumer), bytes_max_(bytes_max) {}
  virtual ~ResourceReader() = default;
  ResourceReader(const ResourceReader&) = delete;
  ResourceReader& operator=(const ResourceReader&) = delete;

  // Takes the next piece, in UTF-8.
  void feed(std::string_view piece) {
    append_large(text_, piece.substr(0, bytes_max_ - text_.size()), bytes_max_);
  }
  // What was collected. The reserve is not counted: the kernel provides only what is written.
  std::size_t bytes_held() const noexcept { return text_.size(); }
  void finish() {
    while (!finish_some(kBytesMax)) {
    }
  }
  // Does a part of the work of finish(), at least this many bytes. Returns true when done.
  bool finish_some(std::size_t bytes) {
    if (!read(text_, bytes)) return false;
    text_ = {};  // a pool of readers must not hold large scripts
    return true;
  }

 protected:
  // Continues reading for about this many bytes. Returns true when done. `text` is the same each
  // time.
  virtual bool read(std::string_view text, std::size_t bytes) = 0;

  PageConsumer& consumer_;

 private:
  const std::size_t bytes_max_;
  std::string text_;
};

// Finds url() and @import in a style sheet.
class CssReader final : public ResourceReader {
 public:
  using ResourceReader::ResourceReader;

 private:
  bool read(std::string_view text, std::size_t bytes) override;

  std::optional<CssUrls> urls_;  // after the start
};

// Finds the images that the manifest of an application names.
class ManifestReader final : public ResourceReader {
 public:
  // Larger ones are read in part. It takes one step, so this is a bound of its time, too.
  static constexpr std::size_t kBytesMax = 256 * 1024;

  using ResourceReader::ResourceReader;

 private:
  bool read(std::string_view text, std::size_t bytes) override;
};

// Finds strings in a script or JSON document that are URLs beyond reasonable doubt.
class ScriptReader final : public ResourceReader {
 public:
  using ResourceReader::ResourceReader;

 private:
  bool read(std::string_view text, std::size_t bytes) override;

  std::optional<ScriptUrls> urls_;  // after the start
};

}  // namespace gossamer::html
