// What a person asks first: does it work, what happened, and what went wrong?

import {badgeOf, button, byId, el, renderIfChanged} from '../elements.js';
import {number, plural, shortMoment, words} from '../text.js';
import {badge, nameOf, outcomeBar, outcomes, reasonsOf} from '../outcome.js';
import {call, operation, state} from '../control.js';
import {clockState, serviceNow} from '../clock.js';
import {emptyFilters, noOperation} from '../log.js';
import {applyFilters} from '../filters.js';
import {go, hashOf} from '../navigation.js';
import {loadHistory} from './limits.js';
import {answer, refusing} from './refusals.js';

const failures = Object.keys(outcomes).filter((name) => name !== 'succeeded');

export async function loadOverview() {
  const newest = (outcome) => call('GET', `/_fake/requests?responses=false&limit=5&ending_before=${Number.MAX_SAFE_INTEGER}&outcome=${outcome}`);
  const [health, summary, histories, {faults}, {holds}, {counts}, ...failed] = await Promise.all([
    call('GET', '/_fake/health'), call('GET', '/_fake/requests/summary'), loadHistory(), call('GET', '/_fake/faults'),
    call('GET', '/_fake/holds'), call('GET', '/_fake/objects?limit=1'), ...failures.map(newest)]);
  const latest = failed.flatMap((page) => page.requests).sort((a, b) => b.number - a.number).slice(0, 5);
  const {clock} = state;
  renderIfChanged(byId('overview'), [health, summary, histories, faults.length, holds.length, counts, latest.map((each) => each.number), clock && clock.frozen], () => [
    healthCard(health, summary), requestsCard(summary), limitsCard(histories), failuresCard(latest),
    operationsCard(summary), stateCard(faults, holds, counts)]);
}

const card = (title, ...content) => el('div', {class: 'card'}, el('h3', {}, title), content);
const rowsOf = (rows) => el('dl', {class: 'facts'}, rows.filter(([, value]) => value !== null && value !== '')
  .map(([name, value]) => [el('dt', {}, name), el('dd', {}, value)]));
const share = (count, all) => `${(count / all * 100).toFixed(count / all < 0.1 ? 1 : 0)} %`;
const badOf = (summary) => failures.reduce((sum, name) => sum + summary.outcomes[name], 0);

function healthCard(health, summary) {
  const bad = badOf(summary);
  const broken = summary.outcomes.failed + summary.outcomes.unanswered;
  const verdict = !summary.logged ? ['succeeded', 'No request yet'] : broken ? ['failed', 'Requests fail'] : bad ? ['limited', 'Some requests are refused'] : ['succeeded', 'All requests succeed'];
  return card('Health', el('p', {}, badgeOf(...verdict)), rowsOf([
    ['Server', `tally-fake ${health.version}, serving`],
    ['Accounts', number(health.accounts)],
    ['Mode shown', state.live ? 'live' : 'sandbox'],
    ['Clock', state.clock ? clockState() : ''],
  ]));
}

function requestsCard(summary) {
  const {logged, dropped, outcomes: ended} = summary;
  return card('Requests', el('p', {class: 'big'}, number(logged + dropped)),
    el('p', {class: 'hint'}, dropped ? `since the log was last cleared; it still has ${number(logged)}` : 'since the log was last cleared'),
    el('ul', {class: 'outcomes'}, Object.entries(ended).filter(([, count]) => count).map(([name, count]) =>
      el('li', {}, outcomeBar(name, count), ' ', el('span', {class: 'hint'}, share(count, logged))))));
}

function limitsCard(histories) {
  const all = refusing(histories);
  return card('Which limit did I hit?', el('p', {}, answer(histories)),
    all.length > 1 ? el('ul', {class: 'plain-list'}, all.slice(0, 4).map((each) =>
      el('li', {}, badgeOf('limited', number(each.refusals)), ' ', words(each.limit), each.operation ? ` of ${each.operation}` : ''))) : null,
    el('div', {class: 'buttons'}, button('Show the limits', () => go('limits'), {class: 'small', 'data-key': 'limits'})));
}

function failuresCard(latest) {
  return card('Latest failures', latest.length ? el('ul', {class: 'plain-list'}, latest.map((entry) => el('li', {}, badge(entry), ' ',
    el('a', {href: hashOf('requests', entry.number), 'data-key': `request ${entry.number}`}, `${shortMoment(entry.time, serviceNow())} ${nameOf(entry)}`),
    el('span', {class: 'hint'}, ` ${reasonsOf(entry).map(([, text]) => text).join(', ')}`)))) : el('p', {class: 'hint'}, 'None that the log has.'));
}

function operationsCard(summary) {
  const named = summary.operations.filter((each) => each.name).sort((a, b) => b.count - a.count).slice(0, 6);
  const without = summary.operations.find((each) => !each.name);
  const show = (operationName) => {
    applyFilters({...emptyFilters(), operation: operationName});
    go('requests');
  };
  const row = (label, count, value) => el('li', {}, button(label, () => show(value), {class: 'plain small', 'data-key': `operation ${label}`}), el('span', {}, number(count)));
  return card('Operations', named.length || without ? el('ul', {class: 'counts'}, named.map((each) => row(each.name, each.count, each.name)),
    without ? row('No operation matches', without.count, noOperation) : null) : el('p', {class: 'hint'}, 'No request yet.'));
}

function stateCard(faults, holds, counts) {
  const totals = new Map();
  for (const {resource, count} of counts) totals.set(resource, (totals.get(resource) || 0) + count);
  const resources = [...totals].filter(([, count]) => count).map(([resource, count]) => plural(count, words(resource)));
  return card('State', rowsOf([
    ['Faults armed', faults.length ? el('a', {href: hashOf('faults')}, number(faults.length)) : 'none'],
    ['Held', holds.length ? el('a', {href: hashOf('faults')}, plural(holds.length, 'hold')) : 'nothing'],
    ['Objects', resources.length ? resources.join(', ') : 'none'],
  ]));
}
