// techne schema
import { frontmatterSchema } from '../../skill/fields/json-schema.ts';
import type { CommandContext } from '../context.ts';

export async function runSchema({ out }: CommandContext): Promise<number> {
  out.json(frontmatterSchema());
  return 0;
}
