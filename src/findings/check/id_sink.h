#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "html/token/content_model.h"
#include "html/token/token.h"

namespace gossamer::check {

// Collects the valid fragments: every id, and the name of every <a>. The content of a template is
// not part of the page. https://html.spec.whatwg.org/#find-a-potential-indicated-element
class IdSink final : public html::TokenSink {
 public:
  // BORROWS: the list. BOUND: it gets no longer than `ids_max`.
  IdSink(std::vector<std::string>& ids, std::size_t ids_max);

  html::TextMode tag(const html::Tag& tag) override;
  void text(std::string_view piece) override { model_.text(piece); }
  bool in_foreign_content() const override { return model_.current_is_foreign(); }

 private:
  void take(std::string_view id);

  html::ContentModel model_;
  std::vector<std::string>& ids_;
  const std::size_t ids_max_;
};

}  // namespace gossamer::check
