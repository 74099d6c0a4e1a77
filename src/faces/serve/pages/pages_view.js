// All pages by URL, with filters.

import { el, field, select } from './dom.js';
import { PageList } from './page_list.js';
import { stay } from './route.js';

const TYPES = [['', 'All types'], ['html', 'Pages'], ['pdf', 'PDF'], ['image', 'Images'],
  ['style', 'Styles'], ['script', 'Scripts'], ['font', 'Fonts'], ['media', 'Audio and video'],
  ['other', 'Others']];
const STATUSES = [['', 'All'], ['200', '200'], ['301', '301'], ['302', '302'], ['404', '404'],
  ['500', '500'], ['error', 'Errors']];
const DELAY_MS = 200;

export class PagesView {
  constructor(root) {
    this.list = new PageList();
    const change = (name) => (event) => {
      clearTimeout(this.timer);
      const value = event.target.value.trim();
      this.timer = setTimeout(() => this.change({ [name]: value }), DELAY_MS);
    };
    this.fields = {
      contains: el('input', { type: 'search', placeholder: 'a part of the URL or title',
        oninput: change('contains') }),
      prefix: el('input', { type: 'search', placeholder: 'https://example.com/news/',
        oninput: change('prefix') }),
      type: select(TYPES, '', (value) => this.change({ type: value })),
      status: select(STATUSES, '', (value) => this.change({ status: value })),
    };
    root.append(el('h1', { text: 'Pages' }), el('form', { class: 'filters', role: 'search',
      'aria-label': 'Filters', onsubmit: (event) => event.preventDefault() },
    field('Contains', this.fields.contains), field('Begins with', this.fields.prefix),
    field('Type', this.fields.type), field('Status', this.fields.status)), this.list.node);
  }

  close() {
    clearTimeout(this.timer);
    this.list.close();
  }

  update(parameters) {
    this.parameters = parameters;
    for (const [name, node] of Object.entries(this.fields)) {
      if (node.value.trim() !== (parameters[name] ?? '')) node.value = parameters[name] ?? '';
    }
    const { archive, contains, prefix, type, status } = parameters;
    this.list.show({ archive, contains, prefix, type, status });
  }

  change(changes) {
    const parameters = { ...this.parameters, ...changes };
    stay('pages', parameters);
    this.update(parameters);
  }
}
