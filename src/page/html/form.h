// Reads the forms of a page, as a browser would send them.
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
  // Whether an unchanged form sends it. An unchecked box and a second button are not sent.
  bool is_sent = true;
};

struct Form {
  // From the form or the button that sends it; not resolved. Empty means the page itself.
  std::string action;
  std::string method = "get";  // in lower case: "get", "post", "dialog"
  std::vector<FormField> fields;

  // Returns nullptr if there is no field of that name.
  const FormField* find(std::string_view name) const noexcept;
  bool has_password() const noexcept;
};

struct FormPage {
  std::vector<Form> forms;          // in document order
  std::optional<std::string> base;  // of the first <base href>
};

// BOUND: further ones are dropped.
inline constexpr std::size_t kFormsMax = 256;
inline constexpr std::size_t kFormFieldsMax = 1024;                       // of all forms of a page
inline constexpr std::size_t kFormTextBytesMax = std::size_t{64} * 1024;  // of a textarea or option

// Reads the forms of a document, which is UTF-8. Disabled fields, files, images and forms in
// <template> are left out. A field belongs to the form around it, or to the one that its `form`
// attribute names.
// https://html.spec.whatwg.org/#form-control-infrastructure
FormPage read_forms(std::string_view document);

// Returns "user=me&token=a%2Bb": application/x-www-form-urlencoded.
// https://url.spec.whatwg.org/#urlencoded-serializing
std::string encode_form(const std::vector<std::pair<std::string, std::string>>& fields);

}  // namespace gossamer::html
