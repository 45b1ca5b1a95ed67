// Packages that look as `@energetic-ai/embeddings` and its weights do: the vector of a text is its length and 1.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** `embed`: the body of the function that gives the vectors of `texts`. Returns the file that `from` takes. */
export function installFakeWeights(
  folder: string,
  embed = 'return texts.map((text) => [text.length, 1])',
): string {
  const write = (name: string, code: string): void => {
    const at = join(folder, 'node_modules', name);
    mkdirSync(at, { recursive: true });
    writeFileSync(join(at, 'package.json'), JSON.stringify({ name, version: '0.0.0', main: 'index.js' }));
    writeFileSync(join(at, 'index.js'), code);
  };
  write(
    '@energetic-ai/embeddings',
    'exports.initModel = async (source) => (console.log("loading"), { embed: await source() });',
  );
  write('fake-weights', `exports.modelSource = async () => async (texts) => { ${embed} };`);
  return join(folder, 'x.js');
}
