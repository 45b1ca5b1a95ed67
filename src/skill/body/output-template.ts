// The output template that a head names -> what follows the body, wherever the body goes.
//
// A skill with `output:` says what its result looks like, so the template belongs to its instructions: loaded on demand,
// mentioned, called, preloaded, given with a message, or followed by an agent of a plan.
import { decodeUtf8 } from '../../base/utf8.ts';
import { TechneError } from '../../base/error.ts';

/** '' where there is none. `read` gives a file of the skill; one that cannot be read is said to be so. */
export async function outputTemplate(
  output: string | null,
  read: (path: string) => Promise<Uint8Array>,
): Promise<string> {
  if (output === null) return '';
  return `\n\n#### Output template (${output})\n\n${(await templateText(output, read)).trimEnd()}\n`;
}

export function withTemplate(body: string, template: string): string {
  return template === '' ? body : `${body.trimEnd()}${template}`;
}

async function templateText(path: string, read: (path: string) => Promise<Uint8Array>): Promise<string> {
  try {
    return decodeUtf8(await read(path)).text;
  } catch (error) {
    if (error instanceof TechneError) return `(it cannot be read: ${error.message})`;
    throw error;
  }
}
