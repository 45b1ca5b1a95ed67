// The search: a dialog over an index that is fetched once and searched here, without a server.
import MiniSearch from 'minisearch';
import type { SearchSection } from './search-options.ts';
import { searchOptions } from './search-options.ts';

const mostShown = 30;

let dialog: HTMLDialogElement | null = null;
let index: Promise<MiniSearch<SearchSection>> | null = null;

/** `typed`: what was written before it was there. */
export async function showSearch(root: string, typed: string): Promise<void> {
  dialog ??= createDialog(root);
  if (!dialog.open) dialog.showModal();
  const input = dialog.querySelector('input');
  input?.focus();
  input?.select();
  if (input === null || typed === '') return;
  input.value = typed;
  input.dispatchEvent(new Event('input'));
}

function loadIndex(root: string): Promise<MiniSearch<SearchSection>> {
  index ??= fetch(`${root}search.json`).then(async (answer) => {
    if (!answer.ok) throw new Error(`search.json: ${answer.status}`);
    return MiniSearch.loadJSON(await answer.text(), searchOptions);
  });
  return index;
}

function createDialog(root: string): HTMLDialogElement {
  const made = document.createElement('dialog');
  made.className = 'finder';
  made.setAttribute('aria-label', 'Search');
  const input = document.createElement('input');
  input.type = 'search';
  input.setAttribute('aria-label', 'Search the documentation');
  input.placeholder = 'A word, a code, a field, a command';
  const status = document.createElement('p');
  status.setAttribute('role', 'status');
  const list = document.createElement('ul');
  const close = document.createElement('button');
  close.type = 'button';
  close.textContent = 'Close';
  close.addEventListener('click', () => made.close());
  const top = document.createElement('div');
  top.append(input, close);
  made.append(top, status, list);
  document.body.append(made);

  const update = async (): Promise<void> => {
    const words = input.value.trim();
    if (words === '') {
      list.replaceChildren();
      status.textContent = '';
      return;
    }
    try {
      const found = (await loadIndex(root)).search(words);
      if (words !== input.value.trim()) return;
      list.replaceChildren(...found.slice(0, mostShown).map((one) => itemOf(root, one)));
      status.textContent =
        found.length === 0
          ? `Nothing is found for "${words}".`
          : found.length > mostShown
            ? `The best ${mostShown} of ${found.length} places`
            : `${found.length} ${found.length === 1 ? 'place' : 'places'}`;
    } catch (error) {
      index = null;
      status.textContent = `The search could not be loaded (${(error as Error).message}). Try again.`;
    }
  };
  input.addEventListener('input', () => void update());
  made.addEventListener('keydown', (event) => {
    if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp' && event.key !== 'Enter') return;
    const links = [...list.querySelectorAll('a')];
    const at = links.indexOf(document.activeElement as HTMLAnchorElement);
    if (event.key === 'Enter') {
      if (at < 0 && document.activeElement === input) links[0]?.click();
      return;
    }
    event.preventDefault();
    const next = event.key === 'ArrowDown' ? at + 1 : at - 1;
    (next < 0 ? input : (links[next] ?? links.at(-1)))?.focus();
  });
  list.addEventListener('click', () => made.close());
  return made;
}

function itemOf(root: string, { id, title, page }: { readonly [key: string]: unknown }): HTMLLIElement {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = `${root}${String(id)}`;
  link.textContent = String(title);
  if (page !== title) {
    const small = document.createElement('small');
    small.textContent = ` ${String(page)}`;
    link.append(small);
  }
  item.append(link);
  return item;
}
