// Small charts: lines over time, and bars.

import { el, set_text, svg } from './dom.js';
import { count } from './format.js';

const WIDTH = 600;
const HEIGHT = 160;
const HEAD = 4;

function nice_limit(most) {
  const power = 10 ** Math.floor(Math.log10(Math.max(1, most)));
  return [1, 2, 2.5, 5, 10].map((step) => step * power).find((limit) => limit >= most);
}

function path_of(points, x_most, y_most) {
  return points.map(([x, y]) => `${(x / x_most * WIDTH).toFixed(1)},` +
    `${(HEIGHT - y / y_most * (HEIGHT - HEAD)).toFixed(1)}`);
}

// Lines over a common time. `series`: [{name, class, is_filled}]; update() takes their points.
export class LineChart {
  constructor(label, series, x_text) {
    this.series = series.map((one) => ({ ...one, line: svg('polyline', { class: one.class }),
      fill: one.is_filled ? svg('polygon', { class: one.class + ' fill' }) : null }));
    this.x_text = x_text;
    this.picture = svg('svg', { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img',
      'aria-label': label, preserveAspectRatio: 'none' },
    this.series.map(({ fill }) => fill),
    [0.25, 0.5, 0.75].map((part) => svg('line', { class: 'grid', x1: 0, x2: WIDTH,
      y1: HEIGHT * part, y2: HEIGHT * part })),
    this.series.map(({ line }) => line));
    this.top = el('span');
    this.end = el('span');
    this.legend = el('p', { class: 'legend' }, this.series.map((one) =>
      el('span', { class: 'key ' + one.class, text: one.name })));
    this.node = el('figure', { class: 'chart' },
      el('div', { class: 'y-axis muted' }, this.top, this.legend), this.picture,
      el('div', { class: 'x-axis muted' }, el('span', { text: x_text(0) }), this.end));
  }

  // lists: for each series, points [x, y] in the order of x.
  update(lists) {
    const all = lists.flat();
    const x_most = Math.max(1e-9, ...all.map(([x]) => x));
    const y_most = nice_limit(Math.max(1, ...all.map(([, y]) => y)));
    this.series.forEach(({ line, fill }, i) => {
      const path = path_of(lists[i], x_most, y_most);
      line.setAttribute('points', path.join(' '));
      const below = (point) => `${point?.split(',')[0] ?? 0},${HEIGHT}`;
      fill?.setAttribute('points', [below(path[0]), ...path, below(path.at(-1))].join(' '));
    });
    set_text(this.top, count(y_most));
    set_text(this.end, this.x_text(x_most));
  }
}

// rows: [name, value, class]. The text beside each bar says the number.
export function bars(label, rows, text_of = count) {
  const most = Math.max(1, ...rows.map(([, value]) => value));
  return el('dl', { class: 'bars', 'aria-label': label }, rows.map(([name, value, kind]) => {
    const bar = el('span', { class: `length ${kind ?? ''}` });
    bar.style.width = `${100 * value / most}%`;
    return el('div', {}, el('dt', { text: name, title: name }),
      el('dd', {}, el('span', { class: 'track', 'aria-hidden': 'true' }, bar),
        el('span', { text: text_of(value) })));
  }));
}

export function tile(name, value, kind = '') {
  return el('div', { class: `figure ${kind}` },
    el('dt', { text: name }), el('dd', { text: value }));
}
