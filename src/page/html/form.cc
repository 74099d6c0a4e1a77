#include "html/form.h"

#include <algorithm>
#include <array>

#include "html/token/ascii.h"
#include "html/token/collapse.h"
#include "html/token/content_model.h"
#include "html/token/tokenizer.h"

namespace gossamer::html {
namespace {

constexpr Interest kEverything = Interest::in_everything();
constexpr std::size_t kNoForm = static_cast<std::size_t>(-1);

// Finds an attribute by name, because most form attributes have no number. Returns nullptr if there
// is none.
const std::string_view* find_attribute(const Tag& tag, std::string_view name) {
  const auto found = std::ranges::find(tag.attributes, name, &Attribute::name);
  return found == tag.attributes.end() ? nullptr : &found->value;
}

std::string_view attribute(const Tag& tag, std::string_view name) {
  const std::string_view* const found = find_attribute(tag, name);
  return found == nullptr ? std::string_view() : *found;
}

bool has_attribute(const Tag& tag, std::string_view name) {
  return find_attribute(tag, name) != nullptr;
}

// A form with an unknown method is sent by GET.
std::string method_of(std::string_view text) {
  const std::string method = lower_case(text);
  return method == "post" || method == "dialog" ? method : "get";
}

// Returns the text of an element, trimmed and with collapsed white space.
std::string collapsed(std::string_view text) {
  std::string out;
  append_collapsed(out, trimmed(text));
  return out;
}

class FormReader final : public TokenSink {
 public:
  FormReader() : TokenSink(kEverything) { wants_text_ = true; }

  TextMode tag(const Tag& tag) override {
    if (tag.is_end) {
      model_.close(tag);
      if (!model_.in_template()) end_tag(tag);
      return TextMode::data;
    }
    const TextMode mode = model_.open(tag);
    if (!model_.in_template() && model_.opened_html()) start_tag(tag);
    return mode;
  }

  void text(std::string_view piece) override {
    model_.text(piece);
    if (text_of_ == TagId::other) return;
    text_.append(piece.substr(0, kFormTextBytesMax - text_.size()));
  }

  bool in_foreign_content() const override { return model_.current_is_foreign(); }

  FormPage take() {
    end_select();
    std::vector<bool> has_button(page_.forms.size(), false);
    for (Owned& owned : fields_) {
      const std::size_t at = form_of(owned);
      if (at == kNoForm) continue;
      Form& form = page_.forms[at];
      if (owned.field.kind == FormFieldKind::submit) {
        // The first button counts as pressed, even if it has no name.
        owned.field.is_sent = !has_button[at];
        if (!has_button[at] && !owned.action.empty()) form.action = owned.action;
        if (!has_button[at] && !owned.method.empty()) form.method = owned.method;
        has_button[at] = true;
      }
      if (!owned.field.name.empty()) form.fields.push_back(std::move(owned.field));
    }
    return std::move(page_);
  }

 private:
  // A form can follow the fields that name it, so all fields are assigned at the end.
  struct Owned {
    FormField field = {};
    std::size_t around = kNoForm;  // the form that contains it
    bool names_form = false;
    std::string form_id = {};  // if set: the id of its form instead
    std::string action = {};   // for a button
    std::string method = {};
  };

  std::size_t form_of(const Owned& owned) const {
    if (!owned.names_form) return owned.around;
    if (owned.form_id.empty()) return kNoForm;
    const auto found = std::ranges::find(ids_, owned.form_id);
    return found == ids_.end() ? kNoForm : static_cast<std::size_t>(found - ids_.begin());
  }

  void start_tag(const Tag& tag) {
    switch (tag.id) {
      case TagId::base:
        if (const auto* href = tag.find(AttributeId::href); href != nullptr && !page_.base) {
          page_.base = std::string(*href);
        }
        return;
      case TagId::form: return begin_form(tag);
      case TagId::input: return input(tag);
      case TagId::button: return button(tag);
      case TagId::textarea: begin_field(tag); return begin_text(TagId::textarea);
      case TagId::select:
        begin_field(tag);
        in_select_ = true;
        is_multiple_ = has_attribute(tag, "multiple");
        has_option_ = is_chosen_ = false;
        return;
      case TagId::option:
        end_text();
        if (in_select_) option(tag);
        return;
      default: return;
    }
  }

  void end_tag(const Tag& tag) {
    switch (tag.id) {
      case TagId::form: form_ = kNoForm; return;
      case TagId::textarea:
      case TagId::option: return end_text();
      case TagId::select: return end_select();
      default: return;
    }
  }

  // A form inside another form is ignored.
  void begin_form(const Tag& tag) {
    if (form_ != kNoForm || page_.forms.size() >= kFormsMax) return;
    form_ = page_.forms.size();
    Form form;
    form.action = trimmed(attribute(tag, "action"));
    form.method = method_of(attribute(tag, "method"));
    page_.forms.push_back(std::move(form));
    ids_.emplace_back(attribute(tag, "id"));
  }

