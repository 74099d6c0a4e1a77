#include "dom/parse.h"

#include <algorithm>
#include <memory>
#include <optional>
#include <utility>

#include "dom/builder.h"
#include "dom/modes.h"
#include "dom/traits.h"
#include "html/token/content_model.h"
#include "html/token/tokenizer.h"

namespace gossamer::dom {
namespace {

// BOUND: longer names are cut.
constexpr std::size_t kNameBytesMax = 4096;
// BOUND: further attributes of an element are left out. Each is compared with those before it.
constexpr std::size_t kAttributesMax = 128;

// Text is processed in pieces of this size, so that it ends near the limit of the memory.
constexpr std::size_t kPieceBytesMax = std::size_t{64} * 1024;

constexpr html::Interest kEverything = html::Interest::in_everything();
constexpr html::Interest kNothing = [] {
  html::Interest interest;
  interest.settle();
  return interest;
}();

// Hands tokens to the rules, until the tree reaches a limit.
class TreeSink final : public html::TokenSink {
 public:
  explicit TreeSink(Builder& tree) : TokenSink(kEverything), tree_(tree) { wants_text_ = true; }

  TextMode tag(const Tag& tag) override {
    if (!has_room()) [[unlikely]]
      return TextMode::data;
    tree_.text_mode = TextMode::data;
    process_tag(tree_, tag);
    return tree_.text_mode;
  }
  void text(std::string_view piece) override {
    while (!piece.empty() && has_room()) {
      process_text(tree_, piece.substr(0, kPieceBytesMax));
      piece.remove_prefix(std::min(piece.size(), kPieceBytesMax));
    }
  }
  void comment(std::string_view data) override {
    if (has_room()) process_comment(tree_, data);
  }
  void doctype(const html::Doctype& doctype) override { process_doctype(tree_, doctype); }
  bool in_foreign_content() const override {
    return !tree_.open.empty() && tree_.adjusted_current().space() != Space::html;
  }
  // The last token may have exceeded a limit.
  void finish() noexcept {
    const Nodes& nodes = tree_.nodes();
    if (nodes.count() > tree_.options.nodes_max || bytes_used() > tree_.options.bytes_max) {
      tree_.set_truncated();
    }
  }

 private:
  std::size_t bytes_used() const noexcept {
    return tree_.nodes().bytes_used() + tree_.table_text.size();
  }
  bool has_room() noexcept {
    const Nodes& nodes = tree_.nodes();
    if (nodes.count() < tree_.options.nodes_max && bytes_used() < tree_.options.bytes_max)
        [[likely]] {
      return true;
    }
    tree_.set_truncated();
    interest_ = &kNothing;
    wants_text_ = false;
    return false;
  }

  Builder& tree_;
};

// Reads a page into a tree, piece by piece. BORROWS: both.
class Reading {
 public:
  Reading(Builder& tree, std::string_view page, TextMode mode)
      : tree_(tree), rest_(page.substr(0, tree.options.page_bytes_max)) {
    if (rest_.size() < page.size()) tree_.set_truncated();
    tokenizer_.start_in(mode, {});  // no end tag belongs to the context of a fragment
  }
  Reading(const Reading&) = delete;
  Reading& operator=(const Reading&) = delete;

  // Returns true at the end of the page.
  bool read_some(std::size_t bytes) {
    const std::string_view piece = rest_.substr(0, bytes);
    rest_.remove_prefix(piece.size());
    tokenizer_.feed(piece);
    if (!rest_.empty()) return false;
    tokenizer_.finish();
    process_end(tree_);
    sink_.finish();
    tree_.set_steps();
    return true;
  }
  void read_all() { read_some(rest_.size()); }

 private:
  Builder& tree_;
  std::string_view rest_;
  TreeSink sink_{tree_};
  html::Tokenizer<TreeSink> tokenizer_{
      sink_, {.name_bytes_max = kNameBytesMax, .attributes_max = kAttributesMax}};
};

Node& make_context(Builder& tree, const Context& context) {
  Nodes& nodes = tree.nodes();
  std::span<const Attribute> attributes;
  if (!context.encoding.empty()) {
    Attribute* const made = nodes.attribute_room(1);
    new (made) Attribute(AttributeId::encoding, AttributeSpace::none,
                         html::name(AttributeId::encoding), nodes.stored(context.encoding));
    attributes = {made, 1};
  }
  Node& node =
      nodes.make_element(context.space, html::tag_id(context.name), context.name, attributes);
  if (context.space == Space::html) {
    Nodes::set_traits(node, html_traits(node.tag()));
  } else {
    set_foreign_traits(node);
  }
  return node;
}

TextMode text_mode_in(const Node& context, bool scripting) noexcept {
  if (context.space() != Space::html) return TextMode::data;
  if (context.is(TagId::noscript)) return scripting ? TextMode::rawtext : TextMode::data;
  return html::text_mode_of(context.tag());
}

}  // namespace

struct PageParser::State {
  State(std::string_view page, const ParseOptions& options)
      : document(page), tree(document, options) {}

  Document document;
  Builder tree;
  std::optional<Reading> reading;
};

PageParser::PageParser(std::string_view page, const ParseOptions& options)
    : state_(std::make_unique<State>(page, options)) {
  state_->reading.emplace(state_->tree, page, TextMode::data);
}

PageParser::~PageParser() = default;

bool PageParser::parse_some(std::size_t bytes) { return state_->reading->read_some(bytes); }

Document PageParser::take() { return std::move(state_->document); }

Document parse(std::string_view page, const ParseOptions& options) {
  Document document(page);
  Builder tree(document, options);
  Reading(tree, page, TextMode::data).read_all();
  return document;
}

Document parse_fragment(std::string_view page, const Context& context,
                        const ParseOptions& options) {
  Document document(page);
  Builder tree(document, options);
  tree.quirks() = context.quirks;
  tree.context = &make_context(tree, context);
  Tag html_tag;
  html_tag.id = TagId::html;
  html_tag.name = html::name(TagId::html);
  Node& root = tree.make_element(html_tag);
  Nodes::append(tree.root(), root);
  tree.open.push(root);
  if (tree.context->is(TagId::template_)) tree.template_modes.push_back(Mode::in_template);
  if (tree.context->is(TagId::form)) tree.form = tree.context;
  tree.reset_mode();
  Reading(tree, page, text_mode_in(*tree.context, options.scripting)).read_all();
  return document;
}

}  // namespace gossamer::dom
