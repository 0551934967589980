// A form for any operation of the control API.

import {badgeOf, button, byId, copy, el, toast} from './elements.js';
import {plural, proseOf} from './text.js';
import {call, operation, state} from './control.js';
import {fieldsOf, read} from './fields.js';
import {hashOf} from './navigation.js';
import {refresh} from './updates.js';

// The most common uses of an operation.
const presets = {
  'POST /_fake/faults': [
    ['Time out', {latency_ms: 120000}, 'The response comes two minutes late; clients give up before.'],
    ['Lose the response', {fault: 'response_lost'}, 'The request is processed, then the connection breaks.'],
    ['Break the connection', {fault: 'reset'}, 'The connection breaks before the request is processed.'],
    ['Server error, nothing done', {error: 'api_error'}, 'A 500; the request is not processed.'],
    ['Server error after the change', {fault: 'error_after_processing'}, 'A 5xx, although the request took effect.'],
    ['Rate limit', {error: 'rate_limit'}, 'A 429, as if a limit were used up.'],
    ['Lock timeout', {error: 'lock_timeout'}, 'A 429, as if another request held the object.'],
    ['Slow', {latency_ms: 2000}, 'The response comes two seconds late.'],
    ['Truncate the body', {fault: 'truncated_body'}, 'The response ends too early.'],
  ],
};

// Fields that are shown at once; the others are under “More”.
const mainFields = {
  'POST /_fake/faults': ['operation', 'object', 'fault', 'error', 'latency_ms', 'times'],
  'POST /_fake/fault_scripts': ['name', 'seed'],
  'POST /_fake/verify': ['operation', 'object', 'status', 'exactly', 'at_least', 'at_most', 'params', 'metadata'],
  'POST /_fake/limits': ['limit', 'value', 'operation', 'account'],
};

// Each: a name, the values of fields, and what they do.
export function offerPresets(title, offered) {
  presets[title] = offered;
}

export function openForm(title, values, presetName) {
  const described = operation(title);
  if (!described) return;
  const fields = fieldsOf(described);
  const main = mainFields[title];
  const isMain = (field) => !main || main.includes(field.name) || field.input.required;
  const first = main ? fields.filter(isMain).sort((a, b) => main.indexOf(a.name) - main.indexOf(b.name)) : fields;
  const rest = fields.filter((field) => !isMain(field));
  const outcome = el('div', {class: 'outcome', role: 'status'});
  const dialog = byId('dialog');
  const opener = document.activeElement;
  const choices = (presets[title] || []).map(([name, preset, effect]) => button(name, (event) => {
    const touched = new Set(presets[title].flatMap(([, each]) => Object.keys(each)));
    for (const field of fields) if (touched.has(field.name)) field.set(preset[field.name]);
    for (const each of choices) each.setAttribute('aria-pressed', each === event.currentTarget);
    outcome.replaceChildren(el('p', {class: 'hint'}, effect, preset.latency_ms && state.clock && !state.clock.running
      ? ' The clock of this account is manual, so the latency passes at once; to break the connection, choose “Lose the response”.' : ''));
  }, {'aria-pressed': 'false', title: effect}));
  const form = el('form', {novalidate: true, method: 'dialog'},
    el('div', {class: 'card-head'}, el('h2', {id: 'dialog-title'}, described.summary),
      button('Close', () => dialog.close(), {class: 'small', 'aria-label': 'Close the dialog'})),
    described.description ? el('p', {class: 'description'}, ...proseOf(described.description)) : null,
    choices.length ? el('div', {class: 'presets', role: 'group', 'aria-label': 'Presets'}, choices) : null,
    first.length ? el('div', {class: 'fields'}, first.map((field) => field.element)) : null,
    rest.length ? el('details', {}, el('summary', {}, `More (${rest.length})`), el('div', {class: 'fields'}, rest.map((field) => field.element))) : null,
    outcome,
    el('div', {class: 'foot'}, el('code', {class: 'hint'}, title), el('button', {type: 'submit', class: 'main'}, title.startsWith('GET') ? 'Show' : 'Send')));
  form.addEventListener('submit', async (event) => {
    event.preventDefault();
    const sent = read(title, fields);
    if (!sent) return;
    try {
      showOutcome(outcome, dialog, described, await call(sent.method, sent.path, sent.body));
      refresh();
    } catch (problem) {
      // The control API names the place of a problem before a colon.
      const field = fields.find((each) => problem.message.startsWith(`${each.name}:`));
      if (field) field.fail(problem.message);
      outcome.replaceChildren(el('p', {class: 'problem'}, problem.message));
      if (field) field.input.focus();
    }
  });
  dialog.replaceChildren(form);
  for (const field of fields) if (values && values[field.name] !== undefined) field.set(values[field.name]);
  const preset = choices.find((each) => each.textContent === presetName);
  dialog.addEventListener('close', () => {
    // The button may have been drawn again meanwhile.
    const back = opener.isConnected ? opener : document.querySelector(`main [data-key="${CSS.escape(opener.dataset.key)}"]`);
    if (back) back.focus();
  }, {once: true});
  dialog.showModal();
  if (preset) preset.click();
  if (first.length) (first.find((field) => !field.input.value) || first[0]).input.focus();
}

