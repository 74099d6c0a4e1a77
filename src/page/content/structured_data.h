// Data that a page gives for programs: JSON-LD and microdata, mostly in the words of schema.org.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "base/json_value.h"
#include "content/page_links.h"
#include "dom/node.h"

namespace gossamer::content {

// BOUND: one <script> of JSON-LD, all of them on a page, and all microdata of a page.
inline constexpr std::size_t kJsonLdBytesMax = 256 * 1024;
inline constexpr std::size_t kAllJsonLdBytesMax = 512 * 1024;
inline constexpr std::size_t kMicrodataBytesMax = 64 * 1024;
// BOUND: values of JSON-LD inside each other. Records have it a few levels deep, and our own reader
// must be able to read them.
inline constexpr int kJsonLdDepthMax = base::kJsonDepthMax - 4;
// BOUND: items of microdata inside each other.
inline constexpr std::size_t kMicrodataDepthMax = 16;

// Reads the text of one <script type="application/ld+json">. Comments and CDATA around it are
// accepted. Fails like parse_json().
Result<base::JsonValue> parse_json_ld(std::string_view text);

// Reads microdata in the form of JSON-LD: {"@type": "https://schema.org/Product", "name":
// "Kettle"}. A property that occurs again is a list. The attribute itemref is ignored.
class MicrodataReader {
 public:
  // BORROWS: the links.
  explicit MicrodataReader(PageLinks& links) : links_(links) {}

  // Returns whether an item begins here that is not a property of another one.
  static bool begins_item(const dom::Node& element);
  base::JsonValue read(const dom::Node& item) { return read_item(item, 0); }
  // Returns whether it reads more items. If not, the result is truncated.
  bool has_room() {
    is_truncated_ = is_truncated_ || bytes_left_ == 0;
    return bytes_left_ > 0;
  }
  bool is_truncated() const noexcept { return is_truncated_; }

 private:
  base::JsonValue read_item(const dom::Node& item, std::size_t depth);
  base::JsonValue read_property(const dom::Node& element, std::size_t depth);
  std::string take(std::string_view text);

  PageLinks& links_;
  std::size_t bytes_left_ = kMicrodataBytesMax;
  std::size_t work_left_ = 256 * 1024;
  bool is_truncated_ = false;
};

// What structured data says about the page itself. Empty: nothing.
struct StructuredFacts {
  std::string author;          // several are separated by commas
  std::string published;       // of an article, a post or a question
  std::string page_published;  // of a page that may be anything: programs give all pages a date
  std::string modified;
  std::vector<std::string> types;  // of the page and what it is about: "Product"
  bool is_offer = false;           // it describes a product, a service or a list of things

  // Adds what is not known yet.
  void add(const base::JsonValue& data);
};

}  // namespace gossamer::content
