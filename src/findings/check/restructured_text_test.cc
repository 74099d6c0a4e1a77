#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "check/document.h"

namespace gossamer::check {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// "3:9 /x text", one per link.
std::vector<std::string> links_of_rst(std::string_view text) {
  std::vector<std::string> lines;
  for (const LinkPlace& link : read_restructured_text(text).links) {
    lines.push_back(std::to_string(link.at.line) + ":" + std::to_string(link.at.column) + " " +
                    link.url + (link.text.empty() ? "" : " " + link.text));
  }
  return lines;
}

TEST(RestructuredText, HasEmbeddedLinksTargetsAndImages) {
  EXPECT_THAT(links_of_rst("See `the guide <guide.html>`_ or https://a.example/x.\n\n"
                           ".. _Project: https://b.example/\n"
                           ".. image:: logo.png\n   :target: https://c.example/\n"
                           ".. |mark| image:: mark.png\n"
                           ".. _`A: b`: other.html\n"),
              ElementsAre("1:17 guide.html the guide", "1:34 https://a.example/x",
                          "3:14 https://b.example/", "4:12 logo.png", "5:13 https://c.example/",
                          "6:19 mark.png", "7:13 other.html"));
}

TEST(RestructuredText, HasNoLinksInCodeNorInNames) {
  EXPECT_THAT(links_of_rst("As ``https://a.example/`` says::\n\n    https://b.example/\n\n"
                           ".. code-block:: sh\n\n   curl https://c.example/\n\n"
                           ":doc:`other <page>` `alias <Project_>`_ `name`_\n\n"
                           ".. _label:\n.. _one: other_\n"),
              IsEmpty());
}

TEST(RestructuredText, HasLinksInDirectivesWithText) {
  EXPECT_THAT(links_of_rst(".. note:: See https://a.example/\n\n   And `b <b.html>`__.\n"),
              ElementsAre("1:15 https://a.example/", "3:12 b.html b"));
  EXPECT_THAT(links_of_rst("Text::\n\n    code https://a.example/\n\nhttps://b.example/\n"),
              ElementsAre("5:1 https://b.example/"));
}

TEST(RestructuredText, EndsWhereverItIsCut) {
  const std::string text = ".. _`a: `b <c>`_ ``d`` :e:`f` .. image:: g\n.. |h| image:: i\n::\n";
  for (std::size_t size = 0; size <= text.size(); ++size) {
    read_restructured_text(std::string_view(text).substr(0, size));
  }
}

}  // namespace
}  // namespace gossamer::check
