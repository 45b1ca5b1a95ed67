// `npm:name@range` -> the package, its range or tag.
import { TechneError } from '../../base/error.ts';
import { show } from './git-words.ts';
import type { Source } from './source.ts';

const part = '[a-z0-9~][a-z0-9._~-]*';
const packageName = new RegExp(`^(?:@${part}/)?${part}$`);

function isPackageName(name: string): boolean {
  return name.length <= 214 && packageName.test(name);
}

export function npmSource(text: string): Source {
  const at = text.indexOf('@', 1);
  const name = at === -1 ? text : text.slice(0, at);
  const range = at === -1 ? null : text.slice(at + 1).trim();
  if (!isPackageName(name))
    throw new TechneError('SOURCE_INVALID', `"${show(name)}" is not the name of an npm package`, {
      hint: 'write npm:name or npm:@scope/name, in small letters',
    });
  if (range !== null && !/^[\w.^~<>=*|+ -]{1,100}$/.test(range))
    throw new TechneError('SOURCE_INVALID', `"${show(range)}" is not a version, a range or a tag`, {
      hint: 'write a version (npm:name@1.2.3), a range (npm:name@^1.2) or a tag (npm:name@next)',
    });
  return { kind: 'npm', name, range: range === '' ? null : range, skills: [] };
}
