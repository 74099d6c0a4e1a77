import structure_rules as rules
from case import RuleTest

LAYERS = (
    "# comment\nground/base:      things\npage/url: base  more things\nground/async: base\n"
)


def tree_with(path, text, **more):
    return {
        rules.LAYERS: LAYERS,
        "src/ground/base/error.h": "",
        "src/page/url/url.h": "",
        path: text,
        **more,
    }


class LayersTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.layers)

    def test_an_upward_include_is_caught(self):
        texts = tree_with("src/ground/base/a.cc", '#include "url/url.h"\n')
        self.assert_catches(rules.layers, texts, "base must not include url")

    def test_an_include_of_a_layer_that_is_not_named_is_caught(self):
        texts = tree_with("src/ground/async/a.cc", '#include "url/url.h"\n')
        self.assert_catches(rules.layers, texts, "async must not include url")

    def test_an_include_of_nothing_is_caught(self):
        texts = tree_with("src/page/url/a.cc", '#include "url.h"\n')
        self.assert_catches(rules.layers, texts, "there is no url.h")

    def test_a_folder_without_a_line_is_caught(self):
        texts = tree_with("src/page/extra/a.cc", "")
        self.assert_catches(rules.layers, texts, "no layer page/extra")

    def test_a_layer_that_names_one_below_it_is_caught(self):
        texts = {rules.LAYERS: "ground/base: url\npage/url: base\n"}
        self.assert_catches(rules.layers, texts, "base names url, which is not above it")

    def test_a_line_that_cannot_be_read_is_caught(self):
        self.assert_catches(rules.layers, {rules.LAYERS: "base\n"}, "cannot read")

    def test_tests_may_include_any_layer(self):
        self.assert_accepts(
            rules.layers, tree_with("src/ground/base/a_test.cc", '#include "url/url.h"\n')
        )

    def test_only_tests_may_include_tests(self):
        text, world = '#include "tests/simulated/world.h"\n', {"tests/simulated/world.h": ""}
        self.assert_accepts(rules.layers, tree_with("src/ground/base/a_test.cc", text, **world))
        texts = tree_with("src/ground/base/a.cc", text, **world)
        self.assert_catches(rules.layers, texts, "must not include its tests")

    def test_an_include_in_a_comment_passes(self):
        texts = tree_with("src/ground/base/a.h", '// #include "url/url.h"\n')
        self.assert_accepts(rules.layers, texts)


    def test_a_layer_in_another_wing_is_caught(self):
        texts = tree_with("src/page/async/a.cc", "")
        self.assert_catches(rules.layers, texts, "no layer page/async")


class WingsTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.wings_are_acyclic)

    def test_two_wings_that_need_each_other_are_caught(self):
        texts = {rules.LAYERS: "ground/base:\npage/url: base\nground/async: url\n"}
        self.assert_catches(rules.wings_are_acyclic, texts, "ground -> page -> ground")

    def test_layers_of_one_wing_may_need_each_other(self):
        texts = {rules.LAYERS: "ground/base:\npage/url: base\nground/async: base\n"}
        self.assert_accepts(rules.wings_are_acyclic, texts)


class FoldersTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.folders_are_acyclic)

    def test_two_folders_of_a_layer_that_include_each_other_are_caught(self):
        texts = {
            "src/page/url/host/a.cc": '#include "url/path/b.h"\n',
            "src/page/url/path/b.h": '#include "url/host/c.h"\n',
            "src/page/url/host/c.h": "",
        }
        problem = "url/host -> url/path -> url/host"
        self.assert_catches(rules.folders_are_acyclic, texts, problem)

    def test_one_way_is_accepted(self):
        texts = {"src/page/url/a.cc": '#include "url/path/b.h"\n', "src/page/url/path/b.h": ""}
        self.assert_accepts(rules.folders_are_acyclic, texts)


class LayersUsedTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.layers_used)

    def test_a_name_that_nobody_uses_is_caught(self):
        texts = {rules.LAYERS: "ground/base:\npage/url: base  addresses\n", "src/page/url/a.cc": ""}
        self.assert_catches(rules.layers_used, texts, "url names base")

    def test_a_test_does_not_use_a_layer(self):
        lines = "ground/base:\npage/url: base\n"
        texts = {rules.LAYERS: lines, "src/page/url/a_test.cc": '#include "base/a.h"\n'}
        self.assert_catches(rules.layers_used, texts, "url names base")

    def test_an_include_uses_a_layer(self):
        lines = "ground/base:\npage/url: base\n"
        texts = {rules.LAYERS: lines, "src/page/url/a.h": '#include "base/a.h"\n'}
        self.assert_accepts(rules.layers_used, texts)


class HeaderIncludesTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.header_includes)

    def test_dear_headers_are_caught_in_headers(self):
        for name in rules.BANNED_IN_HEADERS:
            self.assert_catches(
                rules.header_includes, {"src/page/url/a.h": f"#include <{name}>\n"}, f"<{name}>"
            )

    def test_chrono_comes_through_base_time(self):
        text = "#include <chrono>\n"
        self.assert_catches(rules.header_includes, {"src/page/url/a.h": text}, "base/time.h")
        self.assert_accepts(rules.header_includes, {rules.CHRONO_HEADER: text})

    def test_sources_may_include_them(self):
        self.assert_accepts(rules.header_includes, {"src/page/url/a.cc": "#include <thread>\n"})


class KernelHeadersTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.kernel_headers)

    def test_a_kernel_header_outside_of_a_driver_is_caught(self):
        for path in (
            "src/ground/async/loop.cc",
            "src/ground/async/drivers/epoll_driver.h",
            "src/page/url/url_driver.cc",
        ):
            for name in ("sys/epoll.h", "liburing.h", "netinet/tcp.h"):
                self.assert_catches(rules.kernel_headers, {path: f"#include <{name}>\n"}, name)

    def test_drivers_and_listed_files_pass(self):
        text = "#include <sys/epoll.h>\n"
        self.assert_accepts(
            rules.kernel_headers,
            {
                "src/ground/async/drivers/epoll_driver.cc": text,
                "src/ground/async/address.cc": text,
                rules.KERNEL_FILES: "src/ground/async/address.cc\n",
            },
        )

    def test_a_listed_file_that_needs_no_place_is_caught(self):
        self.assert_catches(
            rules.kernel_headers, {rules.KERNEL_FILES: "src/a.cc  # why\n"}, "drop the line"
        )


class SourcesListedTest(RuleTest):
    def test_the_tree_obeys(self):
        self.assert_tree_obeys(rules.sources_listed)

    def test_a_source_that_is_not_listed_is_caught(self):
        build_file = "gossamer_layer(url SOURCES other_a.cc # a.cc\n)"
        self.assert_catches(
            rules.sources_listed,
            {"src/page/url/a.cc": "", "src/page/url/CMakeLists.txt": build_file},
            "does not list a.cc",
        )

    def test_a_source_of_a_folder_below_is_listed_with_it(self):
        build_file = "gossamer_layer(url SOURCES table/a.cc)"
        self.assert_accepts(
            rules.sources_listed,
            {"src/page/url/table/a.cc": "", "src/page/url/CMakeLists.txt": build_file},
        )