  // Starts a new current field.
  Owned& begin_field(const Tag& tag) {
    end_select();
    Owned owned;
    owned.field.name = attribute(tag, "name");
    owned.around = form_;
    owned.names_form = has_attribute(tag, "form");
    if (owned.names_form) owned.form_id = attribute(tag, "form");
    const bool is_left_out = has_attribute(tag, "disabled") || fields_.size() >= kFormFieldsMax;
    if (is_left_out) {
      left_out_ = std::move(owned);
      return *(field_ = &left_out_);
    }
    fields_.push_back(std::move(owned));
    return *(field_ = &fields_.back());
  }

  void input(const Tag& tag) {
    const std::string type = lower_case(attribute(tag, "type"));
    static constexpr auto kLeftOut = std::to_array<std::string_view>({"file", "reset", "button"});
    if (std::ranges::find(kLeftOut, type) != kLeftOut.end()) return;
    Owned& owned = begin_field(tag);
    FormField& field = owned.field;
    field.value = attribute(tag, "value");
    if (type == "password") field.kind = FormFieldKind::password;
    if (type == "hidden") field.kind = FormFieldKind::hidden;
    if (type == "checkbox" || type == "radio") {
      field.kind = FormFieldKind::choice;
      field.is_sent = has_attribute(tag, "checked");
      if (!has_attribute(tag, "value")) field.value = "on";
    }
    if (type == "submit" || type == "image") {
      // An image button sends the position of the click, which servers do not use.
      if (type == "image") field.name.clear();
      submit(tag, owned);
    }
  }

  void button(const Tag& tag) {
    const std::string type = lower_case(attribute(tag, "type"));
    if (type == "button" || type == "reset") return;
    Owned& owned = begin_field(tag);
    owned.field.value = attribute(tag, "value");
    submit(tag, owned);
  }

  static void submit(const Tag& tag, Owned& owned) {
    owned.field.kind = FormFieldKind::submit;
    owned.action = trimmed(attribute(tag, "formaction"));
    if (has_attribute(tag, "formmethod")) owned.method = method_of(attribute(tag, "formmethod"));
  }

  void begin_text(TagId of) {
    text_of_ = of;
    text_.clear();
  }

  void option(const Tag& tag) {
    const bool is_chosen = has_attribute(tag, "selected");
    const bool is_first = !has_option_ && !is_multiple_;
    has_option_ = true;
    if (has_attribute(tag, "disabled") || !(is_chosen || (is_first && !is_chosen_))) return;
    is_chosen_ = is_chosen_ || is_chosen;
    if (const std::string_view* const value = find_attribute(tag, "value")) {
      field_->field.value = *value;
      has_value_ = true;
    } else {
      begin_text(TagId::option);
    }
  }

  void end_text() {
    const TagId of = text_of_;
    text_of_ = TagId::other;
    if (of == TagId::other) return;
    if (of == TagId::textarea) {
      const bool begins_line = text_.starts_with('\n');
      field_->field.value = text_.substr(begins_line ? 1 : 0);
    } else {
      field_->field.value = collapsed(text_);
      has_value_ = true;
    }
  }

  void end_select() {
    end_text();
    if (in_select_ && !has_value_) field_->field.is_sent = false;
    in_select_ = has_value_ = false;
  }

  ContentModel model_;
  FormPage page_;
  std::vector<std::string> ids_;  // of the forms
  std::vector<Owned> fields_;
  Owned left_out_;
  Owned* field_ = &left_out_;   // the current field
  std::size_t form_ = kNoForm;  // the open form
  TagId text_of_ = TagId::other;
  std::string text_;
  bool in_select_ = false;
  bool is_multiple_ = false;
  bool has_option_ = false;
  bool is_chosen_ = false;
  bool has_value_ = false;
};

// Returns whether the character is not escaped.
constexpr bool is_plain(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '*' ||
         c == '-' || c == '.' || c == '_';
}

void append_encoded(std::string_view text, std::string& out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (is_plain(c)) {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      out += '%';
      out += kDigits[byte >> 4];
      out += kDigits[byte & 15];
    }
  }
}

}  // namespace

const FormField* Form::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(fields, name, &FormField::name);
  return found == fields.end() ? nullptr : &*found;
}

bool Form::has_password() const noexcept {
  return std::ranges::find(fields, FormFieldKind::password, &FormField::kind) != fields.end();
}

FormPage read_forms(std::string_view document) {
  FormReader reader;
  Tokenizer<FormReader> tokenizer(reader);
  tokenizer.feed(document);
  tokenizer.finish();
  return reader.take();
}

std::string encode_form(const std::vector<std::pair<std::string, std::string>>& fields) {
  std::string out;
  for (const auto& [name, value] : fields) {
    if (!out.empty()) out += '&';
    append_encoded(name, out);
    out += '=';
    append_encoded(value, out);
  }
  return out;
}

}  // namespace gossamer::html
