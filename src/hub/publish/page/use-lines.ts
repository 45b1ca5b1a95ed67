// The address of a hub -> commands for its readers, as HTML.
//
// A page does not know where it is served from, and has no script to find out. Without an address (`publish --url`) it says
// what to put in its place, for a web site and for a folder.
import { escapeHtml } from './html.ts';

export function useLines(base: string | undefined, commands: (address: string) => string): string {
  if (base !== undefined) return `<pre><code>${escapeHtml(commands(base))}</code></pre>`;
  return `<pre><code>${escapeHtml(commands('HUB'))}</code></pre>
<p>In the place of <code>HUB</code> write the address of the first page of this hub, as your browser shows it, without <code>index.html</code>. If you opened it from a folder, write the path of that folder.</p>`;
}
