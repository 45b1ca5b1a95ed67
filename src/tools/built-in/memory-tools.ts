// memory_save, memory_search: notes as files in the folder `memory` of the workspace, where people can read and edit them.
//
// A note, a file of notes and a search are bounded: what does not fit is refused, never cut. Adding a note twice writes it
// twice, so memory_save is not repeatable.
import { neverAborted } from '../../base/abort.ts';
import { cutText } from '../../base/cut-text.ts';
import type { ConfinedFiles } from '../../node/confined/confined-files.ts';
import type { Tool } from '../../ports/tool.ts';
import { objectSchema, ToolFault } from '../../ports/tool.ts';
import { walkFiles } from '../../node/confined/walk-files.ts';

const limits = {
  noteUnits: 64_000,
  fileUnits: 512_000,
  searchedUnits: 8_000_000,
  shownUnits: 1_000,
  results: 50,
} as const;

export function memorySaveTool(files: ConfinedFiles): Tool {
  const parameters = objectSchema(
    {
      content: { type: 'string', minLength: 1 },
      text: { type: 'string', minLength: 1, description: 'The same as content.' },
      path: {
        type: 'string',
        description: 'A file in the folder memory, such as "memory/decisions.md". Default: memory/notes.md',
      },
      mode: { enum: ['append', 'overwrite'], description: 'Default: append.' },
    },
    [],
  );
  return {
    name: 'memory_save',
    description: 'Keeps a note in a file of the folder "memory" of the workspace.',
    parameters,
    readOnly: false,
    async call(args) {
      const {
        text: note,
        path = 'memory/notes.md',
        mode = 'append',
      } = args as { readonly text?: string; readonly path?: string; readonly mode?: string };
      const content = (args['content'] as string | undefined) ?? note;
      if (content === undefined) throw new ToolFault('the call lacks the key "content"');
      const place = memoryPath(path);
      if (content.length > limits.noteUnits)
        throw new ToolFault(`the note has ${content.length} characters, over ${limits.noteUnits}`);
      const before = mode === 'append' ? await files.readTextOrNull(place, 'write') : null;
      const text = before === null ? content : `${before}${before.endsWith('\n') ? '' : '\n'}\n${content}`;
      const whole = text.endsWith('\n') ? text : `${text}\n`;
      if (whole.length > limits.fileUnits)
        throw new ToolFault(
          `${JSON.stringify(place)} would have ${whole.length} characters, over ${limits.fileUnits}; move old notes into another file`,
        );
      await files.writeText(place, whole);
      return { ok: true, text: `saved ${content.length} characters to ${place}` };
    },
  };
}

function memoryPath(path: string): string {
  const place = path.replace(/^(?:\.\/)+/, '');
  if (!place.startsWith('memory/') || place === 'memory/')
    throw new ToolFault(`${JSON.stringify(path)} is not a file in the folder memory; write "memory/NAME.md"`);
  return place;
}

export function memorySearchTool(files: ConfinedFiles): Tool {
  const parameters = objectSchema(
    {
      query: { type: 'string', minLength: 1 },
      max_results: { type: 'integer', minimum: 1, maximum: limits.results, description: 'Default: 5.' },
    },
    ['query'],
  );
  return {
    name: 'memory_search',
    description: 'Finds notes in the folder "memory" of the workspace by the words they hold.',
    parameters,
    readOnly: true,
    async call(args, { signal = neverAborted } = {}) {
      const { query, max_results: most = 5 } = args as {
        readonly query: string;
        readonly max_results?: number;
      };
      const words = [...new Set(query.toLowerCase().match(/[\p{L}\p{N}_]{2,}|\p{Script=Han}/gu) ?? [])].slice(
        0,
        64,
      );
      const found: { readonly score: number; readonly text: string }[] = [];
      let units = 0;
      if ((await files.list('memory')) === null) return { ok: true, text: 'no notes' };
      await walkFiles(files, 'memory', signal, async ({ path, kind }) => {
        if (kind !== 'file') return;
        const text = await textOrNothing(files, `memory/${path}`);
        units += text.length;
        if (units > limits.searchedUnits) return 'stop';
        for (const paragraph of text.split(/\n\s*\n/)) {
          const low = paragraph.toLowerCase();
          const score = words.filter((word) => low.includes(word)).length;
          if (score > 0)
            found.push({
              score,
              text: `memory/${path}:\n${cutText(paragraph.trim(), limits.shownUnits).text}`,
            });
        }
      });
      const best = found.sort((a, b) => b.score - a.score).slice(0, most);
      return { ok: true, text: best.length === 0 ? 'no notes' : best.map(({ text }) => text).join('\n\n') };
    },
  };
}

/** Empty if it is too large, not text, or gone. */
async function textOrNothing(files: ConfinedFiles, path: string): Promise<string> {
  try {
    return await files.readText(path);
  } catch (error) {
    if (error instanceof ToolFault) return '';
    throw error;
  }
}
