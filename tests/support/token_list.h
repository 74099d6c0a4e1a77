// For tests: a sink that writes every token as a line of text.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "html/token/token.h"

namespace gossamer::html {

// Lines: "<a href="x">", "</a>", "text ...", "comment ...", "doctype ...". Adjacent texts are one
// line. Elements switch the text mode as in an HTML document, without foreign content.
class TokenList final : public TokenSink {
 public:
  TokenList();

  TextMode tag(const Tag& tag) override;
  void text(std::string_view piece) override;
  void comment(std::string_view data) override;
  void doctype(const Doctype& doctype) override;

  const std::vector<std::string>& tokens() const noexcept { return tokens_; }

 private:
  std::vector<std::string> tokens_;
  bool in_text_ = false;
};

// The tokens of a document that is fed in pieces of `piece_bytes` (0: one piece), each in its own
// heap block.
std::vector<std::string> tokenize(std::string_view document, std::size_t piece_bytes);

}  // namespace gossamer::html
