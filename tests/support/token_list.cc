#include "tests/support/token_list.h"

#include <algorithm>
#include <memory>
#include <utility>

#include "html/token/content_model.h"
#include "html/token/tokenizer.h"

namespace gossamer::html {
namespace {

constexpr Interest kEverything = Interest::in_everything();

}  // namespace

TokenList::TokenList() : TokenSink(kEverything) { wants_text_ = true; }

TextMode TokenList::tag(const Tag& tag) {
  in_text_ = false;
  std::string line = tag.is_end ? "</" : "<";
  line += tag.name;
  for (const Attribute& attribute : tag.attributes) {
    line.append(" ").append(attribute.name).append("=\"").append(attribute.value).append("\"");
  }
  line += tag.self_closing ? "/>" : ">";
  tokens_.push_back(std::move(line));
  return text_mode_of(tag.id);
}

void TokenList::text(std::string_view piece) {
  if (!in_text_) tokens_.emplace_back("text ");
  in_text_ = true;
  tokens_.back() += piece;
}

void TokenList::comment(std::string_view data) {
  in_text_ = false;
  tokens_.push_back("comment " + std::string(data));
}

void TokenList::doctype(const Doctype& doctype) {
  in_text_ = false;
  std::string line = "doctype " + std::string(doctype.name);
  if (doctype.has_public_id) line.append(" public ").append(doctype.public_id);
  if (doctype.has_system_id) line.append(" system ").append(doctype.system_id);
  if (doctype.force_quirks) line += " quirks";
  tokens_.push_back(std::move(line));
}

std::vector<std::string> tokenize(std::string_view document, std::size_t piece_bytes) {
  TokenList list;
  Tokenizer<TokenList> tokenizer(list);
  if (piece_bytes == 0) piece_bytes = document.size();
  while (!document.empty()) {
    const std::string_view piece = document.substr(0, piece_bytes);
    const auto block = std::make_unique_for_overwrite<char[]>(piece.size());
    piece.copy(block.get(), piece.size());
    tokenizer.feed({block.get(), piece.size()});
    document.remove_prefix(piece.size());
  }
  tokenizer.finish();
  return list.tokens();
}

}  // namespace gossamer::html
