import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '../base/diagnostic.ts';
import { collectInto } from '../base/diagnostic.ts';
import { renderSarif } from './render-sarif.ts';

describe('renderSarif', () => {
  it('gives rules, levels, encoded relative places and UTF-16 columns', () => {
    const text = '---\nname: 😀 bad\n---\n';
    const diagnostics: Diagnostic[] = [];
    collectInto(diagnostics, 'my skills/ä#1/SKILL.md')(
      'NAME_INVALID',
      { start: 10, end: 16 },
      'is wrong',
      'rename it',
    );
    collectInto(diagnostics, '/else where/SKILL.md')('FILE_UNREADABLE', null, 'cannot be read');
    expect(
      renderSarif({
        diagnostics,
        textOf: ({ span }) => (span === null ? null : text),
        folder: '/project/my repo',
        version: '1.2.3',
      }),
    ).toEqual({
      $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
      version: '2.1.0',
      runs: [
        {
          tool: {
            driver: {
              name: 'techne',
              version: '1.2.3',
              rules: [
                {
                  id: 'FILE_UNREADABLE',
                  shortDescription: { text: 'the file or folder cannot be read' },
                  defaultConfiguration: { level: 'error' },
                },
                {
                  id: 'NAME_INVALID',
                  shortDescription: { text: 'the name breaks the naming rules; the folder name is used' },
                  defaultConfiguration: { level: 'warning' },
                },
              ],
            },
          },
          columnKind: 'utf16CodeUnits',
          originalUriBaseIds: { SRCROOT: { uri: 'file:///project/my%20repo/' } },
          results: [
            {
              ruleId: 'NAME_INVALID',
              ruleIndex: 1,
              level: 'warning',
              message: { text: 'is wrong (rename it)' },
              locations: [
                {
                  physicalLocation: {
                    artifactLocation: { uri: 'my%20skills/%C3%A4%231/SKILL.md', uriBaseId: 'SRCROOT' },
                    region: { startLine: 2, startColumn: 7, endLine: 2, endColumn: 13 },
                  },
                },
              ],
            },
            {
              ruleId: 'FILE_UNREADABLE',
              ruleIndex: 0,
              level: 'error',
              message: { text: 'cannot be read' },
              locations: [
                { physicalLocation: { artifactLocation: { uri: 'file:///else%20where/SKILL.md' } } },
              ],
            },
          ],
        },
      ],
    });
  });
});
