// Faults and fault scripts, the requests that they hit, locks and held concurrency.

import {badgeOf, button, byId, el, renderIfChanged, table} from '../elements.js';
import {clockTime, duration, moment, plural, words} from '../text.js';
import {badge, nameOf} from '../outcome.js';
import {call, operation, perform} from '../control.js';
import {hashOf} from '../navigation.js';
import {drawUntil} from '../clock.js';
import {offerPresets} from '../forms.js';
import {until} from './limits.js';

// The names in an object by name, or, as names may repeat, in an array. A name that is no text is in base64.
function namesIn(named) {
  if (!Array.isArray(named)) return Object.keys(named || {});
  return [...new Set(named.map(({name}) => (typeof name === 'string' ? name : `base64 ${name.base64}`)))];
}

// What a fault does, in words.
function effectOf(fault) {
  const parts = [];
  if (fault.fault && fault.fault !== 'none') parts.push(words(fault.fault));
  if (fault.error) parts.push(`error ${fault.error}`);
  if (fault.response) parts.push(`response ${fault.response.status}`);
  if (fault.latency_sigma) parts.push(`latency around ${duration(fault.latency_ms)}`);
  else if (fault.latency_up_to_ms > fault.latency_ms) parts.push(`latency from ${duration(fault.latency_ms)} to ${duration(fault.latency_up_to_ms)}`);
  else if (fault.latency_ms) parts.push(`${duration(fault.latency_ms)} later`);
  if (fault.chunks > 1) parts.push(`the body in ${fault.chunks} parts`);
  const headers = namesIn(fault.headers);
  if (headers.length) parts.push(`headers ${headers.join(', ')}`);
  return parts.join(', ') || 'nothing';
}

function aimOf(fault) {
  const conditions = ['params', 'metadata', 'request_headers'].flatMap((part) => namesIn(fault[part]).map((name) => `${words(part)} ${name}`));
  if (fault.every > 1) conditions.push(`every ${fault.every}th`);
  if (fault.probability !== undefined && fault.probability < 1) conditions.push(`with probability ${fault.probability}`);
  return [fault.operation || 'any operation', fault.object, ...conditions].filter(Boolean).join(' · ');
}

// `step`: of the script that the fault belongs to, if it does.
function faultRow(fault, step) {
  const isOpen = fault.times !== 0;
  const status = [fault.hits === undefined ? null : `hit ${fault.hits}×`, fault.times === 'unlimited' ? (step ? null : 'until removed') : `${fault.times} left`,
    step && `from ${clockTime(step.from)}`, step && step.until && `until ${clockTime(step.until)}`];
  const script = fault.script ? ` of script ${fault.script}` : '';
  return [fault.id === undefined ? '–' : fault.id + script, aimOf(fault), effectOf(fault),
    [badgeOf(fault.hits ? 'unanswered' : 'limited', fault.hits ? (isOpen ? 'hit, armed' : 'hit') : 'armed'),
      ' ', status.filter(Boolean).join(', ')],
    fault.id === undefined || !operation('DELETE /_fake/faults/{id}') ? null
      : button('Remove', () => perform('Fault removed', 'DELETE', `/_fake/faults/${fault.id}`),
        {class: 'small', 'data-key': `remove fault ${fault.id}`, 'aria-label': `Remove fault ${fault.id}`})];
}

function scriptRow(script) {
  const hits = script.steps.reduce((sum, step) => sum + (step.hits || 0), 0);
  return [`${script.id}, ${script.name}`, moment(script.started),
    script.next_at ? [`${script.next}, `, until(script.next_at, '', 'now')] : 'nothing more', `${hits}×`,
    button('Stop', () => perform('Script stopped', 'DELETE', `/_fake/fault_scripts/${script.id}`),
      {class: 'small', 'data-key': `stop script ${script.id}`, 'aria-label': `Stop script ${script.id}`})];
}

export async function loadFaults() {
  const [{faults}, {scripts, ready_made: readyMade}, {holds}, {requests}] = await Promise.all([
    call('GET', '/_fake/faults'), call('GET', '/_fake/fault_scripts'), call('GET', '/_fake/holds'),
    call('GET', `/_fake/requests?faulted=true&responses=false&limit=20&ending_before=${Number.MAX_SAFE_INTEGER}`)]);
  showFaults(faults);
  offerPresets('POST /_fake/fault_scripts', readyMade.map(({name, description}) => [words(name), {name}, description]));
  const steps = new Map(scripts.flatMap((script) => script.steps).map((step) => [step.fault, step]));
  renderIfChanged(byId('faults'), [faults, scripts], () => table(['Fault', 'Requests', 'Effect', 'Status', ''],
    faults.map((fault) => faultRow(fault, steps.get(fault.id))), 'No fault is armed.'));
  renderIfChanged(byId('scripts'), scripts, () => table(['Script', 'Started', 'What follows', 'Hits', ''], scripts.map(scriptRow), 'No fault script plays.'));
  const hits = requests.reverse();
  renderIfChanged(byId('hits'), hits.map((entry) => entry.number), () => table(['Fault', 'Request', 'Effect', 'Outcome'], hits.map((entry) => [
    entry.fault_from_header ? 'its header' : entry.fault_id ? String(entry.fault_id) : '–',
    el('a', {href: hashOf('requests', entry.number)}, `Request ${entry.number}, ${nameOf(entry)}`),
    entry.fault === 'none' ? (entry.added_latency_ms ? `${duration(entry.added_latency_ms)} later` : 'its response') : words(entry.fault),
    badge(entry)]), 'No fault has hit a request that the log has.'));
  renderIfChanged(byId('holds'), holds, () => table(['Hold', 'What', 'Account', 'End', ''], holds.map((hold) => [
    String(hold.hold),
    hold.object ? `lock of ${hold.object}` : `${plural(hold.units, 'unit')} of ${hold.operation || 'the limits on all operations'}`,
    `${hold.account} · ${hold.livemode ? 'live' : 'sandbox'}`,
    hold.until ? until(hold.until, 'ends ', 'now') : 'until it is released',
    button('Release', () => perform('Released', 'DELETE', `/_fake/holds/${hold.hold}`),
      {class: 'small', 'data-key': `release ${hold.hold}`, 'aria-label': `Release hold ${hold.hold}`})]), 'Nothing is held.'));
  drawUntil();
}

export function showFaults(faults) {
  byId('count-faults').textContent = faults.length || '';
}

export function wireFaults() {
  byId('remove-faults').addEventListener('click', () => perform('All faults removed', 'DELETE', '/_fake/faults'));
}
