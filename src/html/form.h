// The forms of a page, as a browser would send them.
//
//   const FormPage page = read_forms(document);
//   for (const Form& form : page.forms) if (form.has_password()) ...
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace gossamer::html {

enum class FormFieldKind : std::uint8_t {
  text,      // text, email, ...; textarea, select
  password,  // <input type=password>
  hidden,
  choice,  // checkbox, radio
  submit,  // a button that sends the form
};

struct FormField {
  std::string name;
  std::string value;
  FormFieldKind kind = FormFieldKind::text;
  // It goes along if nothing is changed: not a box without its mark, nor a second button.
  bool is_sent = true;
};

struct Form {
  // As the document says it, or the button that sends it; not resolved. Empty: the page itself.
  std::string action;
  std::string method = "get";  // in lower case: "get", "post", "dialog"
  std::vector<FormField> fields;

  // nullptr: it has none of that name.
  const FormField* find(std::string_view name) const noexcept;
  bool has_password() const noexcept;
};

struct FormPage {
  std::vector<Form> forms;          // in their order
  std::optional<std::string> base;  // of the first <base href>
};

// BOUND: what is beyond is left out.
inline constexpr std::size_t kFormsMax = 256;
inline constexpr std::size_t kFormFieldsMax = 1024;                       // of all forms of a page
inline constexpr std::size_t kFormTextBytesMax = std::size_t{64} * 1024;  // of a textarea or option

// The forms of a document, which is UTF-8. Fields that cannot be changed (disabled), files,
// pictures and forms in <template> are left out. A field belongs to the form around it, or to that
// which its `form` attribute names.
// https://html.spec.whatwg.org/#form-control-infrastructure
FormPage read_forms(std::string_view document);

// "user=me&token=a%2Bb": application/x-www-form-urlencoded.
// https://url.spec.whatwg.org/#urlencoded-serializing
std::string encode_form(const std::vector<std::pair<std::string, std::string>>& fields);

}  // namespace gossamer::html
