// What every page does: the menu on small screens, the theme, and the search, whose code and index load when it is opened.

const button = (name: string): HTMLButtonElement | null => document.querySelector(`header button.${name}`);

const menu = button('menu');
menu?.addEventListener('click', () => {
  const open = document.body.classList.toggle('menu-open');
  menu.setAttribute('aria-expanded', String(open));
});

const themes = ['system', 'light', 'dark'] as const;
const theme = button('theme');
const root = document.documentElement;
const shown = theme?.querySelector('.value');
const current = (): string => root.dataset['theme'] ?? 'system';
if (shown) shown.textContent = current();
theme?.addEventListener('click', () => {
  const next = themes[(themes.indexOf(current() as 'system') + 1) % themes.length] ?? 'system';
  if (next === 'system') delete root.dataset['theme'];
  else root.dataset['theme'] = next;
  if (shown) shown.textContent = next;
  try {
    localStorage.setItem('techne-theme', next);
  } catch {
    // It holds for this page alone.
  }
});

/** Typed while the code of the search loads; null when it does not. */
let typedAhead: string | null = null;
const openSearch = async (): Promise<void> => {
  typedAhead = '';
  try {
    const { showSearch } = await import('./search.ts');
    await showSearch(document.body.dataset['root'] ?? '', typedAhead);
  } finally {
    typedAhead = null;
  }
};
button('search')?.addEventListener('click', () => void openSearch());
document.addEventListener('keydown', (event) => {
  if (typedAhead !== null && event.key.length === 1 && !event.ctrlKey && !event.metaKey && !event.altKey) {
    typedAhead += event.key;
    event.preventDefault();
    return;
  }
  const typing =
    event.target instanceof Element && event.target.closest('input, textarea, select, [contenteditable]');
  const asked =
    (event.key === '/' && !typing && !event.ctrlKey && !event.metaKey) ||
    (event.key === 'k' && (event.ctrlKey || event.metaKey));
  if (!asked) return;
  event.preventDefault();
  void openSearch();
});

// The page in the menu is in view, without moving the page itself.
const here = document.querySelector('#menu [aria-current]');
const list = document.querySelector('#menu');
if (here instanceof HTMLElement && list instanceof HTMLElement && here.offsetTop > list.clientHeight)
  list.scrollTop = here.offsetTop - list.clientHeight / 2;
