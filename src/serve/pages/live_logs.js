// What happened: errors as their numbers grow, and the changes that users made.

import { el, reconcile, replace } from './dom.js';
import { count, words } from './format.js';

const NEWS_MAX = 50;

export class ErrorLog {
  constructor() {
    this.totals = el('ul', { class: 'plain' });
    this.news = el('ol', { class: 'log', 'aria-label': 'Errors as they happen' });
    this.node = el('div', {}, this.totals, this.news);
    this.entries = [];
    this.last = null;
  }

  // errors: counts by cause. Differences to the last state are news.
  show(errors) {
    const rows = Object.entries(errors).sort((a, b) => b[1] - a[1]);
    replace(this.totals, rows.length ? rows.map(([cause, number]) => el('li', {},
      el('span', { class: 'tag bad', text: count(number) }), ' ' + words(cause)))
      : el('li', { text: 'None so far.' }));
    for (const [cause, number] of rows) {
      const more = number - (this.last?.[cause] ?? 0);
      if (this.last && more > 0) this.add(`${words(cause)}, ${count(more)} more`);
    }
    this.last = errors;
    reconcile(this.news, this.entries, ({ id }) => id, ({ at, text }) =>
      el('li', {}, el('time', { class: 'muted', text: at }), ' ' + text));
  }

  add(text) {
    const at = new Date().toLocaleTimeString('en-GB');
    this.entries.unshift({ id: (this.entries[0]?.id ?? 0) + 1, at, text });
    this.entries.length = Math.min(this.entries.length, NEWS_MAX);
  }
}

export class ChangeLog {
  constructor() {
    this.list = el('ol', { class: 'log' });
    this.nothing = el('p', { class: 'muted', text: 'No changes so far.' });
    this.node = el('div', {}, this.nothing, this.list);
  }

  show(changes) {
    this.nothing.hidden = changes.length > 0;
    const rows = changes.map((change, i) => ({ ...change, key: `${change.at} ${i}` })).reverse();
    reconcile(this.list, rows, ({ key }) => key, ({ at, do: what, ok, answer }) => el('li', {},
      el('time', { class: 'muted', datetime: at, title: at, text: at.slice(11, 19) }), ' ',
      el('strong', { text: what }), ok ? null : el('span', { class: 'warn', text: ` ${answer}` })));
  }
}
