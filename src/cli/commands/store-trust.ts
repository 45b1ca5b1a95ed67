// techne store trust: list, grant, revoke
//
// JSON: {given: [{id, skill, digest, argv, verdict, by, at, revokedBy, revokedAt}]}, one of them, {revoked}.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import type { GivenRecord } from '../../ports/given-trust.ts';
import { userName } from '../../techne/travel/travelling.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary } from '../open-library.ts';
import { withServing } from '../with-serving.ts';

const mostShown = 200;

export function runStoreTrust(context: CommandContext): Promise<number> {
  const { args, json, out, err, columns } = context;
  const [action = 'list', what] = args.positionals;
  return withServing(context, 'what is trusted for workers', async ({ trust }) => {
    if (action === 'list') {
      const given = await trust.list(mostShown);
      if (json) out.json({ given });
      else if (given.length === 0) err.line('Nothing is trusted or approved in this store yet.');
      else out.write(renderTable(given.map(rowOf), columns));
      return exitCodes.fine;
    }
    if (what === undefined)
      throw new TechneError('USAGE', 'the skill is missing', { hint: `techne store trust ${action} NAME` });
    if (action === 'grant') {
      const library = await openLibrary(context);
      const snapshot = await library.load();
      const skill = snapshot.get(what);
      if (!(await library.isTrusted(snapshot, skill)))
        throw new TechneError('NOT_TRUSTED', `you do not trust "${skill.name}" yourself`, {
          hint: `look at "${skill.folder}", then: techne trust ${skill.name}`,
        });
      const { digest } = await snapshot.manifest(skill.name);
      const given = await trust.grant({ skill: skill.name, digest, by: userName() });
      if (json) out.json({ ...given });
      else out.line(`workers may execute ${skill.name} as it is now: ${digest}`);
      return exitCodes.fine;
    }
    const revoked = await trust.revoke(what, userName());
    if (json) out.json({ revoked });
    else if (revoked.length === 0)
      err.line(`Nothing is trusted under "${printableLine(what)}". techne store trust list`);
    else for (const each of revoked) out.line(`revoked: ${rowOf(each).slice(1, 4).join('  ')}`);
    return revoked.length === 0 ? exitCodes.refused : exitCodes.fine;
  });
}

function rowOf(record: GivenRecord): readonly string[] {
  const { at, verdict, skill, digest, argv, by, revokedBy, revokedAt } = record;
  return [
    at.slice(0, 16).replace('T', ' '),
    verdict,
    printableLine(skill),
    argv === null ? digest.slice(0, 19) : printableLine(argv.join(' ')),
    `by ${printableLine(by)}`,
    revokedAt === null
      ? ''
      : `revoked ${revokedAt.slice(0, 16).replace('T', ' ')} by ${printableLine(revokedBy ?? '')}`,
  ];
}
