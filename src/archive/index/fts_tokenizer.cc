#include "index/fts_tokenizer.h"

#include <sqlite3.h>

#include <algorithm>

#include "index/fts5.h"
#include "index/words.h"

namespace gossamer::index {
namespace {

using Emit = int (*)(void* context, int flags, const char* word, int size, int begin, int end);

// Passes the words of one text to FTS5.
class WordEmitter {
 public:
  WordEmitter(TokenizerSettings& settings, void* context, Emit emit)
      : settings_(settings), context_(context), emit_(emit) {}

  int emit_document(std::string_view text) {
    WordReader reader(text);
    Stemmer& stemmer = settings_.stemmer();
    while (reader.next()) {
      begin_ = static_cast<int>(reader.begin());
      end_ = static_cast<int>(reader.end());
      const int done = emit(reader.word(), reader.is_colocated() ? FTS5_TOKEN_COLOCATED : 0);
      if (!reader.is_colocated()) settings_.add_word();
      if (done != SQLITE_OK) return done;
      if (reader.is_ideographic()) continue;
      const std::string_view stem = stemmer.marked_stem(reader.word());
      if (stem.empty()) continue;
      if (const int added = emit(stem, FTS5_TOKEN_COLOCATED); added != SQLITE_OK) return added;
    }
    return SQLITE_OK;
  }

  int emit_query(std::string_view text) {
    const bool is_exact = text.starts_with(kExactMark);
    if (is_exact) text.remove_prefix(1);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find(' ', at), text.size());
      begin_ = static_cast<int>(at);
      end_ = static_cast<int>(end);
      const std::string_view word = text.substr(at, end - at);
      at = end + 1;
      if (word.empty()) continue;
      if (const int done = emit(word, 0); done != SQLITE_OK) return done;
      if (is_exact) continue;
      for (const std::string& form : forms_of(word, settings_.query_stemmers())) {
        if (form == word) continue;
        if (const int done = emit(form, FTS5_TOKEN_COLOCATED); done != SQLITE_OK) return done;
      }
    }
    return SQLITE_OK;
  }

 private:
  int emit(std::string_view word, int flags) {
    return emit_(context_, flags, word.data(), static_cast<int>(word.size()), begin_, end_);
  }

  TokenizerSettings& settings_;
  void* context_;
  Emit emit_;
  int begin_ = 0;
  int end_ = 0;
};

// The settings are the tokenizer: there is nothing to make.
int make_tokenizer(void* settings, const char**, int, Fts5Tokenizer** made) {
  *made = static_cast<Fts5Tokenizer*>(settings);
  return SQLITE_OK;
}
void delete_tokenizer(Fts5Tokenizer*) {}

int tokenize(Fts5Tokenizer* tokenizer, void* context, int flags, const char* text, int size,
             Emit emit) try {
  WordEmitter emitter(*reinterpret_cast<TokenizerSettings*>(tokenizer), context, emit);
  const std::string_view whole(text == nullptr ? "" : text, static_cast<std::size_t>(size));
  return (flags & FTS5_TOKENIZE_QUERY) != 0 ? emitter.emit_query(whole)
                                            : emitter.emit_document(whole);
} catch (...) {  // no exception may pass through C
  return SQLITE_NOMEM;
}

}  // namespace

std::vector<std::string> forms_of(std::string_view word, const std::vector<Stemmer*>& stemmers) {
  std::vector<std::string> forms = {std::string(word)};
  const auto add = [&forms](std::string form) {
    if (std::ranges::find(forms, form) == forms.end()) forms.push_back(std::move(form));
  };
  for (Stemmer* const stemmer : stemmers) {
    const std::string stem(stemmer->stem(word));
    add(stem);
    add(kStemMark + stem);
  }
  return forms;
}

void TokenizerSettings::set_query_languages(const std::vector<std::string>& languages) {
  query_stemmers_.clear();
  for (const std::string& language : languages) {
    Stemmer& stemmer = stemmers_.of(language);
    if (stemmer.has_rules()) query_stemmers_.push_back(&stemmer);
  }
}

Result<void> register_tokenizer(store::Database& database, TokenizerSettings& settings) {
  auto api = find_fts5(database);
  if (!api) return fail(std::move(api).error());
  fts5_tokenizer functions = {
      .xCreate = make_tokenizer, .xDelete = delete_tokenizer, .xTokenize = tokenize};
  if ((*api)->xCreateTokenizer(*api, "gossamer", &settings, &functions, nullptr) != SQLITE_OK) {
    return fail(database.error());
  }
  return {};
}

}  // namespace gossamer::index
