// What a step hands to the entry point of a skill, followed to where it ends up there.
//
// X1. The step is told, at the value it hands over: the entry point cannot know who calls it.
// X2. Only what the step's own rules do not see: arguments that may begin with a dash or have any length, and the command.
import { printableLine } from '../base/printable.ts';
import type { SiteFinding, StepAnalysis } from './analyse-sites.ts';
import type { Entrypoint } from './entrypoint.ts';
import { parseText } from './parse-site.ts';
import type { Abstract } from './taint/abstract.ts';
import { clean, join, joinAtoms } from './taint/abstract.ts';
import type { Names } from './taint/evaluate.ts';
import { judge } from './taint/judge.ts';
import { runTemplate } from './taint/run-template.ts';
import type { Sink } from './draft.ts';

const quiet = { unknownName: () => undefined, neverEqual: () => undefined };

export function checkExec({ sites, findings }: StepAnalysis, skill: string, entrypoint: Entrypoint): readonly SiteFinding[] {
  const found: SiteFinding[] = [];
  const told = new Set(findings.map(({ site }) => site.site));
  const check = (template: string, sink: Sink, guarded: boolean): void => {
    const body = parseText(template);
    if (body === null) return;
    const read: string[] = [];
    const pieces = runTemplate(body, namesFor(sites, read), quiet);
    const [finding] = judge(pieces, sink, guarded);
    if (finding === undefined) return;
    const at = sites.find(({ parsed, value }) => value.atoms.length > 0 && read.some((key) => belongs(parsed.site.label, key)));
    if (at === undefined || told.has(at.parsed.site)) return;
    told.add(at.parsed.site);
    const message = finding.code === 'TAINT_COMMAND' ? 'becomes part of the command' : finding.message.includes('begin with') ? 'becomes an argument that may begin with "-" and be read as an option' : 'becomes an argument of any length';
    found.push({ ...finding, message: `${at.parsed.site.label} ${message} of the skill "${printableLine(skill).slice(0, 60)}"`, filters: null, named: true, span: at.parsed.site.node.span, site: at.parsed, hint: finding.code === 'TAINT_COMMAND' ? 'hand over a constant' : 'hand over text that is cut and cannot begin with "-", such as a slug' });
  };
  for (const word of entrypoint.command) check(word, 'program', false);
  let ended = false;
  entrypoint.args.forEach((arg, index) => {
    const before = entrypoint.args[index - 1] ?? '';
    check(arg, 'argv', ended || (/^--?[A-Za-z]/.test(before) && !before.includes('{{')));
    if (arg === '--') ended = true;
  });
  return found;
}

function belongs(label: string, key: string): boolean {
  return label === `with.${key}` || label.startsWith(`with.${key}.`) || label.startsWith(`with.${key}[`);
}

function namesFor(sites: StepAnalysis['sites'], read: string[]): Names {
  const all: Abstract = { atoms: joinAtoms(sites.map(({ value }) => value.atoms)) };
  const given: Abstract = {
    ...all,
    get: (key) => {
      if (key === null) return all;
      read.push(key);
      const values = sites.filter(({ parsed }) => belongs(parsed.site.label, key)).map(({ value }) => value);
      return values.length === 0 ? clean : join(values);
    },
  };
  // What the entry point takes from elsewhere is told where it is declared.
  return { look: (name) => (name === 'with' ? given : clean) };
}
