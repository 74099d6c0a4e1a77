#include "server/metrics.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>

namespace gossamer::server {
namespace {

TEST(Metrics, WritesTheTextFormatOfPrometheus) {
  Metrics metrics;
  metrics.add(Metrics::Kind::gauge, "b_now", "Things now.", 3);
  metrics.add(Metrics::Kind::counter, "a_total", "Things.", 1, {"kind", "x"}, {"of", "y"});
  metrics.add(Metrics::Kind::counter, "a_total", "Things.", 4, {"kind", "x"}, {"of", "y"});
  EXPECT_EQ(metrics.text(),
            "# HELP a_total Things.\n# TYPE a_total counter\na_total{kind=\"x\",of=\"y\"} 5\n"
            "# HELP b_now Things now.\n# TYPE b_now gauge\nb_now 3\n");
}

TEST(Metrics, EscapesTheValuesOfLabels) {
  Metrics metrics;
  metrics.add(Metrics::Kind::gauge, "a", "A.", 1, {"name", "q\"b\\n\n"});
  EXPECT_THAT(metrics.text(), testing::HasSubstr("a{name=\"q\\\"b\\\\n\\n\"} 1\n"));
}

}  // namespace
}  // namespace gossamer::server
