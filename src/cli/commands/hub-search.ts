// techne hub search
//
// JSON: {query, total, hubs: [{address, title, skills, publisher, skipped}], results: [{name, description, version, publisher, hub,
// source, add, reason}], failures: [{hub, code, message, hint}]}; `total` includes results beyond the limit.
import { printableLine } from '../../base/printable.ts';
import { counted, renderTable } from '../../base/render-table.ts';
import { fingerprintOf } from '../../techne/publish/open-hubs.ts';
import type { HubSearch } from '../../techne/publish/open-hubs.ts';
import type { CommandContext } from '../context.ts';
import { exitCodeOf, exitCodes } from '../exit-code.ts';
import { openHubsOf } from '../open-hubs-of.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { numberOption } from '../parse-arguments.ts';

const usualLimit = 20;
type Hit = HubSearch['hits'][number];

export async function runHubSearch(context: CommandContext): Promise<number> {
  const { args, out, err, json, quiet, columns } = context;
  const query = args.positionals.join(' ');
  const limit = numberOption(args, 'limit', 1, 1000) ?? usualLimit;
  const library = await openLibrary(context);
  if (!json) reportConfig(context, library.loaded);
  const { hits, hubs, failures } = await openHubsOf(context, library).search(query, args.values('hub'));
  const [failure] = failures;
  const code = failure === undefined ? exitCodes.fine : exitCodeOf(failure.error.code);
  const shown = hits.slice(0, limit);
  if (json) {
    out.json({
      query,
      total: hits.length,
      hubs: hubs.map(({ address, title, skills, publisher, skipped }) => ({
        address,
        title,
        skills: skills.length,
        publisher,
        skipped,
      })),
      results: shown.map((hit) => ({ ...hit, add: addFrom(hit) })),
      failures: failures.map(({ hub, error }) => ({
        hub,
        code: error.code,
        message: error.message,
        hint: error.hint,
      })),
    });
    return code;
  }
  out.write(
    renderTable(
      shown.map((hit) => [
        printableLine(hit.name),
        printableLine(hit.version ?? '-'),
        printableLine(publisherWords(hit)),
        printableLine(hit.hub),
        printableLine(hit.description),
      ]),
      columns,
    ),
  );
  for (const { error } of failures) {
    err.line(printableLine(`error: ${error.message}`));
    if (error.hint !== null && !quiet) err.line(printableLine(`  hint: ${error.hint}`));
  }
  const [first] = shown;
  if (quiet || (hits.length === 0 && hubs.length === 0)) return code;
  err.line(
    shown.length < hits.length
      ? `${shown.length} of ${counted(hits.length, 'skill')}; --limit shows more`
      : hits.length === 0
        ? `nothing found in ${counted(hubs.length, 'hub')}; techne hub search without words lists everything`
        : `${counted(hits.length, 'skill')} found`,
  );
  if (first !== undefined) err.line(printableLine(`To add the first: ${addFrom(first)}`));
  return code;
}

function addFrom({ source, name }: Hit): string {
  return `techne add ${/^[\w./:@%+=,~-]+$/.test(source) ? source : `'${source.replaceAll("'", "'\\''")}'`} --skill ${name}`;
}

function publisherWords({ publisher }: Hit): string {
  if (publisher === null) return 'not signed';
  return publisher.trustedAs ?? `unknown key ${fingerprintOf(publisher.keyId).slice(0, 9)}`;
}
