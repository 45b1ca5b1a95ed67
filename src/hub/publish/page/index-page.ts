// The index of a hub -> its first page: every skill with its description, and how to use the hub.
import type { SkillIndex } from '../../source/index-format.ts';
import { fingerprintOf } from '../../sign/signing-key.ts';
import { pagePath } from '../site-layout.ts';
import { escapeHtml, renderPage } from './html.ts';
import { useLines } from './use-lines.ts';

export function renderIndexPage({ title, base, skills, signature }: SkillIndex): string {
  const items = skills.map(
    ({ name, version = '', description }) => `<li>
<h2><a href="${escapeHtml(pagePath(name))}">${escapeHtml(name)}</a><span class="version">${escapeHtml(version)}</span></h2>
<p>${escapeHtml(description)}</p>
</li>`,
  );
  return renderPage(
    title ?? 'Skills',
    `<header>
<h1>${escapeHtml(title ?? 'Skills')}</h1>
<p class="lead">${skills.length === 1 ? '1 skill' : `${skills.length} skills`} for AI agents.${
      signature === undefined ? '' : ` Signed by the key ${escapeHtml(fingerprintOf(signature.keyId))}.`
    }</p>
</header>
<main>
<ul class="list">
${items.join('\n')}
</ul>
<h2>Use this hub</h2>
${useLines(base, (address) => `techne hub search WORDS --hub ${address}\ntechne add ${address} --skill NAME`)}
</main>
<footer>For programs: <a href=".well-known/agent-skills/index.json">index.json</a>.</footer>`,
  );
}
