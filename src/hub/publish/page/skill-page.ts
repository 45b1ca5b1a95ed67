// A skill of a hub -> its page: what it is, how to add it, its instructions, files and versions.
import type { ManifestFile } from '../../../skill/resources.ts';
import type { SkillHead } from '../../../skill/types.ts';
import type { IndexSkill, SkillIndex } from '../../source/index-format.ts';
import { fingerprintOf } from '../../sign/signing-key.ts';
import { indexFolderFromPage } from '../site-layout.ts';
import { escapeHtml, renderPage } from './html.ts';
import { useLines } from './use-lines.ts';
import { renderMarkdown } from './render-markdown.ts';

export interface SkillPage {
  readonly skill: IndexSkill;
  readonly head: SkillHead;
  /** Markdown. */
  readonly body: string;
  readonly files: readonly ManifestFile[];
}

export function renderSkillPage(
  { skill, head, body, files }: SkillPage,
  { title, base, signature }: SkillIndex,
): string {
  const { name, version = '', versions = [] } = skill;
  const facts = [
    `version ${version}`,
    head.form,
    ...(skill.license === undefined ? [] : [skill.license]),
    ...(head.risk === null ? [] : [`${head.risk} risk`]),
    ...(signature === undefined ? [] : [`signed by ${fingerprintOf(signature.keyId)}`]),
  ];
  const uses = [
    ...(head.allowedTools === null
      ? []
      : [row('Tools without asking', head.allowedTools.join(', ') || 'none')]),
    ...(head.capabilities === null ? [] : [row('Capabilities', head.capabilities.join(', ') || 'none')]),
    ...(head.requires === null || head.requires.bins.length === 0
      ? []
      : [row('Programs', head.requires.bins.join(', '))]),
    ...(head.triggers.length === 0
      ? []
      : [row('Triggers', head.triggers.map(({ phrase }) => phrase).join(' · '))]),
  ];
  const versionRows = versions.map(
    (one) =>
      `<tr><td class="short"><a href="${escapeHtml(indexFolderFromPage + one.url)}" download>${escapeHtml(one.version)}</a></td><td class="short">${escapeHtml((one.publishedAt ?? '').slice(0, 10))}</td><td class="mono digest">${escapeHtml(one.digest)}</td><td class="number">${bytes(one.size ?? 0)}</td></tr>`,
  );
  const fileRows = files.map(
    ({ path, size, executable }) =>
      `<tr><td class="mono">${escapeHtml(path)}</td><td>${executable ? 'executable' : ''}</td><td class="number">${bytes(size)}</td></tr>`,
  );
  return renderPage(
    `${name} · ${title ?? 'Skills'}`,
    `<header>
<p><a href="../../index.html">${escapeHtml(title ?? 'Skills')}</a></p>
<h1>${escapeHtml(name)}</h1>
<p class="lead">${escapeHtml(skill.description)}</p>
<ul class="facts">
${facts.map((fact) => `<li>${escapeHtml(fact)}</li>`).join('\n')}
</ul>
</header>
<main>
<h2>Add it</h2>
${useLines(base, (address) => `techne add ${address} --skill ${name}`)}
${uses.length === 0 ? '' : `<h2>What it declares</h2>\n<table>\n${uses.join('\n')}\n</table>\n`}<h2>Instructions</h2>
<div class="body">
${renderMarkdown(body)}
</div>
<h2>Files</h2>
<table>
<tr><th>Path</th><th></th><th class="number">Size</th></tr>
${fileRows.join('\n')}
</table>
<h2>Versions</h2>
<table>
<tr><th>Version</th><th>Published</th><th>Digest</th><th class="number">Size</th></tr>
${versionRows.join('\n')}
</table>
</main>
<footer>Text of a skill is shown as its author wrote it. Read it before you add it.</footer>`,
  );
}

function row(what: string, value: string): string {
  return `<tr><th>${escapeHtml(what)}</th><td>${escapeHtml(value)}</td></tr>`;
}

function bytes(size: number): string {
  return size < 1024
    ? `${size} B`
    : size < 1024 * 1024
      ? `${(size / 1024).toFixed(1)} KiB`
      : `${(size / 1024 / 1024).toFixed(1)} MiB`;
}
