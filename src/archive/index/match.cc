#include "index/match.h"

#include "index/fts_tokenizer.h"
#include "index/page_text.h"
#include "index/query_words.h"
#include "index/stored_time.h"

namespace gossamer::index {
namespace {

void append_joined(std::string& out, std::string_view between, std::string_view part) {
  if (!out.empty()) out += between;
  out += part;
}

}  // namespace

std::string MatchText::whole() const {
  if (excluded.empty()) return wanted;
  return "(" + wanted + ") NOT (" + excluded + ")";
}

MatchTerm match_term(const QueryTerm& term, const std::vector<Stemmer*>& stemmers) {
  const std::vector<QueryWord> words = words_of(term);
  if (words.empty()) return {};
  MatchTerm match = {.phrases = 1};
  if (term.field == Field::title) match.text += "{title} : ";
  if (term.field == Field::url) match.text += "{url} : ";
  const bool is_exact = term.kind != QueryTerm::Kind::word || words.back().is_prefix;
  if (!is_exact && words.size() == 1 && !words.front().is_ideographic) {
    const std::vector<std::string> forms = forms_of(words.front().text, stemmers);
    match.phrases = forms.size();
    match.text += '(';
    for (const std::string& form : forms) {
      if (&form != &forms.front()) match.text += " OR ";
      match.text.append("\"").append(1, kExactMark).append(form).append("\"");
    }
    match.text += ')';
    return match;
  }
  match.text += '"';
  if (is_exact) match.text += kExactMark;
  bool is_first = true;
  for (const QueryWord& word : words) {
    if (!is_first) match.text += ' ';
    is_first = false;
    match.text += word.text;  // letters and digits only
  }
  match.text += '"';
  if (words.back().is_prefix) match.text += " *";
  return match;
}

MatchText match_text(const Query& query, const std::vector<Stemmer*>& stemmers,
                     const std::set<std::size_t>& ignored) {
  MatchText match;
  for (std::size_t at = 0; at < query.terms.size(); ++at) {
    const QueryTerm& term = query.terms[at];
    if (ignored.contains(at)) continue;
    const MatchTerm part = match_term(term, stemmers);
    if (part.text.empty()) continue;
    if (term.is_excluded) {
      append_joined(match.excluded, " OR ", part.text);
    } else {
      append_joined(match.wanted, " AND ", part.text);
      match.terms.push_back({at, part.phrases});
    }
  }
  return match;
}

TimeRange::TimeRange(const Query& query)
    : first(query.after ? to_stored_time(*query.after) : kStoredTimeMin),
      end(query.before ? to_stored_time(*query.before) : kStoredTimeMax + 1) {}

bool TimeRange::has(WallTime time) const noexcept {
  const std::int64_t stored = to_stored_time(time);
  return stored >= first && stored < end;
}

std::string time_sql(const Query& query, bool sees_twins) {
  if (!sees_twins) return "page.captured";
  if (!query.after && !query.before) return "page.newest";
  const TimeRange range(query);
  return "(SELECT max(same.captured) FROM page AS same"
         " WHERE (same.id = page.id OR same.same_as = page.id) AND same.captured >= " +
         std::to_string(range.first) + " AND same.captured < " + std::to_string(range.end) + ")";
}

std::string order_sql(const Query& query, const SearchOptions& options) {
  switch (options.sort) {
    case SearchSort::relevance:
    case SearchSort::newest: return time_sql(query, options.folds_duplicates) + " DESC, page.id";
    case SearchSort::oldest: return "page.captured, page.id";
    case SearchSort::url: return "page.url, page.captured DESC";
  }
  return "page.id";
}

PageFilter::PageFilter(const Query& query, bool sees_twins) {
  add_choice(query.sites, &PageFilter::add_site);
  add_choice(query.types, &PageFilter::add_type);
  add_choice(query.languages, &PageFilter::add_language);
  add_dates(query, sees_twins);
}

void PageFilter::add(std::string_view sql, std::initializer_list<Value> values) {
  sql_ += sql;
  values_.insert(values_.end(), values);
}

void PageFilter::add_choice(const QueryChoice& choice,
                            void (PageFilter::*add_one)(const std::string&)) {
  if (!choice.wanted.empty()) {
    sql_ += " AND (0";
    for (const std::string& value : choice.wanted) {
      sql_ += " OR ";
      (this->*add_one)(value);
    }
    sql_ += ")";
  }
  for (const std::string& value : choice.excluded) {
    sql_ += " AND NOT ";
    (this->*add_one)(value);
  }
}

void PageFilter::add_site(const std::string& site) {
  const std::size_t bracket = site.rfind(']');
  const std::size_t colon = site.find(':', bracket == std::string::npos ? 0 : bracket);
  std::string port = colon == std::string::npos ? std::string() : site.substr(colon + 1);
  if (port == "80" || port == "443") port.clear();  // pages do not have the usual ones
  const std::string key = site_key(site.substr(0, colon), port);
  // Keys consist of smaller characters.
  add("(page.site_key >= ? AND page.site_key < ?)", {key, key + "~"});
}

void PageFilter::add_type(const std::string& type) {
  if (type == "html") {
    add("page.mime IN ('text/html', 'application/xhtml+xml', '')", {});
  } else if (type == "text") {
    add("page.mime = 'text/plain'", {});
  } else if (type.contains('/')) {
    add("page.mime = ?", {type});
  } else {
    add("page.mime IN (?, ?)", {"application/" + type, "text/" + type});
  }
}

void PageFilter::add_language(const std::string& language) { add("page.lang = ?", {language}); }

void PageFilter::add_dates(const Query& query, bool sees_twins) {
  if (!query.after && !query.before) return;
  sql_ += " AND (";
  add_date_range(query, "page");
  if (sees_twins) {
    sql_ += " OR EXISTS (SELECT 1 FROM page AS twin WHERE twin.same_as = page.id AND ";
    add_date_range(query, "twin");
    sql_ += ")";
  }
  sql_ += ")";
}

void PageFilter::add_date_range(const Query& query, std::string_view table) {
  sql_ += "(1";
  if (query.after) {
    sql_.append(" AND ").append(table);
    add(".captured >= ?", {to_stored_time(*query.after)});
  }
  if (query.before) {
    sql_.append(" AND ").append(table);
    add(".captured < ?", {to_stored_time(*query.before)});
  }
  sql_ += ")";
}

void PageFilter::bind(store::Statement& statement) const {
  for (const Value& value : values_) {
    if (const auto* const number = std::get_if<std::int64_t>(&value)) {
      statement.number(*number);
    } else {
      statement.text(std::get<std::string>(value));
    }
  }
}

}  // namespace gossamer::index
