// A name in a file of a skill -> where it is defined and used: in the files of the skill, and in other skills.
import { dirname, join } from 'node:path';
import type { Span } from '../../base/span.ts';
import { TechneError } from '../../base/error.ts';
import { isInside } from '../../base/is-inside.ts';
import type { LanguageFile } from '../../language/language.ts';
import type { Occurrence } from '../../language/names.ts';
import { occurrencesIn } from '../../language/names.ts';
import { readOutline } from '../../language/outline.ts';
import { valueOf } from '../../language/declared.ts';
import { variableDocs } from '../../language/docs/template-docs.ts';
import { loadsIn, starlarkNamesAt } from '../../language/starlark-names.ts';
import { symbolsIn } from '../../language/symbols.ts';
import type { Files } from '../../ports/files.ts';
import { FileFault } from '../../ports/files.ts';
import type { SkillPlace } from './find-skill.ts';

export interface Location {
  readonly path: string;
  readonly span: Span;
}

/** What is known around a file; paths are absolute. */
export interface NavigationWorld {
  readonly files: Files;
  readonly read: (path: string) => string | null;
  /** Of the skills of the workspace and those that are configured, by name. */
  readonly skillFiles: () => Promise<ReadonlyMap<string, string>>;
}

export interface NavigationPlace {
  readonly path: string;
  readonly file: LanguageFile;
  readonly skill: SkillPlace | null;
  readonly offset: number;
}

const mostSkills = 2_000;
const start: Span = { start: 0, end: 0 };

export async function findDefinitions(
  place: NavigationPlace,
  world: NavigationWorld,
): Promise<readonly Location[]> {
  const { path, file, skill, offset } = place;
  if (file.path.endsWith('.star')) {
    const loaded = loadedAt(path, file.text, offset, world);
    if (loaded !== null) return loaded;
    const names = starlarkNamesAt(file.text, offset);
    if (names.length > 0)
      return names.filter(({ isDefinition }) => isDefinition).map((span) => ({ path, span: plain(span) }));
  }
  const found = occurrenceAt(file, offset);
  if (found === null || skill === null) return [];
  if (found.kind === 'skill') {
    const target = await skillFile(found.name, skill, world);
    return target === null ? [] : [{ path: target, span: start }];
  }
  if (found.kind === 'file') {
    const target = join(skill.folder, found.name);
    return isFile(world.files, target) ? [{ path: target, span: start }] : [];
  }
  return filesOf(skill, world).flatMap(({ path: at, file: one }) =>
    occurrencesIn(one)
      .filter(({ kind, name, isDefinition }) => isDefinition && kind === found.kind && name === found.name)
      .map((span) => ({ path: at, span: plain(span) })),
  );
}

export async function findReferences(
  place: NavigationPlace,
  world: NavigationWorld,
  withDefinition: boolean,
): Promise<readonly Location[]> {
  const { path, file, skill, offset } = place;
  if (file.path.endsWith('.star')) {
    const names = starlarkNamesAt(file.text, offset);
    if (names.length > 0)
      return names
        .filter(({ isDefinition }) => withDefinition || !isDefinition)
        .map((span) => ({ path, span: plain(span) }));
  }
  const found = occurrenceAt(file, offset);
  const named = found?.kind === 'skill' ? found.name : found === null ? nameAt(file, offset) : null;
  if (named !== null) return skillReferences(named, world);
  if (found === null || skill === null || found.kind === 'file') return [];
  return filesOf(skill, world).flatMap(({ path: at, file: one }) =>
    occurrencesIn(one)
      .filter(
        ({ kind, name, isDefinition }) =>
          kind === found.kind && name === found.name && (withDefinition || !isDefinition),
      )
      .map((span) => ({ path: at, span: plain(span) })),
  );
}

/** What can be renamed at the place: a step, or a name of a program. `null`: nothing. */
export function findRenamed({ file, offset }: NavigationPlace): (Span & { readonly name: string }) | null {
  if (file.path.endsWith('.star')) {
    const here = starlarkNamesAt(file.text, offset).find(
      ({ start: from, end }) => from <= offset && offset <= end,
    );
    return here === undefined ? null : { ...plain(here), name: here.name };
  }
  const found = occurrenceAt(file, offset);
  return found?.kind === 'step' ? { ...plain(found), name: found.name } : null;
}

/** Throws USAGE for a name that cannot be given. */
export async function findRenames(
  place: NavigationPlace,
  world: NavigationWorld,
  to: string,
): Promise<readonly Location[]> {
  if (findRenamed(place) === null)
    throw new TechneError('USAGE', 'only steps of plans and names of programs can be renamed', {
      hint: 'place the cursor on the id of a step',
    });
  const isProgram = place.file.path.endsWith('.star');
  if (!/^[A-Za-z_]\w{0,63}$/.test(to) || (!isProgram && Object.hasOwn(variableDocs, to)))
    throw new TechneError('USAGE', `"${to.slice(0, 80)}" cannot be the name`, {
      hint: 'use letters, digits and "_", with a letter first; inputs, outputs, errors, item and loop are taken',
    });
  const taken = isProgram
    ? symbolsIn(place.file).map(({ name }) => name)
    : occurrencesIn({ path: 'SKILL.md', text: place.file.main, main: place.file.main })
        .filter(({ kind, isDefinition }) => kind === 'step' && isDefinition)
        .map(({ name }) => name);
  if (taken.includes(to))
    throw new TechneError('USAGE', `"${to}" is there already`, { hint: 'choose another name' });
  return findReferences(place, world, true);
}

