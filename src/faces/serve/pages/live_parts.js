// Parts that the live views of all kinds of crawls have.

import { el, set_text } from './dom.js';

export class Figures {
  constructor(names) {
    this.values = new Map(names.map((name) => [name, el('dd', { text: '\u2013' })]));
    this.node = el('dl', { class: 'figures' }, Array.from(this.values, ([name, value]) =>
      el('div', { class: 'figure' }, el('dt', { text: name }), value)));
  }

  set(texts) {
    for (const [name, text] of Object.entries(texts)) set_text(this.values.get(name), text);
  }

  mark(name, is_bad) {
    this.values.get(name).parentNode.classList.toggle('bad', is_bad);
  }
}

export function card(title, node, kind = '') {
  return el('section', { class: 'card ' + kind }, el('h2', { text: title }), node);
}
