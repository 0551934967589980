// Saves the requests that pass the filters as HAR, a format of browsers and other tools.

import {el, toast} from './elements.js';
import {load, operation} from './control.js';
import {log} from './log.js';

const path = '/_fake/requests.har';

export const exports = () => operation(`GET ${path}`);

export async function exportHar() {
  const known = new Set((exports().parameters || []).map((each) => each.name));
  const query = new URLSearchParams([...log.query()].filter(([name]) => known.has(name)));
  try {
    const url = URL.createObjectURL(await (await load(`${path}?${query}`)).blob());
    el('a', {href: url, download: 'requests.har'}).click();
    setTimeout(() => URL.revokeObjectURL(url), 60e3);
    toast('Exported as requests.har');
  } catch (problem) {
    toast(problem.message, true);
  }
}
