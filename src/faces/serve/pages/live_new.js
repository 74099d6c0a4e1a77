// The form that starts a crawl (gossamer serve --new DIR).

import { post } from './api.js';
import { announce, el, set_text } from './dom.js';

// "museum.example" for a new folder; empty if the text is no address yet.
function folder_for(text) {
  const address = text.includes('://') ? text : `https://${text}`;
  return URL.canParse(address) ? new URL(address).hostname.replace(/[^A-Za-z0-9._-]/g, '') : '';
}

function input(name, attributes) {
  return el('input', { name, autocomplete: 'off', spellcheck: 'false', ...attributes });
}

function field(label, node) {
  return el('label', {}, el('span', { class: 'muted', text: label }), node);
}

// Calls `started` with the number of the crawl.
export function new_crawl_form(started) {
  const url = input('url', { type: 'text', inputmode: 'url', required: true,
    placeholder: 'https://museum.example/' });
  const folder = input('folder', { type: 'text', required: true, maxlength: 64,
    pattern: '[A-Za-z0-9][A-Za-z0-9._\\-]*', placeholder: 'museum' });
  const depth = input('depth', { type: 'number', min: 0, max: 65535, placeholder: 'no limit' });
  const limit = input('limit', { type: 'number', min: 1, value: 1000, placeholder: 'no limit' });
  const assets = input('assets', { type: 'checkbox', checked: true });
  const answer = el('p', { class: 'answer', role: 'status' });
  const start = el('button', { class: 'primary', text: 'Start' });
  let is_chosen = false;
  folder.addEventListener('input', () => { is_chosen = folder.value !== ''; });
  url.addEventListener('input', () => { if (!is_chosen) folder.value = folder_for(url.value); });
  const number = (node) => node.value === '' ? null : Number(node.value);
  const say = (text, kind) => {
    answer.className = `answer ${kind}`;
    set_text(answer, text);
    announce(text);
  };
  const submit = async (event) => {
    event.preventDefault();
    start.disabled = true;
    say('Starting\u2026', '');
    try {
      const { crawl } = await post('live/new', { url: url.value.trim(), folder: folder.value.trim(),
        depth: number(depth), limit: number(limit), assets: assets.checked });
      say('The crawl runs.', 'good');
      is_chosen = false;
      url.value = folder.value = '';
      window.dispatchEvent(new Event('gossamer-archives'));
      started(crawl);
    } catch (error) {
      say(`Not started: ${error.message}`, 'warn');
    }
    start.disabled = false;
  };
  return el('details', { class: 'new-crawl' }, el('summary', { text: 'New crawl' }),
    el('form', { class: 'acts', onsubmit: submit }, field('Start at this URL', url),
      field('Store it in the new folder', folder), field('Links to follow from there', depth),
      field('Pages at most', limit),
      el('label', { class: 'check' }, assets, ' With images, styles and scripts'),
      start, answer));
}
