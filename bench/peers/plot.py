"""Bar charts as SVG, to be read on a light or a dark page alike."""

import html

# Greys and colours in the middle, which stand out from white and from black.
TEXT = "#767e8a"
BAR = "#6a93b8"
OURS = "#e0701a"
FONT = "font-family='system-ui, sans-serif'"

ROW = 20
NAME_WIDTH = 166
VALUE_WIDTH = 62
PANEL_WIDTH = 460
PANEL_GAP = 24
TITLE_HEIGHT = 44


def text(x, y, words, size=12, anchor="start", weight="normal", fill=TEXT):
    return (f"<text x='{x:.0f}' y='{y:.0f}' font-size='{size}' text-anchor='{anchor}' "
            f"font-weight='{weight}' fill='{fill}' {FONT}>{html.escape(words)}</text>")


def panel(x, y, title, subtitle, bars):
    """bars: [(name, value, label, is_ours)], longest = largest value."""
    parts = [text(x, y + 14, title, size=14, weight="bold"), text(x, y + 31, subtitle, size=11)]
    most = max((value for _, value, _, _ in bars), default=0) or 1
    room = PANEL_WIDTH - NAME_WIDTH - VALUE_WIDTH
    for i, (name, value, label, is_ours) in enumerate(bars):
        top = y + TITLE_HEIGHT + i * ROW
        length = max(1.0, room * value / most)
        fill, weight = (OURS, "bold") if is_ours else (BAR, "normal")
        parts.append(text(x + NAME_WIDTH - 8, top + 13, name, anchor="end", weight=weight))
        parts.append(f"<rect x='{x + NAME_WIDTH}' y='{top + 2}' width='{length:.1f}' "
                     f"height='{ROW - 6}' rx='2' fill='{fill}'/>")
        parts.append(text(x + NAME_WIDTH + length + 6, top + 13, label, weight=weight))
    return "\n".join(parts)


def chart(title, panels, columns=2):
    """panels: [(title, subtitle, bars)], from left to right. -> the text of an SVG file"""
    heights = [TITLE_HEIGHT + ROW * len(bars) + PANEL_GAP for _, _, bars in panels]
    width = columns * PANEL_WIDTH + (columns - 1) * PANEL_GAP
    parts, y = [], 0
    for first in range(0, len(panels), columns):
        for i, one in enumerate(panels[first:first + columns]):
            parts.append(panel(i * (PANEL_WIDTH + PANEL_GAP), y, *one))
        y += max(heights[first:first + columns])
    return (f"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {width} {y}' width='{width}' "
            f"height='{y}' role='img'>\n<title>{html.escape(title)}</title>\n"
            + "\n".join(parts) + "\n</svg>\n")
