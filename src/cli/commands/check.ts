// techne check
//
// JSON: {skills, errors, warnings, notes, diagnostics: [{code, severity, path, line, column, endLine, endColumn, message, hint}]}
// Paths are relative to the current folder where they are inside it.
import { basename, join, relative, resolve, sep } from 'node:path';
import type { Diagnostic } from '../../base/diagnostic.ts';
import { compareDiagnostics } from '../../base/diagnostic.ts';
import { TechneError } from '../../base/error.ts';
import { renderDiagnostic } from '../../base/render-diagnostic.ts';
import { nodeDecodeUtf8 } from '../../host/node-environment.ts';
import { FileFault } from '../../host/ports/files.ts';
import type { Root } from '../../registry/types.ts';
import { checkSkill } from '../check-skill.ts';
import type { CommandContext } from '../context.ts';
import { describeDiagnostic } from '../describe-diagnostic.ts';
import { displayPath } from '../display-path.ts';
import { exitCodes } from '../exit-code.ts';
import type { SkillLibrary } from '../../host/open-skills.ts';
import { namedRoot } from '../../host/open-skills.ts';
import { openLibrary } from '../open-library.ts';
import { packageVersion } from '../../host/package-info.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted } from '../render-table.ts';
import { renderSarif } from '../render-sarif.ts';
import { reportConfig } from '../report-config.ts';

interface Findings {
  readonly skills: number;
  readonly diagnostics: Diagnostic[];
  readonly texts: Map<string, string>;
}

export async function runCheck(context: CommandContext): Promise<number> {
  const { args, io, out } = context;
  const maxWarnings = numberOption(args, 'max-warnings', 0, Number.MAX_SAFE_INTEGER);
  const format = args.value('format') ?? (context.json ? 'json' : 'text');
  const library = await openLibrary(context);
  if (format === 'text') reportConfig(context, library.loaded);
  const findings = await gather(context, library);
  findings.diagnostics.sort(compareDiagnostics);
  const count = { error: 0, warning: 0, info: 0 };
  for (const { severity } of findings.diagnostics) count[severity] += 1;

  const textOf = (diagnostic: Diagnostic): string | null => findings.texts.get(diagnostic.path) ?? null;
  if (format === 'sarif') {
    const diagnostics = findings.diagnostics.map((diagnostic) => ({ ...diagnostic, path: relativePath(diagnostic.path, io.cwd) }));
    const texts = new Map(findings.diagnostics.map((diagnostic) => [relativePath(diagnostic.path, io.cwd), textOf(diagnostic)]));
    out.json(renderSarif({ diagnostics, textOf: ({ path }) => texts.get(path) ?? null, folder: io.cwd, version: packageVersion() }));
  } else if (format === 'json') {
    const diagnostics = findings.diagnostics.map((diagnostic) => ({ ...describeDiagnostic(diagnostic, textOf(diagnostic)), path: relativePath(diagnostic.path, io.cwd) }));
    out.json({ skills: findings.skills, errors: count.error, warnings: count.warning, notes: count.info, diagnostics });
  } else {
    writeText(context, findings, textOf);
    out.line(`${counted(findings.skills, 'skill')} checked: ${counted(count.error, 'error')}, ${counted(count.warning, 'warning')}, ${counted(count.info, 'note')}`);
  }
  return count.error > 0 || (maxWarnings !== null && count.warning > maxWarnings) ? exitCodes.files : exitCodes.fine;
}

/** In quiet mode notes are left out; the summary still counts them. */
function writeText({ out, io, colour, columns, quiet }: CommandContext, { diagnostics }: Findings, textOf: (diagnostic: Diagnostic) => string | null): void {
  let chunk = '';
  for (const diagnostic of diagnostics) {
    if (quiet && diagnostic.severity === 'info') continue;
    const shown = { ...diagnostic, path: displayPath(diagnostic.path, io) };
    chunk += `${renderDiagnostic(shown, textOf(diagnostic), { colour, width: Math.min(columns ?? 100, 140) - 2 })}\n`;
    if (chunk.length > 65_536) {
      out.write(chunk);
      chunk = '';
    }
  }
  out.write(chunk === '' ? '' : `${chunk}\n`);
}

