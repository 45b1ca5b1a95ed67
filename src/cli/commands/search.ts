// techne search
//
// JSON: {query, total, results: [as `techne list --json`]}; `total` includes results beyond the limit.
//
// Skills that have every word come first, then skills that match the query as a message, each with its "reason".
import { nearest } from '../../base/nearest.ts';
import { searchLimits, searchWords } from '../../match/search.ts';
import { printableLine } from '../../base/printable.ts';
import type { SkillLibrary } from '../../techne/open-skills.ts';
import type { Snapshot } from '../../registry/snapshot.ts';
import type { Skill } from '../../registry/types.ts';
import type { CommandContext } from '../context.ts';
import { describeSkill, shadowsByName } from '../../techne/describe-skill.ts';
import { factWords } from '../../techne/skill-limits.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { openMatcher } from '../../techne/open-matcher.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted, renderTable } from '../../base/render-table.ts';

export async function runSearch(context: CommandContext): Promise<number> {
  const { args, out, quiet } = context;
  const query = args.positionals.join(' ');
  const words = query.split(/\s+/).filter((word) => word !== '');
  const limit =
    numberOption(args, 'limit', searchLimits.least, searchLimits.most) ??
    (words.length === 0 ? Infinity : searchLimits.usual);
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const snapshot = await library.load();
  const suggests = args.flag('all') ? 'all' : 'startable';
  const isCandidate = (skill: Skill): boolean => suggests === 'all' || snapshot.mayStart(skill);
  const candidates = snapshot.skills.filter(isCandidate);
  const found = searchWords(candidates, words);
  const ranked =
    words.length === 0 || found.length >= limit
      ? []
      : (await rankedFor(library, snapshot, query, limit, suggests)).filter(
          ({ skill }) => isCandidate(skill) && !found.includes(skill),
        );
  const reasons = new Map(ranked.map(({ skill, reason }) => [skill.name, reason]));
  const all = [...found, ...ranked.map(({ skill }) => skill)];
  const hits = all.slice(0, limit);
  if (context.json) {
    const shadows = shadowsByName(snapshot.shadowed);
    out.json({
      query,
      total: all.length,
      results: hits.map((skill) => ({
        ...describeSkill(skill, snapshot.facts(skill), shadows.get(skill.name) ?? []),
        ...(reasons.has(skill.name) ? { reason: reasons.get(skill.name) } : {}),
      })),
    });
    return 0;
  }
  const rows = hits.map((skill) => [
    printableLine(skill.name),
    skill.source,
    factWords(snapshot.facts(skill)),
    printableLine(skill.description),
  ]);
  out.write(renderTable(rows, context.columns));
  if (!quiet)
    context.err.line(
      foundLine(hits.length, all.length, words.length, () =>
        nearest(
          query.trim(),
          candidates.map(({ name }) => name),
          // A third of a long query would be another name, and takes 25 ms among 10,000.
          Math.min(3, Math.ceil(query.trim().length / 4)),
        ),
      ),
    );
  return 0;
}

async function rankedFor(
  { environment, wordsFile }: SkillLibrary,
  snapshot: Snapshot,
  query: string,
  limit: number,
  suggests: 'startable' | 'all',
): Promise<readonly { readonly skill: Skill; readonly reason: string }[]> {
  const { matches } = await (
    await openMatcher(snapshot, { suggests, environment, wordsFile: wordsFile(suggests) })
  ).match(query, { limit });
  return matches.flatMap(({ skill, reason }) =>
    snapshot.has(skill) ? [{ skill: snapshot.get(skill), reason }] : [],
  );
}

function foundLine(shown: number, total: number, words: number, nearestName: () => string | null): string {
  const meant = total === 0 ? nearestName() : null;
  if (meant !== null) return `nothing found; did you mean "${printableLine(meant)}"?`;
  if (total === 0)
    return words > 1
      ? 'no skill has all of these words; "techne list" shows every skill'
      : 'nothing found; "techne list" shows every skill';
  return shown < total
    ? `${shown} of ${counted(total, 'skill')}; --limit shows more`
    : `${counted(total, 'skill')} found`;
}
