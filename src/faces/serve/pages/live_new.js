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

// The input for a setting of the form, which returns null if the setting is not set.
function setting_input({ name, kind, choices, placeholder, default: usual, many, suggestion }) {
  const hint = usual || placeholder;
  if (kind === 'choice') {
    const node = el('select', { name }, [['', hint], ...choices.map((one) => [one, one])].map(
      ([value, text]) => el('option', { value, text, selected: value === suggestion })));
    return { node, value: () => node.value || null };
  }
  if (many) {
    const node = el('textarea', { name, rows: 2, spellcheck: 'false', placeholder: hint });
    return { node, value: () => node.value.split('\n').filter((line) => line.trim() !== '') };
  }
  const node = input(name, { type: kind === 'count' ? 'number' : 'text', min: 0,
    placeholder: hint, value: suggestion });
  return { node, value: () => node.value.trim() || null };
}

// A setting of `live/form`: its name, the node that shows it, and a function that reads it.
function setting(facts) {
  const text = `${facts.name.replaceAll('_', ' ')}: ${facts.help}`;
  if (facts.kind !== 'flag') {
    const { node, value } = setting_input(facts);
    return { ...facts, node: field(text, node), value };
  }
  const box = input(facts.name, { type: 'checkbox', checked: facts.suggestion === 'true' });
  return { ...facts, node: el('label', { class: 'check' }, box, ` ${text}`),
    value: () => box.checked || null };
}

// The settings without a suggestion, by their groups.
function more_settings(settings) {
  const groups = new Map();
  for (const one of settings) groups.set(one.group, [...groups.get(one.group) ?? [], one.node]);
  return Array.from(groups, ([group, nodes]) =>
    el('details', {}, el('summary', { text: group }), el('div', { class: 'acts' }, nodes)));
}

// `form` is the answer to `live/form`. Calls `started` with the number of the crawl.
export function new_crawl_form(form, started) {
  const url = input('url', { type: 'text', inputmode: 'url', required: true,
    placeholder: 'https://museum.example/' });
  const folder = input('folder', { type: 'text', required: true, maxlength: 64,
    pattern: '[A-Za-z0-9][A-Za-z0-9._\\-]*', placeholder: 'museum' });
  const settings = form.map(setting);
  const is_first = ({ suggested }) => suggested;
  const answer = el('p', { class: 'answer', role: 'status' });
  const start = el('button', { class: 'primary', text: 'Start' });
  let is_chosen = false;
  folder.addEventListener('input', () => { is_chosen = folder.value !== ''; });
  url.addEventListener('input', () => { if (!is_chosen) folder.value = folder_for(url.value); });
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
      const { crawl } = await post('live/new', {
        ...Object.fromEntries(settings.map((one) => [one.name, one.value()])),
        url: url.value.trim(), folder: folder.value.trim() });
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
      field('Store it in the new folder', folder),
      settings.filter(is_first).map(({ node }) => node), start,
      more_settings(settings.filter((one) => !is_first(one))), answer));
}
