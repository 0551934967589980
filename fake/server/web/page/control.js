// The control API, and what the page knows of the service. All data of the page come from here.

import {toast} from './elements.js';
import {parsedJson} from './text.js';
import {refresh} from './updates.js';

export const state = {
  accounts: [],
  account: null,
  live: false,
  description: {operations: [], errors: [], limits: [], resources: []},
  machines: [],
  paths: {},
  schemas: {},
  clock: null,
  clockRead: 0,
  view: 'requests',
};

export const unknownKey = 401;
export const keyOf = (account, live = state.live) => (live ? account.live_key : account.sandbox_key);
export const isShown = (account) => state.account && account.id === state.account.id;

const problemOf = (status, message) => Object.assign(new Error(message), {status});

async function responseTo(method, path, body, account, signal) {
  const headers = {};
  if (account) headers.Authorization = `Bearer ${keyOf(account)}`;
  if (body !== undefined) headers['Content-Type'] = 'application/json';
  const response = await fetch(path, {method, headers, signal, body: body === undefined ? undefined : JSON.stringify(body)});
  if (response.ok) return response;
  const told = parsedJson(await response.text());
  throw problemOf(response.status, told && told.error ? told.error.message : `${method} ${path}: ${response.status}`);
}

export async function call(method, path, body, account = state.account) {
  return parsedJson(await (await responseTo(method, path, body, account)).text());
}

export async function load(path, signal) {
  return responseTo('GET', path, undefined, state.account, signal);
}

// The operation in the control API's own description; nothing if this server lacks it.
export function operation(title) {
  const [method, path] = title.split(' ');
  const found = Object.entries(state.paths).find(([each]) => each.replace(/\{\w+\}/g, '{}') === path.replace(/\{\w*\}/g, '{}'));
  return found && found[1][method.toLowerCase()];
}

// Carries out an operation for a button, and reports the result.
export async function perform(done, method, path, body, account = state.account) {
  try {
    const answer = await call(method, path, body, account);
    toast(done);
    await refresh();
    return answer;
  } catch (problem) {
    toast(problem.message, true);
    return undefined;
  }
}
