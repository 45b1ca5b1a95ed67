// techne match
//
// JSON: {message, matches, abstained, candidates}, as match/match.ts has them, each match with `ready`.
// A skill that is not ready is shown, and said not to be: in a conversation it is not suggested.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { nodeDecodeUtf8 } from '../../host/node-environment.ts';
import type { Match, MatchResult } from '../../match/match.ts';
import { createPaint } from '../colour.ts';
import type { CommandContext } from '../context.ts';
import { openLibrary } from '../open-library.ts';
import { openMatcher } from '../open-matcher.ts';
import { numberOption } from '../parse-arguments.ts';
import { renderTable } from '../render-table.ts';
import { reportConfig } from '../report-config.ts';
import { isStandardInput, readBytes } from '../star/read-program.ts';

const mostBytes = 10_000_000;
const limits = { least: 1, most: 50, usual: 5 } as const;

export async function runMatch(context: CommandContext): Promise<number> {
  const { args, out, err, io, quiet } = context;
  const limit = numberOption(args, 'limit', limits.least, limits.most) ?? limits.usual;
  const given = args.positionals.join(' ');
  const message = isStandardInput(given) ? nodeDecodeUtf8(await readBytes(given, io, mostBytes)).text : given;
  if (message.trim() === '') throw new TechneError('USAGE', 'the message is empty', { hint: 'write it in quotes: techne match "review my branch"' });
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const snapshot = await library.load();
  const matcher = await openMatcher(snapshot, { notReady: true, onNotice: (text) => err.line(`techne: ${printableLine(text)}`) });
  const isReady = (skill: string): boolean => snapshot.facts(snapshot.get(skill)).ready.ok;
  const result = await matcher.match(message, { limit });
  if (context.json) {
    const withReady = (matches: readonly Match[]): readonly object[] => matches.map((match) => ({ ...match, ready: isReady(match.skill) }));
    out.json({ message, matches: withReady(result.matches), abstained: result.abstained, candidates: withReady(result.candidates) });
    return 0;
  }
  out.write(renderTable(result.matches.map((match) => rowOf(match, isReady(match.skill))), context.columns));
  if (args.flag('explain')) out.write(explain(context, result, isReady));
  else if (result.matches.length === 0 && !quiet) err.line(result.abstained === null ? 'no skill fits this message' : `nothing is suggested: ${printableLine(result.abstained)}`);
  return 0;
}

function rowOf({ skill, mode, confidence, variables, reason }: Match, ready: boolean): readonly string[] {
  const held = Object.entries(variables).map(([name, value]) => `${name}=${JSON.stringify(value)}`);
  return [printableLine(skill), mode, confidence.toFixed(2), printableLine([reason, ...held, ...(ready ? [] : ['not ready, see techne doctor'])].join('; '))];
}

function explain(context: CommandContext, { matches, abstained, candidates }: MatchResult, isReady: (skill: string) => boolean): string {
  const paint = createPaint(context.colour);
  const lines: string[] = [];
  if (matches.length === 0) lines.push(abstained === null ? 'no skill fits this message' : `nothing is suggested: ${printableLine(abstained)}`);
  if (candidates.length > 0) lines.push('', paint.dim('below the line'));
  return `${lines.join('\n')}${lines.length === 0 ? '' : '\n'}${candidates.length === 0 ? '' : renderTable(candidates.map((one) => rowOf(one, isReady(one.skill))), context.columns)}`;
}
