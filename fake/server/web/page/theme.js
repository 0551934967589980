// Light or dark, as the system says or as the user chooses.

import {byId} from './elements.js';

const themes = ['auto', 'light', 'dark'];
const key = 'tally-fake-theme';

function setTheme(theme) {
  if (theme === 'auto') delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  byId('theme').textContent = `Theme: ${theme}`;
  try {
    localStorage.setItem(key, theme);
  } catch {
    // Without storage, the theme lasts until the page is closed.
  }
}

function storedTheme() {
  try {
    return themes.includes(localStorage.getItem(key)) ? localStorage.getItem(key) : 'auto';
  } catch {
    return 'auto';
  }
}

export function wireTheme() {
  setTheme(storedTheme());
  byId('theme').addEventListener('click', () => setTheme(themes[(themes.indexOf(storedTheme()) + 1) % themes.length]));
}
