// A squarified treemap (Bruls, Huizing, van Wijk 2000): rectangles with areas in proportion to
// values, as square as they can be.

// The largest ratio of sides in a row of areas along a side.
function worst(areas, sum, side) {
  const largest = Math.max(...areas);
  const smallest = Math.min(...areas);
  return Math.max(side * side * largest / (sum * sum), sum * sum / (side * side * smallest));
}

// Puts a row of areas along the shorter side of `box` and returns the box that is left.
function place_row(row, box, placed) {
  const sum = row.reduce((total, { area }) => total + area, 0);
  const is_column = box.width >= box.height;
  const depth = sum / (is_column ? box.height : box.width);
  let at = is_column ? box.y : box.x;
  for (const { item, area } of row) {
    const length = area / depth;
    placed.push(is_column ? { item, x: box.x, y: at, width: depth, height: length }
      : { item, x: at, y: box.y, width: length, height: depth });
    at += length;
  }
  return is_column ? { ...box, x: box.x + depth, width: box.width - depth }
    : { ...box, y: box.y + depth, height: box.height - depth };
}

// Returns [{item, x, y, width, height}], the largest first. Items without a value are left out.
export function squarify(items, value_of, width, height) {
  const wanted = items.map((item) => ({ item, value: value_of(item) }))
    .filter(({ value }) => value > 0).sort((a, b) => b.value - a.value);
  const total = wanted.reduce((sum, { value }) => sum + value, 0);
  const placed = [];
  if (total === 0 || width <= 0 || height <= 0) return placed;
  const scale = width * height / total;
  let box = { x: 0, y: 0, width, height };
  let row = [];
  for (const { item, value } of wanted) {
    const next = { item, area: value * scale };
    const side = Math.min(box.width, box.height);
    const areas = row.map(({ area }) => area);
    const sum = areas.reduce((total_area, area) => total_area + area, 0);
    const is_worse = row.length > 0 &&
      worst([...areas, next.area], sum + next.area, side) > worst(areas, sum, side);
    if (is_worse) {
      box = place_row(row, box, placed);
      row = [];
    }
    row.push(next);
  }
  place_row(row, box, placed);
  return placed;
}