function plain({ start: from, end }: Span): Span {
  return { start: from, end };
}

export function occurrenceAt(file: LanguageFile, offset: number): Occurrence | null {
  return occurrencesIn(file).find(({ start: from, end }) => from <= offset && offset <= end) ?? null;
}

/** The name of the skill, at its own field. */
function nameAt({ path, text }: LanguageFile, offset: number): string | null {
  if (path !== 'SKILL.md') return null;
  const outline = readOutline(text);
  const entry = outline.entries.find((one) => one.path.length === 1 && one.path[0] === 'name');
  if (entry === undefined || offset < (entry.key ?? entry.value).start || offset > entry.value.end)
    return null;
  return valueOf(outline, entry);
}

async function skillReferences(name: string, world: NavigationWorld): Promise<readonly Location[]> {
  const files = [...(await world.skillFiles()).values()].slice(0, mostSkills);
  return files.flatMap((path) => {
    const text = world.read(path);
    if (text === null || !text.includes(name)) return [];
    return occurrencesIn({ path: 'SKILL.md', text, main: text })
      .filter((one) => one.kind === 'skill' && one.name === name)
      .map((span) => ({ path, span: plain(span) }));
  });
}

/** Beside the skill that names it, then anywhere: as a plan looks for it. */
async function skillFile(
  name: string,
  { folder }: SkillPlace,
  world: NavigationWorld,
): Promise<string | null> {
  const beside = /^[\w.-]+$/.test(name) ? join(dirname(folder), name, 'SKILL.md') : '';
  if (beside !== '' && isFile(world.files, beside)) return beside;
  return (await world.skillFiles()).get(name) ?? null;
}

/** The files of a skill that can name its steps and inputs. */
function filesOf(
  { folder, main }: SkillPlace,
  { files, read }: Pick<NavigationWorld, 'files' | 'read'>,
): readonly { readonly path: string; readonly file: LanguageFile }[] {
  const text = read(main) ?? '';
  const outline = readOutline(text);
  const output = outline.entries.find(({ path }) => path.length === 1 && path[0] === 'output');
  const template = output === undefined ? '' : valueOf(outline, output).replace(/^\.\//, '');
  const stem = template.slice(0, Math.max(0, template.lastIndexOf('.')));
  const inFolder = (at: string): readonly string[] =>
    // What a folder that is a link leads to belongs to others: a new name must not be written there.
    leadsOut(files, join(folder, at), folder)
      ? []
      : namesIn(files, join(folder, at)).map((name) => (at === '' ? name : `${at}/${name}`));
  const paths = [
    ...inFolder('').filter((path) => path.endsWith('.star')),
    ...(stem === '' || stem.includes('..')
      ? []
      : inFolder(dirname(template) === '.' ? '' : dirname(template))
    ).filter((path) => path.startsWith(stem)),
    ...inFolder('tests').filter((path) => /\.ya?ml$/.test(path)),
  ];
  return [
    { path: main, file: { path: 'SKILL.md', text, main: text } },
    ...paths.flatMap((inside) => {
      const path = join(folder, inside);
      const own = read(path);
      return own === null ? [] : [{ path, file: { path: inside, text: own, main: text } }];
    }),
  ];
}

function leadsOut(files: Files, path: string, folder: string): boolean {
  try {
    return !isInside(files.realPath(path) ?? path, files.realPath(folder) ?? folder);
  } catch (error) {
    if (error instanceof FileFault) return true;
    throw error;
  }
}

function namesIn(files: Files, folder: string): readonly string[] {
  try {
    return (files.list(folder) ?? []).filter(({ kind }) => kind === 'file').map(({ name }) => name);
  } catch (error) {
    if (error instanceof FileFault) return [];
    throw error;
  }
}

function isFile(files: Files, path: string): boolean {
  try {
    return files.stat(path)?.isFile() === true;
  } catch (error) {
    if (error instanceof FileFault) return false;
    throw error;
  }
}

/** On the name of a module, or on a name that is taken from it. `null`: neither. */
function loadedAt(
  path: string,
  text: string,
  offset: number,
  { files, read }: NavigationWorld,
): readonly Location[] | null {
  const isIn = (span: Span): boolean => span.start <= offset && offset <= span.end;
  for (const { span, module, names } of loadsIn(text)) {
    const target = join(dirname(path), module.replace(/^(?:\/\/)?:?/, ''));
    const named = names.find((one) => isIn(one.span));
    if (named === undefined && !isIn(span)) continue;
    if (!isFile(files, target)) return [];
    if (named === undefined) return [{ path: target, span: start }];
    const source = read(target) ?? '';
    const symbol = symbolsIn({ path: target, text: source, main: '' }).find(
      ({ name }) => name === named.original,
    );
    return [{ path: target, span: symbol?.selection ?? start }];
  }
  return null;
}
