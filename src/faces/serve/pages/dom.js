// Builds parts of the page. Texts become text nodes, never markup, so that the words of a crawled
// page cannot do anything.

const SVG = 'http://www.w3.org/2000/svg';

function apply(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === null || value === undefined || value === false) continue;
    if (name.startsWith('on')) node.addEventListener(name.slice(2), value);
    else if (name === 'text') node.textContent = value;
    else node.setAttribute(name, value === true ? '' : value);
  }
  node.append(...children.flat().filter((child) => child !== null && child !== undefined));
  return node;
}

// el('p', {class: 'note', onclick: act}, 'text', otherNode)
export function el(name, attributes, ...children) {
  return apply(document.createElement(name), attributes, children);
}

export function svg(name, attributes, ...children) {
  return apply(document.createElementNS(SVG, name), attributes, children);
}

// A link that leaves the dashboard. URLs of other schemes stay text.
export function outer_link(url, text = url, attributes = {}) {
  if (!is_web_url(url)) return el('span', { ...attributes, text });
  return el('a', { ...attributes, href: url, target: '_blank', rel: 'noopener noreferrer', text });
}

export function is_web_url(url) {
  return /^https?:\/\//i.test(url) && URL.canParse(url);
}

export function button(text, act, attributes = {}) {
  return el('button', { type: 'button', ...attributes, onclick: act, text });
}

// A label and its field, side by side.
export function field(label, input) {
  return el('label', { class: 'field' }, el('span', { text: label }), input);
}

export function select(options, chosen, changed, attributes = {}) {
  const node = el('select', { ...attributes, onchange: () => changed(node.value) },
    options.map(([value, text]) => el('option', { value, selected: value === chosen, text })));
  return node;
}

// Several choices, one of them pressed.
export function choices(label, options, chosen, changed) {
  return el('div', { class: 'choices', role: 'group', 'aria-label': label },
    options.map(([value, text]) => button(text, () => changed(value), {
      'aria-pressed': String(value === chosen) })));
}

// A message in the place of content.
export function state(title, ...more) {
  return el('div', { class: 'state' }, el('h2', { text: title }),
    more.map((part) => typeof part === 'string' ? el('p', { text: part }) : part));
}

export function replace(node, ...children) {
  node.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined));
}

// Makes the children of `parent` follow `items`. Rows with the same key stay the same nodes, so
// that focus, selection and open details survive an update.
export function reconcile(parent, items, key_of, create, update) {
  const old = new Map(Array.from(parent.children, (node) => [node.dataset.key, node]));
  let place = parent.firstElementChild;
  for (const item of items) {
    const key = String(key_of(item));
    let node = old.get(key);
    old.delete(key);
    if (!node) {
      node = create(item);
      node.dataset.key = key;
    }
    update?.(node, item);
    if (node === place) place = place.nextElementSibling;
    else parent.insertBefore(node, place);
  }
  for (const node of old.values()) node.remove();
}

// Sets a text only if it changes: screen readers and selections are not disturbed.
export function set_text(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

// Tells users of screen readers what happened.
export function announce(text) {
  set_text(document.getElementById('status'), text);
}

// columns: [heading, cell(row), 'number' or undefined]. A cell is a node or a text.
export function table(caption, columns, rows) {
  return el('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': caption },
    el('table', {},
      el('caption', { class: 'unseen', text: caption }),
      el('thead', {}, el('tr', {}, columns.map(([heading, , kind]) =>
        el('th', { scope: 'col', class: kind, text: heading })))),
      el('tbody', {}, rows.map((row) => el('tr', {}, columns.map(([, cell, kind]) =>
        el('td', { class: kind }, cell(row) ?? '')))))));
}
