// A search query: what the user typed, as values. The text of a user never reaches SQL or FTS5.
//
//   words "exact phrase" site:example.com title:word url:word -word before:2026-01 after:2025
//   lang:de type:pdf prefix*
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "base/time.h"

namespace gossamer::index {

// Where a term must occur.
enum class Field : std::uint8_t { anywhere, title, url };

struct QueryTerm {
  enum class Kind : std::uint8_t {
    word,    // other forms of the word match, too
    phrase,  // exactly these words, side by side
    prefix,  // words that begin with the text
  };
  Kind kind = Kind::word;
  Field field = Field::anywhere;
  bool is_excluded = false;  // -word
  std::string text;          // as typed, without quotes, '*' and '-'

  friend bool operator==(const QueryTerm&, const QueryTerm&) = default;
};

// A condition on a column. Several values mean any of them; excluded values mean none of them.
struct QueryChoice {
  std::vector<std::string> wanted;
  std::vector<std::string> excluded;

  bool empty() const noexcept { return wanted.empty() && excluded.empty(); }
  friend bool operator==(const QueryChoice&, const QueryChoice&) = default;
};

struct Query {
  std::vector<QueryTerm> terms;    // all must match
  QueryChoice sites;               // hosts in lower case, with all hosts below them
  QueryChoice types;               // "html", "pdf", "text/plain"
  QueryChoice languages;           // "de"
  std::optional<WallTime> after;   // captured then or later
  std::optional<WallTime> before;  // captured earlier

  // True if it finds all pages.
  bool empty() const noexcept {
    return terms.empty() && sites.empty() && types.empty() && languages.empty() && !after &&
           !before;
  }
  friend bool operator==(const Query&, const Query&) = default;
};

// BOUND: longer texts and more terms are rejected. A prefix needs three letters, because shorter
// ones match too many words; one character of Chinese, Japanese or Korean is enough.
inline constexpr std::size_t kQueryBytesMax = 4096;
inline constexpr std::size_t kQueryTermsMax = 32;
inline constexpr std::size_t kPrefixLettersMin = 3;

// Parses the text of a user, in UTF-8. Signs without a meaning are ignored, an open quote ends with
// the text, and an unknown name before a colon is a word. Fails with Errc::invalid_argument and a
// sentence for the user: a date that does not exist, a name without a value, a short prefix.
Result<Query> parse_query(std::string_view text);

// Returns a text that parse_query() turns into an equal query.
std::string to_text(const Query& query);

}  // namespace gossamer::index
