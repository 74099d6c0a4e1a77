#include "index/query.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "base/ascii.h"
#include "base/escape.h"
#include "index/words.h"
#include "url/url.h"
#include "warc/record.h"

namespace gossamer::index {
namespace {

constexpr std::string_view kQueryBlanks = " \t\r\n\f\v";

// One part of the text: -name:value or -name:"value".
struct Item {
  bool is_excluded = false;
  bool is_quoted = false;
  std::string_view name;  // empty: none
  std::string_view value;
};

bool is_name(std::string_view word) {
  constexpr auto kNames =
      std::to_array<std::string_view>({"site", "title", "url", "lang", "type", "before", "after"});
  return std::ranges::any_of(
      kNames, [&](std::string_view name) { return base::equals_ignoring_case(name, word); });
}

// Splits the text. Every text has a meaning.
class ItemReader {
 public:
  explicit ItemReader(std::string_view text) : rest_(text) {}

  bool next(Item& item) {
    rest_.remove_prefix(std::min(rest_.find_first_not_of(kQueryBlanks), rest_.size()));
    if (rest_.empty()) return false;
    item = {};
    while (rest_.starts_with('-')) {
      item.is_excluded = true;
      rest_.remove_prefix(1);
    }
    const std::size_t colon = rest_.find_first_of(":\" \t\r\n\f\v");
    if (colon != std::string_view::npos && rest_[colon] == ':' && is_name(rest_.substr(0, colon))) {
      item.name = rest_.substr(0, colon);
      rest_.remove_prefix(colon + 1);
    }
    item.is_quoted = rest_.starts_with('"');
    item.value = item.is_quoted ? quoted() : bare();
    return true;
  }

 private:
  std::string_view quoted() {
    rest_.remove_prefix(1);
    const std::string_view value = rest_.substr(0, rest_.find('"'));
    rest_.remove_prefix(std::min(value.size() + 1, rest_.size()));
    return value;
  }
  std::string_view bare() {
    const std::string_view value =
        rest_.substr(0, std::min(rest_.find_first_of("\" \t\r\n\f\v"), rest_.size()));
    rest_.remove_prefix(value.size());
    return value;
  }

  std::string_view rest_;
};

std::string shown(std::string_view text) { return base::escape_for_terminal(text); }

// Text of the last word, and whether there is any.
struct LastWord {
  std::string text;
  bool is_ideographic = false;
};
std::optional<LastWord> last_word(std::string_view text) {
  std::optional<LastWord> last;
  WordReader reader(text, WordReader::Mode::query);
  while (reader.next()) last = {std::string(reader.word()), reader.is_ideographic()};
  return last;
}

std::size_t count_letters(std::string_view text) {
  return static_cast<std::size_t>(std::ranges::count_if(
      text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }));
}

std::string_view without_scheme(std::string_view text) {
  const auto takes = [&text](std::string_view scheme) {
    if (!base::equals_ignoring_case(text.substr(0, scheme.size()), scheme)) return false;
    text.remove_prefix(scheme.size());
    return true;
  };
  while (takes("https://") || takes("http://")) {
  }
  return text;
}

class QueryBuilder {
 public:
  Result<void> add(const Item& item) {
    const std::string name = base::lower_case(item.name);
    if (!name.empty() && item.value.empty()) {
      return fail(Errc::invalid_argument, fmt::format("{}: requires a value", name));
    }
    if (name == "site") return add_site(item);
    if (name == "lang") return add_language(item);
    if (name == "type") return add_type(item);
    if (name == "before" || name == "after") return add_date(item, name);
    return add_term(item, name);
  }
  Query take() { return std::move(query_); }

 private:
  static std::vector<std::string>& side(QueryChoice& choice, const Item& item) {
    return item.is_excluded ? choice.excluded : choice.wanted;
  }
  Result<void> add_choice(QueryChoice& choice, const Item& item, std::string value) {
    if (choice.wanted.size() + choice.excluded.size() >= kQueryTermsMax) return too_many();
    side(choice, item).push_back(std::move(value));
    return {};
  }
  static std::unexpected<Error> too_many() {
    return fail(Errc::invalid_argument,
                fmt::format("the query is too long; use at most {} words", kQueryTermsMax));
  }

