// Replay: an archived page in a frame, with a bar that says what it is and from when.
//
// The frame belongs to another origin, so the page cannot read the dashboard and the dashboard
// cannot read the page. After each load, the server says what the frame shows (`view`).

import { get } from './api.js';
import { announce, button, el, is_web_url, replace, state } from './dom.js';
import { Calendar } from './calendar.js';
import { counted, date_time, duration, is_stamp, stamp_seconds } from './format.js';
import { go, stay, to_hash } from './route.js';

// The name of the frame for `view`.
function random_name() {
  const letters = 'abcdefghijklmnopqrstuvwxyz012345';
  return Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => letters[byte % 32])
    .join('');
}

export class ReplayView {
  constructor(root, served) {
    this.served = served;
    this.name = random_name();
    this.is_raw = false;
    this.turn = 0;
    this.parameters = {};
    this.calendar = new Calendar((at) => this.go_to({ at }));
    this.root = root;
    this.draw_bar();
    this.frame = el('iframe', { class: 'frame', title: 'The archived page',
      sandbox: '', referrerpolicy: 'no-referrer',
      onload: () => this.loaded() });
    this.message = el('div', { class: 'frame-message', hidden: true });
    this.panel = el('div', { class: 'panel', hidden: true });
    root.append(el('h1', { class: 'unseen', text: 'Replay' }), this.bar, this.note, this.panel,
      el('div', { class: 'frame-place' }, this.frame, this.message));
    this.on_key = (event) => {
      if (event.key === 'Escape') this.close_panel();
    };
    document.addEventListener('keydown', this.on_key);
  }

  draw_bar() {
    this.address = el('input', { type: 'text', inputmode: 'url', autocomplete: 'off',
      spellcheck: 'false', 'aria-label': 'URL of the archived page' });
    const form = el('form', { class: 'address', onsubmit: (event) => {
      event.preventDefault();
      this.open_typed(this.address.value.trim());
    } }, this.address);
    this.previous = button('\u2039', () => this.go_to({ at: this.around?.previous }),
      { 'aria-label': 'Previous capture', title: 'Previous capture' });
    this.next = button('\u203a', () => this.go_to({ at: this.around?.next }),
      { 'aria-label': 'Next capture', title: 'Next capture' });
    this.time = button('', () => this.toggle('calendar'), { class: 'time', 'aria-expanded': 'false',
      title: 'All captures of this page' });
    this.raw = button('Raw', () => this.toggle_raw(), { 'aria-pressed': 'false',
      title: 'The bytes as archived' });
    this.missing = button('Missing', () => this.toggle('missing'), { 'aria-expanded': 'false',
      title: 'Parts of the page that are not archived' });
    // No script runs in the frame.
    this.scripted = this.served.scripts ? button('With scripts', () => this.open_tab(),
      { title: 'Open the page in a tab of its own, where its scripts run' }) : null;
    this.note = el('p', { class: 'note', role: 'status' });
    this.bar = el('div', { class: 'bar', role: 'toolbar', 'aria-label': 'Replay' },
      el('div', { class: 'joined' }, this.previous, this.time, this.next), form, this.raw,
      this.missing, this.scripted);
  }

  close() {
    this.abort?.abort();
    document.removeEventListener('keydown', this.on_key);
  }

  update({ at = 'latest', url = '' }) {
    this.parameters = { at, url };
    this.hash = location.hash;
    ++this.turn;
    this.address.value = url;
    this.close_panel();
    if (!is_web_url(url)) return this.show_message(not_a_url(url));
    this.load_frame();
    this.find_captures(url, at);
  }

  go_to(changes) {
    const wanted = { ...this.parameters, ...changes };
    if (wanted.at) go('replay', wanted);
  }

  open_typed(text) {
    const url = /^[a-z][a-z0-9+.-]*:/i.test(text) ? text : 'https://' + text;
    this.go_to({ url });
  }

  open_tab() {
    const { at, url } = this.parameters;
    const address = `${this.served.replay}/${at}/${url}`;
    if (is_web_url(url)) open(address, '_blank', 'noopener,noreferrer');
  }

  address_of(at, suffix, url) {
    return `${this.served.replay}.${this.name}/${at}${suffix}/${url}`;
  }

  load_frame() {
    this.message.hidden = true;
    this.frame.hidden = false;
    const { at, url } = this.parameters;
    this.frame.setAttribute('aria-busy', 'true');
    this.has_page = true;
    // Replaces the entry in the history: the address of the dashboard has made one already.
    this.frame.contentWindow.location.replace(
      this.address_of(at, this.is_raw && at !== 'latest' ? 'id_' : '', url));
  }

  // Which page does the frame show? A link in it may have led to another one.
  async loaded() {
    this.frame.removeAttribute('aria-busy');
    if (!this.has_page) return;
    const turn = this.turn;
    try {
      const seen = await get('view', { id: this.name });
      // Another page may be on its way by now.
      if (turn === this.turn && location.hash === this.hash) this.show_seen(seen);
    } catch (error) {
      if (error.status === 404) return;
      this.show_message(state('This page cannot be shown', error.message));
    }
  }

