// A calendar of captures: years with their numbers, then the months and days of one year.

import { button, choices, el, replace } from './dom.js';
import { clock, counted, date, month_name, stamp_parts } from './format.js';

export class Calendar {
  // `choose(stamp)` shows a capture.
  constructor(choose) {
    this.choose = choose;
    this.node = el('div', { class: 'calendar' });
    this.times = el('div', { class: 'times' });
  }

  // captures: in the order of time; shown: the capture that the frame shows.
  set(captures, shown) {
    this.shown = shown;
    this.days = new Map(); // "20260131" -> captures
    this.years = new Map(); // 2026 -> number of captures
    for (const capture of captures) {
      const day = capture.captured.slice(0, 8);
      const year = Number(day.slice(0, 4));
      if (!this.days.has(day)) this.days.set(day, []);
      this.days.get(day).push(capture);
      this.years.set(year, (this.years.get(year) ?? 0) + 1);
    }
    this.most = Math.max(1, ...Array.from(this.days.values(), (list) => list.length));
    this.year = shown ? stamp_parts(shown).year : Array.from(this.years.keys()).at(-1);
    this.draw();
  }

  draw() {
    if (this.days.size === 0) {
      return replace(this.node, el('p', { text: 'The archive has no capture of this page.' }));
    }
    const total = Array.from(this.years.values()).reduce((sum, number) => sum + number, 0);
    const years = Array.from(this.years, ([year, number]) => [year, `${year} (${number})`]);
    replace(this.node,
      el('p', { class: 'calendar-head' }, el('strong', { text: counted(total, 'capture') }),
        choices('Year', years, this.year, (year) => {
          this.year = year;
          this.draw();
        })),
      el('div', { class: 'months' }, Array.from({ length: 12 }, (_, i) => this.month(i + 1))),
      this.times);
    if (this.shown) this.show_day(this.shown.slice(0, 8));
  }

  month(month) {
    const first = new Date(Date.UTC(this.year, month - 1, 1));
    const length = new Date(Date.UTC(this.year, month, 0)).getUTCDate();
    const cells = Array.from({ length: (first.getUTCDay() + 6) % 7 }, () => el('span'));
    for (let day = 1; day <= length; ++day) cells.push(this.day(month, day));
    return el('section', { class: 'month' }, el('h2', { text: month_name(month) }),
      el('div', { class: 'days' }, cells));
  }

  day(month, day) {
    const key = String(this.year) + String(month).padStart(2, '0') + String(day).padStart(2, '0');
    const captures = this.days.get(key);
    if (!captures) return el('span', { text: day, 'aria-hidden': 'true' });
    const heat = Math.ceil(3 * captures.length / this.most);
    const label = `${date(key)}: ${counted(captures.length, 'capture')}`;
    return button(day, () => {
      if (captures.length === 1) this.choose(captures[0].captured);
      else this.show_day(key);
    }, { class: `heat-${heat}`, 'aria-label': label,
      'aria-current': this.shown?.startsWith(key) ? 'date' : null });
  }

  show_day(key) {
    const captures = this.days.get(key) ?? [];
    replace(this.times, captures.length === 0 ? null : el('h2', { text: date(key) }),
      captures.map(({ captured, status, revisit }) => button(
        clock(captured) + (status === 200 ? '' : `, ${status}`) + (revisit ? ', unchanged' : ''),
        () => this.choose(captured), { 'aria-current': captured === this.shown ? 'time' : null })));
  }
}
