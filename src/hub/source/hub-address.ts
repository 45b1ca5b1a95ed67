// The address of a hub, by which it is remembered: however it was written, one hub has one.
import { indexPaths } from './index-format.ts';

/** With a "/" at the end; the address of an index is that of its hub. */
export function hubUrl(url: URL): URL {
  const path = Object.values(indexPaths).reduce(
    (rest, end) => (rest.endsWith(`/${end}`) ? rest.slice(0, -end.length) : rest),
    url.pathname,
  );
  const hub = new URL(url);
  hub.pathname = path.endsWith('/') ? path : `${path}/`;
  hub.search = '';
  hub.hash = '';
  return hub;
}

/** The same for text; what is no web address, such as a folder, is left as it is. */
export function hubAddress(text: string): string {
  return /^https?:\/\//i.test(text) && URL.canParse(text) ? hubUrl(new URL(text)).href : text;
}
