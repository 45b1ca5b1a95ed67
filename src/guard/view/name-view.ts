// The name of a file, as a sentence: a model that lists a folder reads it.
import type { View } from '../detector.ts';
import { viewOf } from './make-views.ts';

const leastWords = 4;

/** `null`: the name is no sentence. All places lead to the beginning of the file. */
export function nameView(path: string): View | null {
  const words = path
    .replace(/\.\w{1,8}$/, '')
    .split(/[\s_/.+-]+/)
    .filter((word) => word !== '');
  if (words.length < leastWords) return null;
  return viewOf('literals', { text: `${words.join(' ')}.`, rawOffset: () => 0 }, ['file-name'], 'markdown');
}
