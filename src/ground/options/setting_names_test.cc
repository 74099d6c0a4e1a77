#include "options/setting_names.h"

#include <gtest/gtest.h>

namespace gossamer::options {
namespace {

TEST(SettingNames, HaveASpellingForEachFace) {
  EXPECT_EQ(as_flags("larger than `max-size`"), "larger than --max-size");
  EXPECT_EQ(as_flags("use only one of `scope` and `strict`"),
            "use only one of --scope and --strict");
  EXPECT_EQ(as_flags("use `v`"), "use -v");
  EXPECT_EQ(as_keywords("`max-size` is too small"), "max_size is too small");
}

TEST(SettingNames, AreAloneInBackquotes) {
  for (const std::string_view text : {"run `gossamer resume DIR`", "the file `a.html`", "a ` alone",
                                      "``", "`-x`", "`Scope`", ""}) {
    EXPECT_EQ(as_flags(text), text);
  }
  EXPECT_EQ(as_flags("`a b` `depth`"), "`a b` --depth");
}

}  // namespace
}  // namespace gossamer::options
