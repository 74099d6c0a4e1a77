#include "dom/foreign.h"

#include <algorithm>
#include <array>

#include "html/token/ascii.h"

namespace gossamer::dom {
namespace {

// clang-format off
// https://html.spec.whatwg.org/#parsing-main-inforeign, in alphabetical order.
constexpr auto kSvgNames = std::to_array<std::string_view>({
    "altGlyph", "altGlyphDef", "altGlyphItem", "animateColor", "animateMotion",
    "animateTransform", "clipPath", "feBlend", "feColorMatrix", "feComponentTransfer",
    "feComposite", "feConvolveMatrix", "feDiffuseLighting", "feDisplacementMap",
    "feDistantLight", "feDropShadow", "feFlood", "feFuncA", "feFuncB", "feFuncG", "feFuncR",
    "feGaussianBlur", "feImage", "feMerge", "feMergeNode", "feMorphology", "feOffset",
    "fePointLight", "feSpecularLighting", "feSpotLight", "feTile", "feTurbulence",
    "foreignObject", "glyphRef", "linearGradient", "radialGradient", "textPath"});
// https://html.spec.whatwg.org/#adjust-svg-attributes
constexpr auto kSvgAttributes = std::to_array<std::string_view>({
    "attributeName", "attributeType", "baseFrequency", "baseProfile", "calcMode",
    "clipPathUnits", "diffuseConstant", "edgeMode", "filterUnits", "glyphRef",
    "gradientTransform", "gradientUnits", "kernelMatrix", "kernelUnitLength", "keyPoints",
    "keySplines", "keyTimes", "lengthAdjust", "limitingConeAngle", "markerHeight",
    "markerUnits", "markerWidth", "maskContentUnits", "maskUnits", "numOctaves", "pathLength",
    "patternContentUnits", "patternTransform", "patternUnits", "pointsAtX", "pointsAtY",
    "pointsAtZ", "preserveAlpha", "preserveAspectRatio", "primitiveUnits", "refX", "refY",
    "repeatCount", "repeatDur", "requiredExtensions", "requiredFeatures", "specularConstant",
    "specularExponent", "spreadMethod", "startOffset", "stdDeviation", "stitchTiles",
    "surfaceScale", "systemLanguage", "tableValues", "targetX", "targetY", "textLength",
    "viewBox", "viewTarget", "xChannelSelector", "yChannelSelector", "zoomAndPan"});
// clang-format on
constexpr auto kMathAttributes = std::to_array<std::string_view>({"definitionURL"});

// https://html.spec.whatwg.org/#adjust-foreign-attributes
struct ForeignAttribute {
  std::string_view name;
  AttributeSpace space;
};
constexpr ForeignAttribute kForeignAttributes[] = {
    {"xlink:actuate", AttributeSpace::xlink}, {"xlink:arcrole", AttributeSpace::xlink},
    {"xlink:href", AttributeSpace::xlink},    {"xlink:role", AttributeSpace::xlink},
    {"xlink:show", AttributeSpace::xlink},    {"xlink:title", AttributeSpace::xlink},
    {"xlink:type", AttributeSpace::xlink},    {"xml:lang", AttributeSpace::xml},
    {"xml:space", AttributeSpace::xml},       {"xmlns", AttributeSpace::xmlns},
    {"xmlns:xlink", AttributeSpace::xmlns},
};

// Orders spellings by their letters in lower case.
constexpr bool is_before(std::string_view one, std::string_view other) noexcept {
  return std::ranges::lexicographical_compare(one, other, {}, html::to_lower, html::to_lower);
}
static_assert(std::ranges::is_sorted(kSvgNames, is_before));
static_assert(std::ranges::is_sorted(kSvgAttributes, is_before));

// Returns the spelling that equals `name` in lower case, else `name` itself.
template <class Spellings>
std::string_view spelled(const Spellings& spellings, std::string_view name) noexcept {
  const auto found = std::ranges::lower_bound(spellings, name, is_before);
  if (found == spellings.end() || found->size() != name.size()) return name;
  const bool is_same = std::ranges::equal(*found, name, {}, html::to_lower);
  return is_same ? *found : name;
}

AttributeSpace space_of(std::string_view name) noexcept {
  if (!name.starts_with('x')) return AttributeSpace::none;
  for (const ForeignAttribute& foreign : kForeignAttributes) {
    if (foreign.name == name) return foreign.space;
  }
  return AttributeSpace::none;
}

}  // namespace

std::string_view svg_name(std::string_view name) noexcept { return spelled(kSvgNames, name); }

std::span<const Attribute> adjusted_attributes(Space space, std::span<Attribute> attributes) {
  for (Attribute& attribute : attributes) {
    const std::string_view name = space == Space::svg ? spelled(kSvgAttributes, attribute.name())
                                                      : spelled(kMathAttributes, attribute.name());
    attribute = Attribute(attribute.id(), space_of(name), name, attribute.value());
  }
  return attributes;
}

}  // namespace gossamer::dom
