#include "mirror/names.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/ascii.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/utf8.h"
#include "url/domain.h"
#include "url/percent.h"

namespace gossamer::mirror {
namespace {

constexpr std::size_t kExtensionBytesMax = 12;
constexpr std::size_t kQueryBytesMax = 40;

bool is_plain(char c) {
  return base::is_letter(c) || base::is_digit(c) || std::string_view("-_.~=+@").contains(c);
}

std::string escaped(char c) { return fmt::format("%{:02X}", static_cast<unsigned char>(c)); }

// Returns whether `c` is a letter of any script or a visible sign.
bool is_readable(char32_t c) {
  const bool is_invisible = c == 0xA0 || c == 0xAD || (c >= 0x2000 && c <= 0x200F) ||
                            (c >= 0x2028 && c <= 0x202F) || (c >= 0x205F && c <= 0x206F) ||
                            c == 0x3000 || c == 0xFEFF;
  const bool is_odd = (c >= 0xE000 && c <= 0xF8FF) || (c >= 0xFFF0 && c <= 0xFFFF) || c >= 0xE0000;
  return !is_invisible && !is_odd && !base::is_harmful(c);
}

// Keeps or decodes readable characters and escapes everything else, so that an escaped slash or
// zero byte stays escaped.
std::string plain(std::string_view text) {
  const std::string bytes = url::percent_decoded(text);
  std::string name;
  for (std::string_view rest = bytes; !rest.empty();) {
    const char first = rest.front();
    std::size_t length = 1;
    if (is_plain(first)) {
      name.push_back(first);
    } else if (static_cast<unsigned char>(first) < 0x80) {
      name += escaped(first);
    } else if (const auto decoded = base::decode_utf8(rest);
               decoded.length > 0 && is_readable(decoded.code_point)) {
      length = decoded.length;
      name += rest.substr(0, length);
    } else {
      name += escaped(first);
    }
    rest.remove_prefix(length);
  }
  return name;
}

// Returns at most `bytes_max` bytes, and no partial character.
std::string_view beginning(std::string_view text, std::size_t bytes_max) {
  if (text.size() <= bytes_max) return text;
  std::size_t end = bytes_max;
  while (end > 0 && (static_cast<unsigned char>(text[end]) & 0xC0) == 0x80) --end;
  return text.substr(0, end);
}

// Removes dots at both ends: "..", hidden files, and dots that Windows would remove.
std::string without_outer_dots(std::string name) {
  if (name.ends_with('.')) name.replace(name.size() - 1, 1, escaped('.'));
  if (name.starts_with('.')) name.replace(0, 1, escaped('.'));
  return name;
}

// A name that begins with a dash is an option to most programs: `rm *`.
std::string without_dash(std::string name) {
  if (name.starts_with('-')) name.replace(0, 1, escaped('-'));
  return name;
}

// Returns whether the name is a Windows device, in any case and with any extension. A copy with
// such a name cannot be unpacked on Windows.
// https://learn.microsoft.com/en-us/windows/win32/fileio/naming-a-file
bool is_device(std::string_view stem) {
  for (const std::string_view device : {"con", "prn", "aux", "nul"}) {
    if (base::equals_ignoring_case(stem, device)) return true;
  }
  const bool is_port = base::equals_ignoring_case(stem.substr(0, 3), "com") ||
                       base::equals_ignoring_case(stem.substr(0, 3), "lpt");
  return is_port && stem.size() == 4 && base::is_digit(stem[3]);
}

// "con.html" becomes "con~.html".
std::string without_device(std::string name) {
  const std::size_t dot = std::min(name.find('.'), name.size());
  if (is_device(std::string_view(name).substr(0, dot))) name.insert(dot, "~");
  return name;
}

std::string hash_mark(std::string_view text) {
  return fmt::format("~{:08x}", base::hash64(text) & 0xFFFFFFFF);
}

// Cuts the end of the name and appends a hash of the whole name.
std::string shortened(std::string name, std::size_t bytes_max) {
  if (name.size() <= bytes_max) return name;
  const std::string mark = hash_mark(name);
  return std::string(beginning(name, bytes_max - mark.size())) + mark;
}

// Returns the extension with its dot; empty if there is none.
std::string_view extension_of(std::string_view name) {
  const std::size_t dot = name.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  const std::string_view extension = name.substr(dot);
  const bool is_one =
      extension.size() > 1 && extension.size() <= kExtensionBytesMax &&
      std::ranges::all_of(extension.substr(1), [](char c) { return is_plain(c) && c != '~'; });
  return is_one ? extension : std::string_view();
}

constexpr std::string_view kPrograms =
    ".php .php3 .php4 .php5 .phtml .asp .aspx .ashx .jsp .jspx .cgi .pl .py .rb .do .action .cfm "
    ".dll";
constexpr std::string_view kImages =
    ".png .jpg .jpeg .jpe .jfif .gif .webp .avif .bmp .ico .cur .tif .tiff .apng .heic";

// Browsers recognise a local file by its extension. `others` are extensions that work as well.
// Types that are not strict are recognised by their first bytes, so any extension works except that
// of a program.
struct KnownType {
  std::string_view mime;
  std::string_view extension;
  bool is_strict = false;
  std::string_view others = {};
};
constexpr KnownType kKnownTypes[] = {
    {"text/html", ".html", true, ".htm .xhtml .xht"},
    {"application/xhtml+xml", ".html", true, ".htm .xhtml .xht"},
    {"text/css", ".css", true},
    {"text/javascript", ".js", true, ".mjs"},
    {"application/javascript", ".js", true, ".mjs"},
    {"image/svg+xml", ".svg", true},
    {"text/plain", ".txt"},
    {"application/json", ".json"},
    {"application/pdf", ".pdf"},
    {"application/xml", ".xml"},
    {"text/xml", ".xml"},
    {"application/rss+xml", ".xml"},
    {"application/atom+xml", ".xml"},
    {"image/png", ".png", true, kImages},
    {"image/jpeg", ".jpg", true, kImages},
    {"image/gif", ".gif", true, kImages},
    {"image/webp", ".webp", true, kImages},
    {"image/avif", ".avif", true, kImages},
    {"image/bmp", ".bmp", true, kImages},
    {"image/x-icon", ".ico", true, kImages},
    {"image/vnd.microsoft.icon", ".ico", true, kImages},
    {"font/woff", ".woff"},
    {"font/woff2", ".woff2"},
    {"font/ttf", ".ttf"},
    {"font/otf", ".otf"},
    {"audio/mpeg", ".mp3"},
    {"audio/ogg", ".ogg"},
    {"video/mp4", ".mp4"},
    {"video/webm", ".webm"},
    {"application/zip", ".zip"},
};

bool is_among(std::string_view extension, std::string_view list) {
  while (!list.empty()) {
    const std::string_view one = list.substr(0, list.find(' '));
    if (base::equals_ignoring_case(extension, one)) return true;
    list.remove_prefix(std::min(list.size(), one.size() + 1));
  }
  return false;
}

// Returns the extension to append to the existing one; empty if none is needed.
std::string_view missing_extension(std::string_view extension, std::string_view mime) {
  for (const KnownType& known : kKnownTypes) {
    if (!base::equals_ignoring_case(known.mime, mime)) continue;
    if (extension.empty()) return known.extension;
    const bool will_do =
        known.is_strict ? is_among(extension, known.others) : !is_among(extension, kPrograms);
    const bool is_right = will_do || base::equals_ignoring_case(extension, known.extension);
    return is_right ? std::string_view() : known.extension;
  }
  return {};
}

// Returns equal keys for names that some file systems treat as equal: names that differ in case, or
// in the composition of accented letters. UTS #46 maps these to one text, as it does for domains.
std::string clash_key(const std::string& name) {
  const bool is_ascii = std::ranges::none_of(name, [](char c) { return (c & 0x80) != 0; });
  std::string key;
  if (!is_ascii && url::domain_to_ascii(name, key)) return key;
  key = name;
  std::ranges::transform(key, key.begin(), base::to_lower);
  return key;
}

std::string folder_name(std::string_view part) {
  std::string name = without_dash(without_outer_dots(plain(part)));
  return shortened(without_device(std::move(name)), Names::kPartBytesMax);
}

}  // namespace

// Returns a folder name that no file has. Folders can share a name, because the names inside them
// differ.
std::string Names::take_folder(const std::string& parent, std::string_view part) {
  const std::string name = folder_name(part);
  std::string folder = parent + name;
  for (int i = 0;; ++i) {
    const auto [entry, is_new] = taken_.try_emplace(clash_key(folder), Use::folder);
    if (is_new || entry->second == Use::folder) return folder + '/';
    folder = parent + shortened(name, kPartBytesMax - 9) + hash_mark(fmt::format("{}/{}", name, i));
  }
}

std::string Names::take_folders(std::string_view host, std::string_view path) {
  std::string with_plus(host);
  std::ranges::replace(with_plus, ':',
                       '+');  // invalid in folder names on Windows, and looks like a scheme
  std::string folders = take_folder({}, with_plus.empty() ? "no-host" : with_plus);
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    // The file and the last folder need room too.
    if (folders.size() + part.size() + 3 * kPartBytesMax > kBytesMax) {
      return take_folder(folders, "deeper" + hash_mark(path));
    }
    path.remove_prefix(std::min(path.size(), part.size() + 1));
    if (!part.empty()) folders = take_folder(folders, part);
  }
  return folders;
}

