// Pause, resume, rate, delay, concurrency, add, block, exclude and their opposites, stop.

import { post } from './api.js';
import { announce, button, el, set_text } from './dom.js';

export class LiveControls {
  // kind: 'control' or 'cluster'. A shared crawl cannot do everything.
  constructor(crawl, kind) {
    this.crawl = crawl;
    this.is_shared = kind === 'cluster';
    this.answer = el('p', { class: 'answer', role: 'status' });
    this.pause = button('Pause', () => this.act({ do: this.is_paused ? 'resume' : 'pause' }),
      { class: 'primary' });
    this.stop = button('Stop\u2026', () => this.ask_to_stop(), { class: 'danger' });
    this.dialog = this.stop_dialog();
    this.node = el('section', { class: 'controls', 'aria-label': 'Control the crawl' },
      el('div', { class: 'row' }, this.pause, this.stop, this.answer),
      el('details', {}, el('summary', { text: 'Change the crawl' }),
        el('div', { class: 'acts' }, this.forms())), this.dialog);
  }

  forms() {
    const integer = (text) => /^[0-9]+$/.test(text) ? Number(text) : text;
    const shared = [
      this.form('Fetch this URL, too', 'https://\u2026', 'Add',
        (url) => ({ do: 'add', url }), 'url'),
      this.form('Fetch nothing more from a host', 'host.example', 'Block',
        (host) => ({ do: 'block', host })),
      this.form('Fetch from a blocked host again', 'host.example', 'Unblock',
        (host) => ({ do: 'unblock', host })),
    ];
    if (this.is_shared) return shared;
    return [
      this.form('Requests per second, over all hosts', '5/s, 30/min or none', 'Set',
        (rate) => ({ do: 'rate', rate })),
      this.form('Pause between requests to a host', '2s or auto', 'Set',
        (delay) => ({ do: 'delay', delay })),
      this.form('Concurrent requests', '32', 'Set', (text) =>
        ({ do: 'concurrency', concurrency: integer(text) }), 'numeric'),
      ...shared,
      this.form('Skip URLs that match a pattern', '/tag/|[?]sort=', 'Exclude',
        (pattern) => ({ do: 'exclude', pattern })),
      this.form('Take an excluded pattern back', '/tag/|[?]sort=', 'Unexclude',
        (pattern) => ({ do: 'unexclude', pattern })),
    ];
  }

  // A field with a button: `make` turns the text into a request.
  form(label, hint, verb, make, mode = 'text') {
    const input = el('input', { type: 'text', required: true, placeholder: hint,
      inputmode: mode, autocomplete: 'off', spellcheck: 'false' });
    return el('form', { class: 'act', onsubmit: async (event) => {
      event.preventDefault();
      if (await this.act(make(input.value.trim()))) input.value = '';
    } }, el('label', {}, el('span', { class: 'muted', text: label }), input),
    el('button', { text: verb, 'aria-label': `${verb}: ${label}` }));
  }

  stop_dialog() {
    const dialog = el('dialog', { 'aria-labelledby': 'stop-title' },
      el('h2', { id: 'stop-title', text: 'Stop the crawl?' }),
      el('p', { text: 'Requests in flight complete first. ' + (this.is_shared
        ? 'All nodes end. A shared crawl that was stopped cannot be resumed.'
        : 'With a crawl directory, you can run the same command again to resume.') }),
      el('form', { method: 'dialog', class: 'row' },
        el('button', { class: 'danger', value: 'stop', text: 'Stop' }),
        this.is_shared ? null
          : el('button', { value: 'abort', text: 'Stop now, give up requests' }),
        el('button', { value: '', text: 'Cancel', autofocus: true })));
    dialog.addEventListener('close', () => {
      if (dialog.returnValue) this.act({ do: dialog.returnValue });
    });
    return dialog;
  }

  ask_to_stop() {
    this.dialog.returnValue = '';
    this.dialog.showModal();
  }

  // Returns whether the crawl did it.
  async act(request) {
    try {
      const { done } = await post('live/act', { crawl: this.crawl, ...request });
      this.say(`Done: ${done}.`, true);
      return true;
    } catch (error) {
      this.say(`Not done: ${error.message}`, false);
      return false;
    }
  }

  say(text, is_good) {
    this.answer.className = is_good ? 'answer good' : 'answer warn';
    set_text(this.answer, text);
    announce(text);
  }

  show(state) {
    this.is_paused = state === 'paused';
    set_text(this.pause, this.is_paused ? 'Resume' : 'Pause');
    this.is_stopping = ['stopping', 'ended'].includes(state);
  }

  set_enabled(is_enabled) {
    for (const node of this.node.querySelectorAll('button, input')) {
      node.disabled = !is_enabled || (this.is_stopping && node === this.pause);
    }
  }
}
