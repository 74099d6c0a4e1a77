// What happened: errors with their URLs, and the changes that users made.

import { el, outer_link, reconcile, replace } from './dom.js';
import { count, words } from './format.js';

const NEWS_MAX = 200;

export class ErrorLog {
  constructor() {
    this.totals = el('ul', { class: 'plain' });
    this.news = el('ol', { class: 'log failures', 'aria-label': 'Errors as they happen' });
    this.node = el('div', {}, this.totals, this.news);
    this.entries = [];
  }

  // errors: counts by cause. failures: the last ones, the newest first.
  show(errors, failures, elapsed) {
    const rows = Object.entries(errors).sort((a, b) => b[1] - a[1]);
    replace(this.totals, rows.length ? rows.map(([cause, number]) => el('li', {},
      el('span', { class: 'tag bad', text: count(number) }), ' ' + words(cause)))
      : el('li', { text: 'No request has failed so far.' }));
    for (const failure of failures.toReversed()) this.add(failure, elapsed);
    reconcile(this.news, this.entries, ({ id }) => id, ({ at, url, error, detail, via }) =>
      el('li', { title: [detail, via ? `Linked from ${via}` : ''].filter(Boolean).join('\n') },
        el('time', { class: 'muted', text: at }), ' ', el('span', { class: 'tag bad',
          text: words(error) }), ' ', outer_link(url)));
  }

  // A failure is known by its time since the start of the crawl, and its URL.
  add(failure, elapsed) {
    const since = elapsed - failure.age;
    const is_known = this.entries.some((entry) => entry.url === failure.url &&
      Math.abs(entry.since - since) < 0.1);
    if (is_known) return;
    const at = new Date(Date.now() - failure.age * 1000).toLocaleTimeString('en-GB');
    this.entries.unshift({ ...failure, id: (this.entries[0]?.id ?? 0) + 1, at, since });
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
