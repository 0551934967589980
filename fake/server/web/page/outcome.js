// How requests ended: the class of the colors, the icon, and words.

import {badgeOf, el} from './elements.js';
import {duration, millisecondsBetween, number, words} from './text.js';
import {isSecretName, mask} from './masking.js';
import {attemptOf} from './attempts.js';

export const outcomes = {
  succeeded: 'Succeeded',
  limited: 'Limit or lock',
  refused: 'Refused',
  failed: 'Server error',
  unanswered: 'No response',
};

export const hasFault = (entry) => entry.fault !== 'none' || Boolean(entry.fault_id) || Boolean(entry.fault_from_header);
export const pathOf = (entry) => entry.url.replace(/^https?:\/\/[^/]*/, '').split('?')[0];
export const nameOf = (entry) => entry.operation || 'no operation';
export const statusOf = (entry) => (entry.status === 0 ? 'none' : String(entry.status));
export const tookOf = (entry) => duration(millisecondsBetween(entry.time, entry.responded_at));
export const badge = (entry) => badgeOf(entry.outcome, statusOf(entry));

export function reasonsOf(entry) {
  const reasons = [];
  if (entry.limit) reasons.push(['limited', words(entry.limit)]);
  else if (entry.error_code) reasons.push([entry.outcome, words(entry.error_code)]);
  if (entry.fault !== 'none') reasons.push(['unanswered', words(entry.fault)]);
  else if (hasFault(entry)) reasons.push(['unanswered', 'injected']);
  const attempt = attemptOf(entry);
  if (attempt) reasons.push(['soft', attempt]);
  return reasons;
}

// The result of a request, in words.
export function describe(entry) {
  const parts = [entry.status === 0 ? 'no response' : `status ${entry.status}`, outcomes[entry.outcome].toLowerCase()];
  for (const [, text] of reasonsOf(entry)) parts.push(text);
  return parts.join(', ');
}

// The parameters that tell most: amounts with their currency, then others in the order of the request.
export function tellingParams(entry) {
  const params = entry.params || [];
  const valueOf = (name) => (params.find((each) => each.name === name) || {}).value;
  const isAmount = (name) => /(^|_|\[)(amount|value)\]?$/.test(name);
  const told = [];
  for (const {name, value} of params) {
    if (!isAmount(name)) continue;
    const currency = valueOf(name.replace(/(amount|value)(\]?)$/, 'currency$2'));
    const count = /^-?\d+$/.test(value) ? number(Number(value)) : value;
    told.push(`${words(name)} ${count}${currency ? ` ${currency.toUpperCase()}` : ''}`);
  }
  for (const {name, value} of params) {
    if (told.length >= 4) break;
    if (!isAmount(name) && !/currency\]?$/.test(name)) told.push(`${name} ${isSecretName(name) ? mask : value}`);
  }
  return told.join(' · ');
}

export const outcomeBar = (outcome, count) => el('span', {class: outcome}, badgeOf(outcome, number(count)), ' ', outcomes[outcome]);
