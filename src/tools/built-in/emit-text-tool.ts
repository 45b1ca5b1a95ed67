// emit_text: gives the text it is given. For plans that put texts together, and for the branch of one that does nothing.
import { objectSchema } from '../agent-tool.ts';
import type { BuiltInTool } from './built-in-tool.ts';

export const emitTextTool: BuiltInTool = {
  fact: {
    name: 'emit_text',
    description: 'Gives the text it is given.',
    schema: objectSchema({ text: { type: 'string' } }, ['text']),
    readOnly: true,
    repeatable: true,
    from: 'built-in',
  },
  call: async ({ args }) => ({ ok: true, text: args['text'] as string, value: null }),
};
