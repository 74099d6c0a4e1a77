// The Public Suffix List's own tests, against its own list.
#include <algorithm>
#include <string>
#include <string_view>

#include "support/testdata.h"
#include "url/code_points.h"
#include "url/public_suffix.h"

namespace gossamer::conformance {
namespace {

// The tests fold hosts to lower case first; a Url has done that.
std::string folded(std::string_view host) {
  std::string out(host);
  std::ranges::transform(out, out.begin(), url::to_lower);
  return out;
}

void run(const url::PublicSuffixList& list, Score& score) {
  const std::string tests = read_testdata("psl/tests.txt");
  for_each_line(tests, [&](std::string_view line) {
    const std::size_t tab = line.find('\t');
    if (line.starts_with("//") || tab == std::string_view::npos) return;
    const std::string host = folded(line.substr(0, tab));
    const ExactBlock block(host);
    const std::string_view found = list.registrable_domain(block.view());
    const std::string_view got = found.empty() ? "null" : found;
    const std::string_view wanted = line.substr(tab + 1);
    score.count(got == wanted, [&] { return fmt::format("{}: {}, not {}", host, got, wanted); });
  });
}

TEST(PslSuite, AgreesWithTheTestsOfTheList) {
  NEEDS_TESTDATA("psl");
  const std::string text = read_testdata("psl/public_suffix_list.dat");
  const auto list = url::PublicSuffixList::from_text(ExactBlock(text).view());
  ASSERT_TRUE(list.has_value());
  Score score("psl");
  run(*list, score);
  EXPECT_TRUE(score.reaches(1.0));
}

// The list that comes with libpsl is some years older; the tests name few suffixes younger than
// that.
TEST(PslSuite, TheBuiltInListAgreesToo) {
  NEEDS_TESTDATA("psl");
  Score score("psl, built-in list");
  run(url::PublicSuffixList::built_in(), score);
  EXPECT_TRUE(score.reaches(0.95));
}

}  // namespace
}  // namespace gossamer::conformance
