// The tokenizer tests of html5lib: every case once per initial state, fed whole and byte by byte.
#include <gtest/gtest.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "html/token/tokenizer.h"
#include "support/json.h"
#include "support/testdata.h"

namespace gossamer::conformance {
namespace {

using html::Attribute;
using html::Doctype;
using html::Interest;
using html::Tag;
using html::TextMode;

constexpr Interest kEverything = Interest::in_everything();

// Tokens in the form of the vectors. As in the vectors, no tag changes the state of the tokenizer.
class JsonTokens final : public html::TokenSink {
 public:
  JsonTokens() : TokenSink(kEverything) { wants_text_ = true; }

  TextMode tag(const Tag& tag) override {
    if (tag.is_end) {
      tokens_.push_back({"EndTag", tag.name});
      return TextMode::data;
    }
    Json attributes = Json::object();
    for (const Attribute& attribute : tag.attributes) {
      attributes[std::string(attribute.name)] = attribute.value;
    }
    Json token = {"StartTag", tag.name, attributes};
    if (tag.self_closing) token.push_back(true);
    tokens_.push_back(std::move(token));
    return TextMode::data;
  }
  void text(std::string_view piece) override {
    if (!tokens_.empty() && tokens_.back()[0] == "Character") {
      tokens_.back()[1] = tokens_.back()[1].get<std::string>() + std::string(piece);
    } else {
      tokens_.push_back({"Character", piece});
    }
  }
  void comment(std::string_view data) override { tokens_.push_back({"Comment", data}); }
  void doctype(const Doctype& doctype) override {
    const auto id = [](bool is_there, std::string_view text) {
      return is_there ? Json(text) : Json(nullptr);
    };
    tokens_.push_back({"DOCTYPE", id(doctype.has_name, doctype.name),
                       id(doctype.has_public_id, doctype.public_id),
                       id(doctype.has_system_id, doctype.system_id), !doctype.force_quirks});
  }

  const Json& tokens() const { return tokens_; }

 private:
  Json tokens_ = Json::array();
};

struct Start {
  std::string_view name;
  TextMode mode;
};
constexpr Start kStarts[] = {
    {"Data state", TextMode::data},          {"PLAINTEXT state", TextMode::plaintext},
    {"RCDATA state", TextMode::rcdata},      {"RAWTEXT state", TextMode::rawtext},
    {"Script data state", TextMode::script}, {"CDATA section state", TextMode::cdata},
};

Json tokens_of(std::string_view input, TextMode mode, std::string_view last_start_tag,
               std::size_t piece_bytes) {
  JsonTokens tokens;
  html::Tokenizer<JsonTokens> tokenizer(tokens);
  tokenizer.start_in(mode, last_start_tag);
  while (!input.empty()) {
    const ExactBlock piece(input.substr(0, piece_bytes));
    tokenizer.feed(piece.view());
    input.remove_prefix(piece.view().size());
  }
  tokenizer.finish();
  return tokens.tokens();
}

// Vectors that are escaped twice: a JSON string in a JSON string. False: a lone surrogate, which no
// UTF-8 can hold.
bool unescape(Json& value) {
  if (value.is_string()) {
    const std::string text = value.get<std::string>();
    std::string quoted = "\"";
    for (std::size_t i = 0; i < text.size(); ++i) {
      const bool is_escape = escaped_code_unit(text, i) >= 0;
      if (is_escape) {
        quoted += text.substr(i, 6);
        i += 5;
      } else {
        const std::string one =
            Json(text.substr(i, 1)).dump(-1, ' ', false, Json::error_handler_t::ignore);
        quoted += static_cast<unsigned char>(text[i]) >= 0x80 ? text.substr(i, 1)
                                                              : one.substr(1, one.size() - 2);
      }
    }
    value = Json::parse(quoted + "\"", nullptr, false);
    return !value.is_discarded();
  }
  if (!value.is_structured()) return true;
  bool is_good = true;
  Json copy = value.is_array() ? Json::array() : Json::object();
  for (auto& [key, item] : value.items()) {
    is_good = unescape(item) && is_good;
    Json name = key;
    if (value.is_array()) {
      copy.push_back(item);
    } else {
      is_good = unescape(name) && is_good;
      copy[name.get<std::string>()] = item;
    }
  }
  value = std::move(copy);
  return is_good;
}

// Neighbouring character tokens are one.
Json merged(const Json& output) {
  Json tokens = Json::array();
  for (const Json& token : output) {
    const bool is_text = token[0] == "Character";
    if (is_text && !tokens.empty() && tokens.back()[0] == "Character") {
      tokens.back()[1] = tokens.back()[1].get<std::string>() + token[1].get<std::string>();
    } else {
      tokens.push_back(token);
    }
  }
  return tokens;
}

TextMode mode_named(std::string_view name) {
  for (const Start& start : kStarts) {
    if (start.name == name) return start.mode;
  }
  ADD_FAILURE() << "no such state: " << name;
  return TextMode::data;
}

void run_case(Json test, Score& score, long& skipped) {
  const bool is_escaped = test.value("doubleEscaped", false);
  if (is_escaped && !(unescape(test["input"]) && unescape(test["output"]))) {
    ++skipped;
    return;
  }
  const auto input = test["input"].get<std::string>();
  const std::string last_start_tag = string_at(test, "lastStartTag");
  const Json expected = merged(test["output"]);
  const Json states = test.value("initialStates", Json::array({"Data state"}));
  for (const Json& state : states) {
    const TextMode mode = mode_named(state.get<std::string>());
    const Json whole = tokens_of(input, mode, last_start_tag, input.size() + 1);
    const Json by_byte = tokens_of(input, mode, last_start_tag, 1);
    score.count(whole == expected && by_byte == expected, [&] {
      return fmt::format("{} ({}): {} gives {} / {}, not {}", string_at(test, "description"),
                         state.get<std::string>(), test["input"].dump(), whole.dump(),
                         by_byte.dump(), expected.dump());
    });
  }
}

// xmlViolation.test is left out: it assumes that characters that XML does not know are replaced.
// Cases with lone surrogates are skipped: our strings are UTF-8.
TEST(Html5lib, TokenizerAgreesWithTheVectors) {
  NEEDS_TESTDATA("html5lib/tokenizer");
  Score score("html5lib/tokenizer");
  long skipped = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(testdata_path("html5lib/tokenizer"))) {
    const Json json = parse_json(read_bytes(file.path()));
    if (!json.contains("tests")) continue;
    for (const Json& test : json["tests"]) run_case(test, score, skipped);
  }
  if (skipped > 0) std::printf("html5lib/tokenizer: %ld skipped (lone surrogates)\n", skipped);
  EXPECT_TRUE(score.reaches(1.0));
}

}  // namespace
}  // namespace gossamer::conformance
