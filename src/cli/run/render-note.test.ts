import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../base/json.ts';
import { createPaint } from '../io.ts';
import { renderNote } from './render-note.ts';

const paint = createPaint(false);
const answer = '# Entropy\n\n## Definition\n\nDisorder\n\n## Details\n\n<!-- How? -->\n';
const envelope = (note: JsonObject): JsonObject => ({
  answer,
  node_type: 'concept',
  suggested_edges: [
    { type: 'prerequisite', target: null },
    { type: 'leads_to', target: null },
  ],
  note,
});

describe('renderNote', () => {
  it('says what was written, what is open and how it can be linked, without JSON and empty sections', () => {
    expect(
      renderNote(envelope({ path: 'concepts/Entropy.md', action: 'created' }), { leads_to: 'x' }, paint),
    ).toBe(
      'wrote concepts/Entropy.md, a note of type concept\n' +
        '  to fill in  Details\n' +
        '  can link    prerequisite; techne graph suggest Entropy\n' +
        '\n## Definition\n\nDisorder\n',
    );
  });

  it('names links that were left out, notes that could be linked, and properties that stay', () => {
    const note = {
      path: 'Entropy.md',
      action: 'merged',
      left_out: [{ edge: 'prerequisite', target: 'Sets', reason: 'there is no such note' }],
      proposed: [{ target: 'Heat', edges: ['leads_to'], because: 'its name "Heat" is in the text' }],
      kept: ['source'],
    };
    expect(renderNote(envelope(note), { prerequisite: 'Sets', leads_to: ['Heat'] }, paint)).toBe(
      'added to Entropy.md, a note of type concept\n' +
        '  not linked  prerequisite "Sets": there is no such note\n' +
        '  link to?    "Heat": its name "Heat" is in the text\n' +
        '  kept        source, as the note has it\n' +
        '\n## Definition\n\nDisorder\n',
    );
  });

  it('prints no text when nothing was written, and nothing without a note', () => {
    expect(renderNote(envelope({ path: 'Entropy.md', action: 'unchanged' }), null, paint)).toBe(
      'Entropy.md has all of it already; nothing was written\n',
    );
    expect(renderNote({ answer }, null, paint)).toBeNull();
  });

  it('shows no character that a terminal obeys', () => {
    const shown = renderNote(envelope({ path: 'a\u001b[2J.md', action: 'created' }), null, paint);
    expect(shown).not.toContain('\u001b');
  });
});
