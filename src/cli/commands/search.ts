// techne search
//
// JSON: {query, results: [as `techne list --json`]}
import { searchLimits, searchSkills } from '../../match/search.ts';
import { printableLine } from '../../base/printable.ts';
import type { CommandContext } from '../context.ts';
import { describeSkill, factWords, shadowsByName } from '../describe-skill.ts';
import { openLibrary } from '../open-library.ts';
import { numberOption } from '../parse-arguments.ts';
import { counted, renderTable } from '../render-table.ts';
import { reportConfig } from '../report-config.ts';

export async function runSearch(context: CommandContext): Promise<number> {
  const { args, out, quiet } = context;
  const query = args.positionals.join(' ');
  const limit = numberOption(args, 'limit', searchLimits.least, searchLimits.most) ?? searchLimits.usual;
  const library = await openLibrary(context);
  reportConfig(context, library.loaded);
  const snapshot = await library.load();
  const candidates = args.flag('all') ? snapshot.skills : snapshot.skills.filter((skill) => {
    const facts = snapshot.facts(skill);
    return facts.visibleToUser.ok || facts.visibleToModel.ok;
  });
  const hits = searchSkills(candidates, query, limit);
  if (context.json) {
    const shadows = shadowsByName(snapshot.shadowed);
    out.json({ query, results: hits.map((skill) => describeSkill(skill, snapshot.facts(skill), shadows.get(skill.name) ?? [])) });
    return 0;
  }
  const rows = hits.map((skill) => [printableLine(skill.name), skill.source, factWords(snapshot.facts(skill)), printableLine(skill.description)]);
  out.write(renderTable(rows, context.columns));
  if (!quiet) context.err.line(hits.length === 0 ? 'nothing found; "techne list" shows every skill' : `${counted(hits.length, 'skill')} found`);
  return 0;
}
