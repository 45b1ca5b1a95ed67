// techne match
//
// JSON: {message, matches, abstained, candidates}, as match/match.ts has them, each match with `ready`; `misspelt` where a name
// was; with --explain also `notOffered`: what fits but a conversation does not suggest, each with `because`.
import { decodeUtf8 } from '../../base/utf8.ts';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import type { Match, MatchResult } from '../../match/match.ts';
import { createPaint } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import type { NotOffered } from '../../techne/open-suggestions.ts';
import { openSuggestions } from '../../techne/open-suggestions.ts';
import { numberOption } from '../parse-arguments.ts';
import { renderTable } from '../../base/render-table.ts';
import { isStandardInput, readBytes } from '../star/read-program.ts';

const mostBytes = 10_000_000;
const limits = { least: 1, most: 50, usual: 5 } as const;
/** Characters of a captured value that are shown; JSON has all. */
const mostOfValue = 120;

export async function runMatch(context: CommandContext): Promise<number> {
  const { args, out, err, io, quiet } = context;
  const limit = numberOption(args, 'limit', limits.least, limits.most) ?? limits.usual;
  const given = args.positionals.join(' ');
  const message = isStandardInput(given) ? decodeUtf8(await readBytes(given, io, mostBytes)).text : given;
  if (message.trim() === '')
    throw new TechneError('USAGE', 'the message is empty', {
      hint: 'write it in quotes: techne match "review my branch"',
    });
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const snapshot = await library.load();
  const suggestions = await openSuggestions(library, snapshot, (text) =>
    err.line(`techne: ${printableLine(text)}`),
  );
  const result = await suggestions.match(message, limit);
  const isExplained = args.flag('explain');
  const notOffered =
    isExplained || result.matches.length === 0 ? await suggestions.notOffered(message, limit) : [];
  if (context.json) {
    const withReady = (matches: readonly Match[]): readonly object[] =>
      matches.map((match) => ({ ...match, ready: snapshot.facts(snapshot.get(match.skill)).ready.ok }));
    out.json({
      message,
      ...result,
      matches: withReady(result.matches),
      candidates: withReady(result.candidates),
      ...(isExplained ? { notOffered } : {}),
    });
    return 0;
  }
  out.write(renderTable(result.matches.map(rowOf), context.columns));
  if (isExplained) out.write(explain(context, result, notOffered));
  else if (!quiet) for (const line of hints(result, notOffered)) err.line(line);
  return 0;
}

function rowOf({ skill, mode, confidence, variables, reason }: Match): readonly string[] {
  const held = Object.entries(variables).map(
    ([name, value]) =>
      `${name}=${JSON.stringify(value.length > mostOfValue ? `${value.slice(0, mostOfValue)}…` : value)}`,
  );
  return [printableLine(skill), mode, confidence.toFixed(2), printableLine([reason, ...held].join('; '))];
}

/** What is said where nothing is explained: why there is nothing, and what was perhaps meant. */
function hints(
  { matches, abstained, misspelt }: MatchResult,
  notOffered: readonly NotOffered[],
): readonly string[] {
  if (matches.length > 0)
    return misspelt === undefined
      ? []
      : [printableLine(`there is no skill "${misspelt.written}"; did you mean "${misspelt.meant}"?`)];
  return [
    nothing(abstained),
    ...notOffered.map(({ skill, because }) =>
      printableLine(`"${skill}" fits, but is not offered: ${because}`),
    ),
  ];
}

function nothing(abstained: string | null): string {
  return abstained === null
    ? 'no skill fits this message'
    : `nothing is suggested: ${printableLine(abstained)}`;
}

function explain(context: CommandContext, result: MatchResult, notOffered: readonly NotOffered[]): string {
  const paint = createPaint(context.colour);
  const { matches, abstained, candidates } = result;
  const parts: string[] = (matches.length === 0 ? [nothing(abstained)] : hints(result, [])).map(
    (line) => `${line}\n`,
  );
  if (candidates.length > 0)
    parts.push(
      `\n${paint.dim('below the threshold')}\n`,
      renderTable(candidates.map(rowOf), context.columns),
    );
  if (notOffered.length > 0)
    parts.push(
      `\n${paint.dim('fits, but is not offered')}\n`,
      renderTable(
        notOffered.map((one) => rowOf({ ...one, reason: `${one.because}; ${one.reason}` })),
        context.columns,
      ),
    );
  return parts.join('');
}