async function gather(context: CommandContext, library: SkillLibrary): Promise<Findings> {
  const { args, io } = context;
  const skillFiles = new Set<string>();
  const diagnostics: Diagnostic[] = [];
  const roots: Root[] = [];
  for (const given of args.positionals) {
    const path = resolve(io.cwd, given);
    const stat = library.files.stat(path);
    if (stat === null) throw new TechneError('FILE_MISSING', `"${given}" does not exist`);
    if (!stat.isDirectory()) {
      if (basename(path).toLowerCase() !== 'skill.md') throw new TechneError('USAGE', `"${given}" is not a skill: give a folder or a SKILL.md`);
      skillFiles.add(path);
    } else if (hasEntry(library, path, 'SKILL.md')) skillFiles.add(join(path, 'SKILL.md'));
    else roots.push(namedRoot(path));
  }
  if (args.positionals.length === 0 || roots.length > 0) {
    const snapshot = await library.load(args.positionals.length === 0 ? library.roots : roots);
    for (const { file } of snapshot.skills) skillFiles.add(file);
    for (const { skill } of snapshot.shadowed) skillFiles.add(skill.file);
    // What is wrong with each skill file is found again below, and more.
    diagnostics.push(...snapshot.diagnostics.filter(({ path, code }) => !skillFiles.has(path) || code === 'SKILL_WINNER_UNUSABLE'));
    if (!args.flag('all')) remove(diagnostics, ({ code }) => code === 'FOLDER_SKIPPED');
  }

  const texts = new Map<string, string>();
  const progress = createProgress(context, skillFiles.size);
  for (const file of skillFiles) {
    const checked = await checkSkill(library.files, file, { strict: args.flag('strict') });
    diagnostics.push(...checked.diagnostics);
    // Texts are kept only where an excerpt will be drawn.
    if (checked.text !== null && checked.diagnostics.some(({ path, span }) => path === file && span !== null)) texts.set(file, checked.text);
    progress.step();
  }
  progress.end();
  for (const { path, span } of diagnostics) if (span !== null && !texts.has(path)) await keepText(library, path, texts);
  return { skills: skillFiles.size, diagnostics, texts };
}

async function keepText({ files }: SkillLibrary, path: string, texts: Map<string, string>): Promise<void> {
  try {
    const read = await files.read(path, 4 * 1024 * 1024);
    if (read !== null) texts.set(path, nodeDecodeUtf8(read.bytes).text);
  } catch (error) {
    // Without its text a diagnostic has no excerpt; what is wrong with the file is a diagnostic of its own.
    if (!(error instanceof FileFault)) throw error;
  }
}

function createProgress({ io, err, quiet }: CommandContext, total: number): { step(): void; end(): void } {
  if (io.stderr.isTTY !== true || quiet || total < 200) return { step: () => undefined, end: () => undefined };
  let done = 0;
  return {
    step: () => {
      done += 1;
      if (done % 100 === 0) err.write(`\rchecking ${done} of ${total}`);
    },
    end: () => err.write('\r\u001B[K'),
  };
}

function hasEntry({ files }: SkillLibrary, folder: string, name: string): boolean {
  return (files.list(folder) ?? []).some((entry) => entry.name === name);
}

function remove<T>(list: T[], unwanted: (item: T) => boolean): void {
  const kept = list.filter((item) => !unwanted(item));
  list.splice(0, list.length, ...kept);
}

function relativePath(path: string, cwd: string): string {
  const shown = relative(cwd, path);
  return shown === '..' || shown.startsWith(`..${sep}`) ? path : shown;
}