  Result<void> add_site(const Item& item) {
    std::string_view value = item.value;
    if (value.starts_with("*.")) value.remove_prefix(2);
    const auto url = url::Url::parse("http://" + std::string(without_scheme(value)));
    if (!url || url->host().empty()) {
      return fail(Errc::invalid_argument,
                  fmt::format("site:{} is not the name of a host", shown(item.value)));
    }
    return add_choice(query_.sites, item, std::string(url->host()));
  }
  Result<void> add_language(const Item& item) {
    const std::string code = base::lower_case(item.value.substr(0, item.value.find_first_of("-_")));
    if (code.size() < 2 || code.size() > 3 || !std::ranges::all_of(code, base::is_letter)) {
      return fail(Errc::invalid_argument,
                  fmt::format("lang:{} is not the code of a language, such as en or de",
                              shown(item.value)));
    }
    return add_choice(query_.languages, item, code);
  }
  Result<void> add_type(const Item& item) {
    const std::string type = base::lower_case(item.value);
    const bool is_type = std::ranges::all_of(type, [](char c) {
      return base::is_letter(c) || base::is_digit(c) || c == '/' || c == '.' || c == '+' ||
             c == '-';
    });
    if (!is_type) {
      return fail(
          Errc::invalid_argument,
          fmt::format("type:{} is not a type, such as html, pdf or text/plain", shown(item.value)));
    }
    return add_choice(query_.types, item, type);
  }
  Result<void> add_date(const Item& item, std::string_view name) {
    const auto date = warc::parse_record_date(item.value);
    if (!date) {
      return fail(Errc::invalid_argument,
                  fmt::format("{}:{} is not a date, such as 2026, 2026-01 or 2026-01-31", name,
                              shown(item.value)));
    }
    // The narrowest range counts.
    if ((name == "before") != item.is_excluded) {
      query_.before = query_.before ? std::min(*query_.before, *date) : *date;
    } else {
      query_.after = query_.after ? std::max(*query_.after, *date) : *date;
    }
    return {};
  }

  Result<void> add_term(const Item& item, std::string_view name) {
    QueryTerm term = {.is_excluded = item.is_excluded};
    term.field = name == "title" ? Field::title : name == "url" ? Field::url : Field::anywhere;
    std::string_view text = item.value;
    const std::string_view after_scheme = without_scheme(text);
    if (!item.is_quoted && term.field == Field::anywhere && after_scheme != text) {
      term.field = Field::url;
    }
    if (term.field == Field::url) text = after_scheme;
    if (item.is_quoted) {
      term.kind = QueryTerm::Kind::phrase;
    } else if (text.ends_with('*')) {
      term.kind = QueryTerm::Kind::prefix;
      text = text.substr(0, text.find_last_not_of('*') + 1);
    }
    const std::optional<LastWord> last = last_word(text);
    if (!last) return {};  // signs only
    if (term.kind == QueryTerm::Kind::prefix && !last->is_ideographic &&
        count_letters(last->text) < kPrefixLettersMin) {
      return fail(Errc::invalid_argument,
                  fmt::format("the prefix {}* is too short; use at least {} letters", shown(text),
                              kPrefixLettersMin));
    }
    if (query_.terms.size() >= kQueryTermsMax) return too_many();
    term.text = text;
    query_.terms.push_back(std::move(term));
    return {};
  }

  Query query_;
};

void append_item(std::string& out, bool is_excluded, std::string_view name,
                 std::string_view value) {
  if (!out.empty()) out += ' ';
  if (is_excluded) out += '-';
  if (!name.empty()) out.append(name).append(":");
  out += value;
}

void append_choice(std::string& out, std::string_view name, const QueryChoice& choice) {
  for (const std::string& value : choice.wanted) append_item(out, false, name, value);
  for (const std::string& value : choice.excluded) append_item(out, true, name, value);
}

std::string date_text(WallTime time) {
  using enum base::SecondDigits;
  if (time.nanoseconds != 0) return base::to_rfc3339(time, nano);
  std::string text = base::to_rfc3339(time);
  if (text.ends_with("T00:00:00Z"))
    text.resize(text.size() - std::string_view("T00:00:00Z").size());
  return text;
}

}  // namespace

Result<Query> parse_query(std::string_view text) {
  if (text.size() > kQueryBytesMax) {
    return fail(Errc::invalid_argument,
                fmt::format("the query is too long; use at most {} bytes", kQueryBytesMax));
  }
  ItemReader reader(text);
  QueryBuilder builder;
  Item item;
  while (reader.next(item)) {
    if (auto added = builder.add(item); !added) return fail(std::move(added).error());
  }
  return builder.take();
}

std::string to_text(const Query& query) {
  std::string out;
  for (const QueryTerm& term : query.terms) {
    const std::string_view name = term.field == Field::title ? "title"
                                  : term.field == Field::url ? "url"
                                                             : "";
    std::string value = term.text;
    if (term.kind == QueryTerm::Kind::phrase) value = '"' + value + '"';
    if (term.kind == QueryTerm::Kind::prefix) value += '*';
    append_item(out, term.is_excluded, name, value);
  }
  append_choice(out, "site", query.sites);
  append_choice(out, "type", query.types);
  append_choice(out, "lang", query.languages);
  if (query.after) append_item(out, false, "after", date_text(*query.after));
  if (query.before) append_item(out, false, "before", date_text(*query.before));
  return out;
}

}  // namespace gossamer::index