std::string Names::name_for(const url::Url& url, std::string_view mime) {
  const std::string_view path = url.pathname();
  const std::size_t slash = path.rfind('/');
  const std::size_t file_begin = slash == std::string_view::npos ? 0 : slash + 1;
  const std::string folders = take_folders(url.host(), path.substr(0, file_begin));
  std::string stem = without_dash(without_outer_dots(plain(path.substr(file_begin))));
  if (stem.empty()) stem = "index";
  std::string extension(extension_of(stem));
  const std::string_view missing = missing_extension(extension, mime);
  // "list.php" becomes "list.php.html".
  if (missing.empty()) {
    stem.resize(stem.size() - extension.size());
  } else {
    extension = missing;
  }
  if (!url.search().empty()) {
    const std::string query = without_outer_dots(plain(url.search().substr(1)));
    stem += '@';
    stem += beginning(query, kQueryBytesMax);
    if (query.size() > kQueryBytesMax) stem += hash_mark(url.search());
  }
  stem = shortened(without_device(std::move(stem)), kPartBytesMax - kExtensionBytesMax - 9);
  std::string name = folders + stem + extension;
  for (int i = 0; !taken_.try_emplace(clash_key(name), Use::file).second; ++i) {
    name = folders + stem + hash_mark(fmt::format("{}#{}", url.href(), i)) + extension;
  }
  return name;
}

}  // namespace gossamer::mirror