function showOutcome(outcome, dialog, described, answer) {
  const isEmpty = !answer || !Object.keys(answer).length;
  const isSmall = isEmpty || ['id', 'hold', 'now', 'snapshot'].some((name) => Object.keys(answer)[0] === name && name !== 'id') ||
    (Object.keys(answer).length === 1 && 'id' in answer);
  if (isSmall) {
    dialog.close();
    toast(`Done: ${described.summary}`);
    return;
  }
  if ('near_misses' in answer) outcome.replaceChildren(...verification(answer));
  else {
    const text = JSON.stringify(answer, null, 2);
    outcome.replaceChildren(el('p', {}, `Done: ${described.summary}`), el('pre', {tabindex: 0}, text),
      el('p', {class: 'buttons'}, button('Copy', () => copy(text, 'Copied'), {class: 'small'})));
  }
  outcome.scrollIntoView({block: 'nearest'});
}

// The result of a verification: the verdict, links to the requests that match, and what differs in the near misses.
function verification(answer) {
  const link = (number) => el('a', {href: hashOf('requests', number), onclick: () => byId('dialog').close()}, `request ${number}`);
  const misses = answer.near_misses.map((miss) => el('div', {class: 'card'},
    el('p', {}, 'Almost: ', link(miss.request.number), ` · ${miss.request.operation || miss.request.url}`),
    el('table', {}, el('thead', {}, el('tr', {}, ['Part', 'Expected', 'Actual'].map((title) => el('th', {scope: 'col'}, title)))),
      el('tbody', {}, miss.differences.map((each) => el('tr', {}, el('th', {scope: 'row'}, each.part), el('td', {}, each.expected), el('td', {}, each.actual)))))));
  const numbers = answer.requests || [];
  const verdict = answer.ok ? 'As expected' : answer.decided === false ? 'Unknown' : 'Not as expected';
  const lacks = [answer.dropped && plural(answer.dropped, 'request'), answer.unknown && `the responses of ${plural(answer.unknown, 'request')}`];
  return [
    el('p', {}, badgeOf(answer.ok ? 'succeeded' : 'failed', verdict),
      ` ${plural(answer.matched, 'request')} ${answer.matched === 1 ? 'matches' : 'match'}.`),
    answer.decided === false ? el('p', {}, `The log lacks ${lacks.filter(Boolean).join(' and ')}, which may match.`) : null,
    numbers.length ? el('p', {}, numbers.slice(-20).map((number, i) => [i ? ', ' : '', link(number)])) : null,
    ...misses,
  ].filter(Boolean);
}