  show_seen(seen) {
    const is_other = seen.url !== this.parameters.url;
    this.parameters = { at: seen.captured ?? this.parameters.at, url: seen.url };
    this.address.value = seen.url;
    stay('replay', this.parameters);
    this.hash = location.hash;
    if (is_other || !this.around) this.find_captures(seen.url, this.parameters.at);
    if (!seen.archived) return this.show_message(this.not_archived(seen));
    this.message.hidden = true;
    this.frame.hidden = false;
    this.time.textContent = date_time(seen.captured);
    const misses = seen.misses?.length ?? 0;
    this.missing.textContent = misses ? `Missing (${misses})` : 'Missing';
    this.show_note(seen);
  }

  show_note(seen) {
    const parts = [];
    if (seen.status >= 400) parts.push(`The site answered with the error ${seen.status}.`);
    if (is_stamp(seen.requested ?? '') && seen.requested.length === 14) {
      const off = stamp_seconds(seen.captured) - stamp_seconds(seen.requested);
      if (off !== 0) {
        parts.push(`This is the nearest capture, ${duration(off)} ` +
          `${off > 0 ? 'after' : 'before'} the time you chose.`);
      }
    }
    const span = seen.first && seen.last ? stamp_seconds(seen.last) - stamp_seconds(seen.first) : 0;
    if (span > 3600) parts.push(`Its parts were captured over ${duration(span)}.`);
    this.note.textContent = parts.join(' ');
  }

  async find_captures(url, at) {
    this.abort?.abort();
    this.abort = new AbortController();
    this.around = null;
    try {
      const stamp = is_stamp(at) ? at.padEnd(14, '0') : null;
      this.around = await get('captures', { url, at: stamp }, this.abort.signal);
    } catch (error) {
      if (error.name !== 'AbortError') this.note.textContent = error.message;
      return;
    }
    this.previous.disabled = !this.around.previous;
    this.next.disabled = !this.around.next;
    for (const node of [this.raw, this.missing]) node.disabled = this.around.total === 0;
    this.calendar.set(this.around.captures, this.around.nearest);
    this.time.textContent = this.around.nearest ? date_time(this.around.nearest) : 'No capture';
    this.time.setAttribute('aria-label', `${this.time.textContent}, ` +
      `${counted(this.around.total, 'capture')}`);
  }

  not_archived(seen) {
    const host = new URL(seen.url).origin;
    return state('Not in the archive', seen.url, 'The crawl did not fetch this page. Nothing was ' +
      'loaded from the live web.', el('p', { class: 'row center' },
      button('Back', () => history.back(), { class: 'primary' }),
      el('a', { href: to_hash('pages', { prefix: host + '/' }), text: 'Pages of this site' })));
  }

  show_message(node) {
    this.frame.hidden = true;
    this.message.hidden = false;
    this.note.textContent = '';
    replace(this.message, node);
    announce(node.querySelector('h2')?.textContent ?? '');
  }

  toggle_raw() {
    const type = this.around?.captures.find(({ captured }) =>
      captured === this.parameters.at)?.type ?? 'text/html';
    if (!/^text\/|json|xml|javascript/.test(type)) return this.show_message(this.save_raw(type));
    this.is_raw = !this.is_raw;
    this.raw.setAttribute('aria-pressed', String(this.is_raw));
    this.load_frame();
  }

  // The frame cannot save files, so this opens another tab.
  save_raw(type) {
    const { at, url } = this.parameters;
    return state('This is not text', `It has the type ${type}.`, el('p', {}, el('a', {
      class: 'primary', target: '_blank', rel: 'noopener noreferrer',
      href: this.address_of(at, 'id_', url), text: 'Save the bytes' })));
  }

  toggle(kind) {
    if (!this.panel.hidden && this.panel.dataset.kind === kind) return this.close_panel();
    this.panel.hidden = false;
    this.panel.dataset.kind = kind;
    this.time.setAttribute('aria-expanded', String(kind === 'calendar'));
    this.missing.setAttribute('aria-expanded', String(kind === 'missing'));
    if (kind === 'calendar') replace(this.panel, this.calendar.node);
    else this.show_missing();
  }

  close_panel() {
    if (this.panel.hidden) return;
    const opener = this.panel.dataset.kind === 'calendar' ? this.time : this.missing;
    if (this.panel.contains(document.activeElement)) opener.focus();
    this.panel.hidden = true;
    this.time.setAttribute('aria-expanded', 'false');
    this.missing.setAttribute('aria-expanded', 'false');
  }

  async show_missing() {
    replace(this.panel, el('p', { class: 'muted', text: 'Looking for its parts\u2026' }));
    try {
      const { at, url } = this.parameters;
      const found = await get('missing', { url, at: is_stamp(at) ? at : null });
      replace(this.panel, missing_list(found));
    } catch (error) {
      replace(this.panel, el('p', { text: error.message }));
    }
  }
}

function missing_list(found) {
  if (found.missing.length === 0) {
    return el('p', { text: `Complete: ${found.parts === 1 ? 'its one part is'
      : `all ${counted(found.parts, 'part')} are`} in the archive.` });
  }
  return el('div', {}, el('h2', { text: `Not archived: ${found.missing.length} of ` +
    counted(found.parts, 'part') }),
  el('ul', { class: 'plain' }, found.missing.map(({ url, kind }) =>
    el('li', {}, el('span', { class: 'tag', text: kind }), ' ',
      el('span', { class: 'url', text: url })))));
}

function not_a_url(url) {
  return state('This is not the URL of a web page', url,
    'Type a URL that begins with https:// or http:// in the bar above.');
}
