// What is shown of the log: the filters, the pause, and how many requests there are.

import {byId, options, renderIfChanged, toast} from './elements.js';
import {number, plural} from './text.js';
import {outcomeBar, outcomes} from './outcome.js';
import {emptyFilters, log, noOperation} from './log.js';
import {list} from './list.js';
import {receive, sumUp} from './requests.js';

export function resetFilters() {
  log.filters = emptyFilters();
  byId('filter-text').value = '';
  return applyFilters();
}

export async function applyFilters(change = {}) {
  Object.assign(log.filters, change);
  performance.mark('filter set');
  try {
    const isWanted = await log.load();
    if (!isWanted) return;
  } catch (problem) {
    toast(problem.message, true);
    return;
  }
  byId('list').scrollTop = 0;
  list.redraw();
  requestAnimationFrame(() => performance.mark('filter shown'));
  await sumUp();
}

export function setPaused(paused) {
  log.paused = paused;
  const shown = byId('pause');
  shown.setAttribute('aria-pressed', paused);
  drawHead();
  if (!paused) receive();
}

export function drawHead() {
  const {summary} = log;
  if (!summary) return;
  const {logged, matching, dropped} = summary;
  const parts = [log.isFiltered ? `${number(matching)} of ${plural(logged, 'request')}` : plural(logged, 'request')];
  if (dropped) parts.push(`the log has dropped ${number(dropped)} older`);
  byId('shown').textContent = parts.join('; ');
  byId('count-requests').textContent = logged ? number(logged) : '';
  const newer = log.newest ? summary.last - log.newest.number : 0;
  byId('pause').textContent = log.paused ? (newer > 0 && !log.isFiltered ? `Resume (${number(newer)} newer)` : 'Resume') : 'Pause';
  const counts = Object.entries(summary.outcomes).filter(([, count]) => count);
  renderIfChanged(byId('legend'), counts, () => counts.map(([name, count]) => outcomeBar(name, count)));
}

export function drawFilters() {
  const {summary} = log;
  if (!summary) return;
  const {operation: chosen, outcome, account} = log.filters;
  const named = (all) => all.filter((each) => each.name !== null);
  const without = summary.operations.find((each) => each.name === null);
  options(byId('filter-operation'), [['', 'All'],
    ...(without || chosen === noOperation ? [[noOperation, `No operation${without ? ` (${number(without.count)})` : ''}`]] : []),
    ...named(summary.operations).map(({name, count}) => [name, `${name} (${number(count)})`])], chosen);
  const accounts = named(summary.accounts);
  byId('filter-account').closest('label').hidden = accounts.length < 2 && !account;
  options(byId('filter-account'), [['', 'All'], ...accounts.map(({name}) => [name, name])], account);
  options(byId('filter-outcome'), [['', 'All'], ...Object.entries(outcomes), ['fault', 'Hit by a fault'],
    ...summary.statuses.map(({name}) => [name, name === '0' ? 'No status' : `Status ${name}`])], outcome);
}

export function wireFilters() {
  for (const name of ['operation', 'outcome', 'account'])
    byId(`filter-${name}`).addEventListener('change', (event) => applyFilters({[name]: event.target.value}));
  let typing = 0;
  byId('filter-text').addEventListener('input', (event) => {
    clearTimeout(typing);
    typing = setTimeout(() => applyFilters({text: event.target.value.trim()}), 120);
  });
  byId('pause').addEventListener('click', () => setPaused(!log.paused));
}
