// The address of the page, and how it changes. Every state that a person would want to send to somebody is in it.
//
//   router.path, router.query · go('/runs?status=failed') · setQuery({ status: 'failed' })
//
// Links are plain <a href="/…">: clicks on them are taken over in App.svelte.

let path = $state(location.pathname);
let query = $state(new URLSearchParams(location.search));

export const router = {
  get path(): string {
    return path;
  },
  /** Of the address; change it with `setQuery`. */
  get query(): URLSearchParams {
    return query;
  },
};

export function startRouter(): void {
  addEventListener('popstate', read);
}

/** To another page. */
export function go(href: string): void {
  if (href === location.pathname + location.search) return;
  history.pushState(null, '', href);
  read();
  scrollTo(0, 0);
}

/** Another filter, tab or selection of this page: no new entry in the history. `null` and '' remove a value. */
export function setQuery(values: { readonly [name: string]: string | null }): void {
  const next = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(values))
    if (value === null || value === '') next.delete(name);
    else next.set(name, value);
  const text = next.toString();
  history.replaceState(history.state, '', text === '' ? location.pathname : `${location.pathname}?${text}`);
  read();
}

function read(): void {
  path = location.pathname;
  query = new URLSearchParams(location.search);
}

/** `/runs/:run` and `/runs/01ABC` -> { run: '01ABC' }; `null`: it does not fit. */
export function fit(pattern: string, given: string): { readonly [name: string]: string } | null {
  const wanted = pattern.split('/');
  const parts = given.replace(/\/+$/, '').split('/');
  if (parts.length === 1) parts.push('');
  if (wanted.length !== parts.length) return null;
  const params: { [name: string]: string } = {};
  for (const [at, name] of wanted.entries()) {
    const part = parts[at] ?? '';
    if (name.startsWith(':')) {
      if (part === '') return null;
      try {
        params[name.slice(1)] = decodeURIComponent(part);
      } catch {
        // Not an address that we make.
        return null;
      }
    } else if (name !== part) return null;
  }
  return params;
}
