// Numbers, sizes and times as people read them.

const numbers = new Intl.NumberFormat('en');
const SIZES = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
const DASH = '\u2013';

export function count(number) {
  return number === null || number === undefined ? DASH : numbers.format(number);
}

// "1 page", "3 pages".
export function counted(number, one, many = one + 's') {
  return `${count(number)} ${number === 1 ? one : many}`;
}

export function bytes(number) {
  if (number === null || number === undefined) return DASH;
  let unit = 0;
  let value = number;
  while (value >= 999.5 && unit < SIZES.length - 1) {
    value /= 1000;
    ++unit;
  }
  const digits = unit === 0 || value >= 99.5 ? 0 : 1;
  return `${value.toFixed(digits)} ${SIZES[unit]}`;
}

export function rate(per_second) {
  if (!Number.isFinite(per_second)) return DASH;
  return per_second >= 10 ? count(Math.round(per_second)) : per_second.toFixed(1);
}

// A duration in seconds: "850 ms", "12 s", "3 min", "2 h 5 min", "4 days".
export function duration(seconds) {
  if (seconds === null || seconds === undefined) return DASH;
  const s = Math.abs(seconds);
  if (s === 0) return '0 s';
  if (s < 1) return `${Math.round(s * 1000)} ms`;
  if (s < 10) return `${Number(s.toFixed(1))} s`;
  if (s < 100) return `${Math.round(s)} s`;
  if (s < 3600) return `${Math.round(s / 60)} min`;
  if (s < 86400) {
    const minutes = Math.round(s / 60);
    return `${Math.floor(minutes / 60)} h${minutes % 60 ? ` ${minutes % 60} min` : ''}`;
  }
  if (s < 86400 * 60) return counted(Math.round(s / 86400), 'day');
  if (s < 86400 * 365 * 2) return counted(Math.round(s / (86400 * 30.44)), 'month');
  return counted(Math.round(s / (86400 * 365.25)), 'year');
}

// The 14 digits of a capture, also if some are missing at the end.
export function stamp_parts(stamp) {
  const filled = String(stamp).padEnd(14, '');
  const part = (from, to, fallback) => Number(filled.slice(from, to)) || fallback;
  return { year: part(0, 4, 1970), month: part(4, 6, 1), day: part(6, 8, 1),
    hour: part(8, 10, 0), minute: part(10, 12, 0), second: part(12, 14, 0) };
}

export function stamp_seconds(stamp) {
  const at = stamp_parts(stamp);
  return Date.UTC(at.year, at.month - 1, at.day, at.hour, at.minute, at.second) / 1000;
}

const two = (number) => String(number).padStart(2, '0');

// "31 Jan 2026"
export function date(stamp) {
  if (!stamp) return DASH;
  const at = stamp_parts(stamp);
  return `${at.day} ${MONTHS[at.month - 1] ?? '?'} ${at.year}`;
}

// "12:00:05"
export function clock(stamp) {
  const at = stamp_parts(stamp);
  return `${two(at.hour)}:${two(at.minute)}:${two(at.second)}`;
}

export function date_time(stamp) {
  if (!stamp) return DASH;
  return `${date(stamp)}, ${clock(stamp).slice(0, 5)} UTC`;
}

export function month_name(month) {
  return MONTHS[month - 1];
}

export function is_stamp(text) {
  return /^[0-9]{4,14}$/.test(text);
}

// "timed_out" as people say it.
export function words(name) {
  const text = String(name).replaceAll('_', ' ')
    .replace(/^(?:dns|tls|http)\b/, (part) => part.toUpperCase());
  return text.charAt(0).toUpperCase() + text.slice(1);
}
