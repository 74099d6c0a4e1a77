// Conditions of a query as text: "stone site:museum.example after:2026 before:2027".

// Quotes keep a phrase together; a '-' and a name can precede it.
function split(query) {
  return query.match(/-?(?:[a-z]+:)?"[^"]*"?|\S+/g) ?? [];
}

// The terms that a value of a facet stands for.
function terms_of(kind, value) {
  if (kind === 'year') return [`after:${value}`, `before:${Number(value) + 1}`];
  return [`${kind}:${/[\s"]/.test(value) ? `"${value.replaceAll('"', '')}"` : value}`];
}

export function has_condition(query, kind, value) {
  const present = new Set(split(query));
  return terms_of(kind, value).every((term) => present.has(term));
}

// Adds the condition, or removes it if it is there.
export function toggle_condition(query, kind, value) {
  const changed = new Set(terms_of(kind, value));
  const rest = split(query).filter((term) => !changed.has(term));
  if (has_condition(query, kind, value)) return rest.join(' ');
  if (kind === 'year') {
    return [...rest.filter((term) => !/^(after|before):/.test(term)), ...changed].join(' ');
  }
  return [...rest, ...changed].join(' ');
}

// Queries that find more: without one of the conditions, or with words instead of phrases. Each
// with what is done.
export function looser_queries(query) {
  const terms = split(query);
  const looser = terms.filter((term) => /^-|^[a-z]+:./.test(term)).map((term) => ({
    label: `Without ${term}`, q: terms.filter((other) => other !== term).join(' ') }));
  if (/(^|\s)"/.test(query)) {
    looser.push({ label: 'Without the quotes', q: query.replaceAll('"', '').trim() });
  }
  if (terms.some((term) => /\w\*$/.test(term))) return looser;
  const words = terms.filter((term) => /^\w+$/.test(term));
  if (looser.length === 0 && words.length === 1 && words[0].length > 4) {
    looser.push({ label: `Words that begin with ${words[0].slice(0, -1)}`,
      q: `${words[0].slice(0, -1)}*` });
  }
  return looser.filter(({ q }) => q !== '');
}
