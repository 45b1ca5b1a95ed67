// The values that a step passes to the entry point of a skill -> what is unsafe where they end up.
//
// The finding is reported at the value in the step, because the entry point does not know its callers. It covers only
// what the step's own checks cannot see: the command, and arguments that may begin with a dash or have any length.
import { printableLine } from '../base/printable.ts';
import type { SiteFinding, StepAnalysis } from './analyse-sites.ts';
import { placesOfWords } from './argument-places.ts';
import type { Entrypoint } from './entrypoint.ts';
import { parseText } from './parse-site.ts';
import type { Abstract } from './taint/abstract-value.ts';
import { clean, cleanText, make } from './taint/abstract-value.ts';
import type { Names } from './taint/evaluate.ts';
import { join } from './taint/join-values.ts';
import { judgeTaint } from './taint/judge.ts';
import { madeOf } from './taint/lost-value.ts';
import { runTemplate } from './taint/run-template.ts';
import type { Sink } from './draft.ts';

const quiet = { unknownName: () => undefined, neverEqual: () => undefined, noMember: () => undefined };

export function checkExec(
  { sites, findings }: StepAnalysis,
  skill: string,
  entrypoint: Entrypoint,
): readonly SiteFinding[] {
  const found: SiteFinding[] = [];
  const reported = new Set(findings.map(({ site }) => site.site));
  const check = (template: string, sink: Sink, guarded: boolean): void => {
    const body = parseText(template);
    if (body === null) return;
    const read: string[] = [];
    const pieces = runTemplate(body, namesFor(sites, read), quiet);
    const [finding] = judgeTaint(pieces, sink, guarded);
    if (finding === undefined) return;
    const at = sites.find(
      ({ parsed, value }) => value.atoms.length > 0 && read.some((key) => belongs(parsed.site.label, key)),
    );
    if (at === undefined || reported.has(at.parsed.site)) return;
    reported.add(at.parsed.site);
    const message =
      finding.code === 'TAINT_COMMAND'
        ? 'becomes part of the command'
        : finding.message.includes('begin with')
          ? 'becomes an argument that may begin with "-" and be read as an option'
          : 'becomes an argument of any length';
    found.push({
      ...finding,
      message: `${at.parsed.site.label} ${message} of the skill "${printableLine(skill).slice(0, 60)}"`,
      filters: null,
      named: true,
      span: at.parsed.site.node.span,
      site: at.parsed,
      hint:
        finding.code === 'TAINT_COMMAND'
          ? 'pass a constant'
          : 'pass text that is cut and cannot begin with "-", such as a slug',
    });
  };
  for (const word of entrypoint.command) check(word, 'program', false);
  const places = placesOfWords(entrypoint.args, entrypoint.command);
  entrypoint.args.forEach((arg, index) =>
    check(arg, places[index]?.as === 'code' ? 'shell' : 'argv', places[index]?.guarded === true),
  );
  return found;
}

function belongs(label: string, key: string): boolean {
  return label === `with.${key}` || label.startsWith(`with.${key}.`) || label.startsWith(`with.${key}[`);
}

function namesFor(sites: StepAnalysis['sites'], read: string[]): Names {
  const whole = madeOf(...sites.map(({ value }) => value));
  const given: Abstract = make({
    dicts: [
      {
        get: (key) => {
          if (typeof key !== 'string') return whole;
          read.push(key);
          // Deeper values are reached by paths that are not known here.
          return join(
            sites
              .filter(({ parsed }) => belongs(parsed.site.label, key))
              .map(({ parsed, value }) => (parsed.site.label === `with.${key}` ? value : madeOf(value))),
          );
        },
        keys: cleanText,
        entries: null,
        atoms: whole.atoms,
        weight: 1,
        holdsCalls: false,
      },
    ],
  });
  // What the entry point takes from elsewhere is reported where it is declared.
  return { look: (name) => (name === 'with' ? given : clean) };
}
