// Which requests belong together. Clients of tally mark the attempts of a call by the header `Tally-Call`; about others
// the page says only what it sees: that a request says the same as one shortly before, which did not succeed.

import {call} from './control.js';
import {log} from './log.js';
import {millisecondsOf} from './text.js';

export const sameWithin = 60;  // seconds
const callWithin = 600;

// The call and the number of the attempt; the call is null if the client has not marked the request.
export function markOf(entry) {
  return (entry.mark ??= markIn(entry));
}

function markIn(entry) {
  if (entry.call) return {call: entry.call, attempt: entry.attempt || 1};
  const header = (entry.headers || []).find((each) => each.name.toLowerCase() === 'tally-call');
  const found = header && /^([0-9a-f]{16})\s*(?:;\s*attempt=(\d+))?/i.exec(header.value);
  return found ? {call: found[1], attempt: Number(found[2] || 1)} : unmarked;
}

const unmarked = {call: null};
const timeOf = (entry) => (entry.at ??= millisecondsOf(entry.time));
const secondsBetween = (a, b) => Math.abs(timeOf(a) - timeOf(b)) / 1000;

function areSame(a, b) {
  return ['url', 'body', 'method', 'account', 'livemode'].every((part) => a[part] === b[part]) &&
    secondsBetween(a, b) <= sameWithin && !markOf(a).call && !markOf(b).call;
}

// What a row says: `attempt 2`, or `same as #12`.
export function attemptOf(entry) {
  const mark = markOf(entry);
  if (mark.call) return mark.attempt > 1 ? `attempt ${mark.attempt}` : null;
  const earlier = log.earlierThan(entry, (each) => secondsBetween(entry, each) <= sameWithin, (each) => areSame(entry, each));
  return earlier && earlier.outcome !== 'succeeded' ? `same as #${earlier.number}` : null;
}

// The attempts of the call, or the requests that say the same, oldest first, including this one. Asks the service, since
// the page may not have loaded them.
export async function related(entry) {
  const mark = markOf(entry);
  const around = (mark.call ? callWithin : sameWithin) * 1000;
  const at = timeOf(entry);
  const query = new URLSearchParams({responses: false, limit: 500, ending_before: entry.number + 500,
    from: new Date(at - around).toISOString(), until: new Date(at + around + 1).toISOString()});
  if (entry.operation) query.set('operation', entry.operation);
  else query.set('has_operation', 'false');
  const {requests} = await call('GET', `/_fake/requests?${query}`);
  const belongs = mark.call ? (each) => markOf(each).call === mark.call : (each) => areSame(entry, each);
  return requests.filter((each) => each.number === entry.number || belongs(each));
}
