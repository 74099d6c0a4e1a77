#include "cli/command.h"

#include <gtest/gtest.h>

#include <array>
#include <cerrno>
#include <string>
#include <string_view>
#include <vector>

#include "base/edit_distance.h"
#include "base/number.h"
#include "cli/commands.h"

namespace gossamer::cli {
namespace {

constexpr std::array<std::string_view, 3> kNames = {"doctor", "links", "robots"};

TEST(NearestTest, FindsTheIntendedName) {
  EXPECT_EQ(base::nearest("doktor", kNames), "doctor");
  EXPECT_EQ(base::nearest("link", kNames), "links");
  EXPECT_EQ(base::nearest("robtos", kNames), "robots");
}

TEST(NearestTest, SuggestsNothingIfNothingIsClose) {
  EXPECT_EQ(base::nearest("xylophone", kNames), "");
  EXPECT_EQ(base::nearest("", kNames), "");
}

TEST(NumberTest, AcceptsOnlyWholeNumbersThatFit) {
  std::uint64_t number = 0;
  EXPECT_TRUE(base::parse_number("18446744073709551615", number));
  EXPECT_EQ(number, 18446744073709551615u);
  for (const char* text : {"", " 1", "1 ", "-1", "+1", "1.5", "18446744073709551616"}) {
    EXPECT_FALSE(base::parse_number(text, number)) << text;
  }
}

TEST(DoctorCommandTest, RejectsNonNumbers) {
  EXPECT_EQ(run_command(doctor_command, {"many"}), kUsage);
  EXPECT_EQ(run_command(doctor_command, {"1", "2"}), kUsage);
}

TEST(DoctorCommandTest, SaysWhetherTheConnectionsArePossible) {
  EXPECT_EQ(run_command(doctor_command, {"1"}), kOk);
  EXPECT_EQ(run_command(doctor_command, {"18446744073709551000"}), kFailed);
}

TEST(ExitCode, OfAnUnwritableFileIsFileFailed) {
  EXPECT_EQ(exit_code_for(Error::from_errno(EACCES, "open a.warc.gz")), kFileFailed);
  EXPECT_EQ(exit_code_for(Error::from_errno(EROFS, "mkdir a")), kFileFailed);
  EXPECT_EQ(exit_code_for(Error(Errc::denied, "127.0.0.1 is a private address")), kNetworkFailed);
  EXPECT_EQ(exit_code_for(Error::from_errno(EPERM, "connect")), kNetworkFailed) << "a firewall";
}

}  // namespace
}  // namespace gossamer::cli
