// Numbers, names and times in words.

import {el} from './elements.js';

export const number = (value) => value.toLocaleString('en');
export const plural = (count, word) => `${number(count)} ${word}${count === 1 ? '' : 's'}`;
export const words = (name) => String(name).replaceAll('_', ' ');
export const capitalized = (text) => text.charAt(0).toUpperCase() + text.slice(1);
// May break behind dots, underscores and slashes.
export const breakable = (name) => name.split(/(?<=[._/])/).flatMap((part) => [part, el('wbr')]);

export const clockTime = (text) => text.slice(11, 23);
export const moment = (text) => `${text.slice(0, 10)} ${text.slice(11, 23)} UTC`;
const months = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];
export const dayOf = (text) => `${Number(text.slice(8, 10))} ${months[Number(text.slice(5, 7)) - 1]} ${text.slice(0, 4)}`;
export const millisecondsOf = (text) => Date.parse(`${text.slice(0, 23)}Z`);
// The time to the second, with the date unless it is that of `now`.
export const shortMoment = (text, now) =>
  (now && text.slice(0, 10) === now.slice(0, 10) ? text.slice(11, 19) : `${text.slice(0, 10)} ${text.slice(11, 19)}`);

// The control API tells nanoseconds, which a Date would lose.
export function millisecondsBetween(from, to) {
  const seconds = Date.parse(to.slice(0, 19) + 'Z') - Date.parse(from.slice(0, 19) + 'Z');
  return seconds + (Number(to.slice(20, 29)) - Number(from.slice(20, 29))) / 1e6;
}

export function duration(milliseconds) {
  const units = [[86400e3, 'day'], [3600e3, 'h'], [60e3, 'min'], [1e3, 's']];
  for (const [size, unit] of units) {
    if (milliseconds < size) continue;
    const amount = Number((milliseconds / size).toFixed(milliseconds < 10 * size ? 1 : 0));
    return unit === 'day' ? plural(amount, unit) : `${amount} ${unit}`;
  }
  return milliseconds > 0 && milliseconds < 1 ? '< 1 ms' : `${Math.round(milliseconds)} ms`;
}

// Text in which names are in backticks.
export const proseOf = (text) => text.split('`').map((part, i) => (i % 2 ? el('code', {}, part) : part));

export function parsedJson(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
