// The verdict about each executable skill, when it is found: can its program or plan be executed?
//
//   place of the program (`placeBar`) -> its bytes -> JudgeForm -> bar | null, with the files it depends on
//
// One verdict for all: the enum of run_metaskill, the marks of the index, `list`, `doctor` and the start of a run read it
// from the card. It is kept in the index cache with the head, for as long as every file that it depends on has the
// signature it had. What could not be read as it was found gets no bar: reading it again reports the reason. A program
// that is reached through a link is barred, and not kept: what the link leads to leaves no trace in the folder.
import { TechneError } from '../../base/error.ts';
import { FileFault } from '../../ports/files.ts';
import type { FoundSkill, JudgedFile, Verdict } from '../discover/found-skill.ts';
import { signatureOf } from '../discover/found-skill.ts';
import type { ContentReader } from '../read-content.ts';
import type { JudgeForm } from '../types.ts';
import { placeBar } from './facts.ts';

/** `judge`: `null` leaves it to the head. */
export async function giveVerdicts(
  skills: readonly FoundSkill[],
  reader: ContentReader,
  judge: JudgeForm | null,
): Promise<void> {
  if (judge === null) return;
  for (const skill of skills) if (skill.awaitsVerdict) skill.judge(await verdictOf(skill, reader, judge));
}

const unknown: Verdict = { bar: null, files: null };

async function verdictOf(skill: FoundSkill, reader: ContentReader, judge: JudgeForm): Promise<Verdict> {
  const { name, head, files, realFolder } = skill;
  const { program } = head;
  try {
    const bar = placeBar(files, realFolder, program);
    const depends = [...way(skill, program ?? ''), ...(program === null ? templateFiles(skill) : [])];
    const kept = depends.some(({ isLink }) => isLink) ? null : depends;
    if (bar !== null) return { bar, files: kept };
    const contents = new Map<string, Uint8Array>();
    const wanted = program === null ? ['SKILL.md', ...textsOf(depends)] : [program];
    for (const path of wanted) contents.set(path, (await reader.look(skill, path)).bytes);
    return { bar: await judge({ name, head, files: contents }), files: kept };
  } catch (error) {
    if (error instanceof FileFault || error instanceof TechneError) return unknown;
    throw error;
  }
}

interface Seen extends JudgedFile {
  readonly isLink: boolean;
  readonly isFile: boolean;
}

/** The files and folders on the way to `path`, itself included. */
function way(skill: FoundSkill, path: string): readonly Seen[] {
  if (path === '') return [];
  const segments = path.split('/');
  return segments.map((_, at) => look(skill, segments.slice(0, at + 1).join('/')));
}

function look({ files, realFolder }: FoundSkill, path: string): Seen {
  const stat = files.lstat(`${realFolder}/${path}`);
  return {
    path,
    signature: stat === null ? null : signatureOf(stat),
    isLink: stat?.isSymbolicLink() === true,
    isFile: stat?.isFile() === true,
  };
}

/** The output template of a workflow, what lies beside it and may be a variant, and the folders on the way. */
function templateFiles(skill: FoundSkill): readonly Seen[] {
  const { head, files, realFolder } = skill;
  const path = head.output?.replace(/^(?:\.\/)+/, '') ?? '';
  if (head.form !== 'workflow' || !/^[\w./-]+\.\w+$/.test(path) || /(?:^|\/)\.\.?(?:\/|$)|^\//.test(path))
    return [];
  const slash = path.lastIndexOf('/');
  const [folder, stem] = [path.slice(0, Math.max(slash, 0)), path.slice(slash + 1, path.lastIndexOf('.'))];
  const beside = (files.list(folder === '' ? realFolder : `${realFolder}/${folder}`) ?? [])
    .filter(({ name }) => name.startsWith(stem))
    .map(({ name }) => look(skill, folder === '' ? name : `${folder}/${name}`));
  const own = beside.some((seen) => seen.path === path) ? [] : [look(skill, path)];
  return [...way(skill, folder), ...own, ...beside];
}

function textsOf(seen: readonly Seen[]): readonly string[] {
  return seen.filter(({ isFile }) => isFile).map(({ path }) => path);
}
