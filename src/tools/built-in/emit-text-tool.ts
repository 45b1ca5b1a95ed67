// emit_text: gives the text it is given. For plans that join texts, and for a branch of a plan that does nothing.
import type { Tool } from '../../ports/tool.ts';
import { objectSchema } from '../../ports/tool.ts';

export const emitTextTool: Tool = {
  name: 'emit_text',
  description: 'Gives the text it is given.',
  parameters: objectSchema({ text: { type: 'string' } }, ['text']),
  readOnly: true,
  call: async ({ text }) => ({ ok: true, text: text as string }),
};
