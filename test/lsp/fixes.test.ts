// Corrections that the language server offers: each leaves the file clean of its finding.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { CodeAction, Diagnostic } from 'vscode-languageserver-protocol/node';
import { LspClient, applyEdit, changesOf, uriOf } from '../support/lsp-client.ts';
import type { LspWorld } from '../support/lsp-world.ts';
import { createLspWorld, writeSkill, writeSound } from '../support/lsp-world.ts';
import { brokenSkills, filesOf, nameOf } from './broken-skills.ts';

let world: LspWorld;
let client: LspClient;

beforeAll(async () => {
  world = createLspWorld();
  writeSound(world);
  client = new LspClient({
    homeFolder: world.homeFolder,
    folders: [world.workspace],
    initializationOptions: { scan: false },
  });
  await client.initialized;
});
afterAll(() => {
  client.process.kill();
  world.remove();
});

/** What is found once the text is this. */
async function checked(uri: string, text: string): Promise<readonly Diagnostic[]> {
  const version = await client.replace(uri, text);
  return client.settledAt(uri, version);
}

function same(all: readonly Diagnostic[], { code, message }: Diagnostic): number {
  return all.filter((one) => one.code === code && one.message === message).length;
}

describe('quick fixes', () => {
  it('leave the file clean of their finding, on every broken skill', async () => {
    const fixed = new Map<string, number>();
    let offered = 0;
    for (const [index, broken] of brokenSkills.entries()) {
      const { path } = broken;
      // One at a time: with all of them, most of the time goes into loading the others.
      writeSkill(world, nameOf(index), filesOf(broken, nameOf(index)));
      const at = join(world.skills, nameOf(index), path);
      const text = readFileSync(at, 'utf8').replace(/^\uFEFF/, '');
      const uri = await client.open(at, text);
      const found = await client.settledAt(uri, 1);
      const actions: { readonly action: CodeAction; readonly finding: Diagnostic }[] = [];
      for (const finding of found)
        for (const action of await client.quickFixes(uri, [finding])) actions.push({ action, finding });
      for (const { action, finding } of actions) {
        offered += 1;
        const edits = changesOf(action.edit).get(uri) ?? [];
        const after = await checked(uri, applyEdit(text, edits));
        const isGone = same(after, finding) < same(found, finding);
        expect([nameOf(index), action.title, isGone]).toEqual([nameOf(index), action.title, true]);
        fixed.set(String(finding.code), (fixed.get(String(finding.code)) ?? 0) + 1);
      }
      await client.close(uri);
      rmSync(join(world.skills, nameOf(index)), { recursive: true });
    }
    expect(offered).toBeGreaterThan(150);
    expect([...fixed.keys()].toSorted()).toMatchSnapshot();
  });
});

describe('source.fixAll', () => {
  it('does what techne check --fix does', async () => {
    const at = world.write(
      'skills/loose/SKILL.md',
      '---\nname: loose\ndescription: Use when: asked\n---\n\nBody.\n',
    );
    const uri = await client.open(at, readFileSync(at, 'utf8'));
    await client.settledAt(uri, 1);
    const [action] = await client.request<CodeAction[]>('textDocument/codeAction', {
      textDocument: { uri },
      range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
      context: { diagnostics: [], only: ['source.fixAll'] },
    });
    expect(applyEdit(client.text(uri), changesOf(action?.edit).get(uri) ?? [])).toContain(
      'description: "Use when: asked"\n',
    );
    await client.close(uri);
    expect(await client.settled(uriOf(at), (shown) => shown.length === 0)).toEqual([]);
  });
});
