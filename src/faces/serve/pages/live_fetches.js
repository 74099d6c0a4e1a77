// The requests in flight, the oldest first, each with the stack of its awaits.

import { el, reconcile, replace, set_text } from './dom.js';
import { bytes, count, counted, duration } from './format.js';

export class FetchList {
  constructor() {
    this.summary = el('p', { class: 'muted' });
    this.list = el('ul', { class: 'fetches' });
    this.node = el('div', {}, this.summary, this.list);
  }

  show({ total = 0, fetches = [] }) {
    set_text(this.summary, total === 0 ? 'None at the moment.'
      : total > fetches.length ? `The oldest ${count(fetches.length)} of ${count(total)}.`
        : counted(total, 'request') + '.');
    const seen = new Map();
    for (const one of fetches) {
      const times = (seen.get(one.url) ?? 0) + 1;
      seen.set(one.url, times);
      one.key = `${one.url} ${times}`;
    }
    reconcile(this.list, fetches, ({ key }) => key, create_row, update_row);
  }
}

function create_row() {
  const part = (name) => el('span', { class: name });
  return el('li', {}, el('details', {},
    el('summary', {}, part('age'), part('at tag'), part('url'), part('size muted')),
    el('ol', { class: 'stack' })));
}

function update_row(row, { url, stage, age, bytes: size, tries, stack = [] }) {
  set_text(row.querySelector('.age'), duration(age));
  set_text(row.querySelector('.at'), stage);
  set_text(row.querySelector('.url'), url);
  set_text(row.querySelector('.size'), (size > 0 ? bytes(size) : '') +
    (tries > 1 ? ` try ${tries}` : ''));
  const list = row.querySelector('.stack');
  const text = stack.join('\n');
  if (list.dataset.text === text) return;
  list.dataset.text = text;
  replace(list, stack.length ? stack.map((line) => el('li', {}, el('code', { text: line })))
    : el('li', { text: 'No stack is known.' }));
}
