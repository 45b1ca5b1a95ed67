// techne runs diff
//
// JSON: [{what, left, right}].
import { archivePlace } from '../archive-place.ts';
import { canonicalJson } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import { printable, printableLine, renderJson } from '../../base/printable.ts';
import { diffRuns } from '../../run/history/diff-runs.ts';
import { diffLines } from '../../measure/testing/diff-lines.ts';
import { createPaint } from '../io.ts';
import type { Paint } from '../io.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { counted } from '../../base/render-table.ts';
import { withArchive } from '../../techne/open-archive.ts';

/** Common lines around a difference. */
const around = 2;

export function runRunsDiff(context: CommandContext): Promise<number> {
  const { args, json, out, colour } = context;
  return withArchive(archivePlace(context), async ({ runner, find }) => {
    const [left, right] = await Promise.all(
      args.positionals.map(async (given) => runner.inspect(await find(given))),
    );
    if (left === undefined || right === undefined) throw new Error('two runs are compared');
    const found = diffRuns(left, right);
    if (json) out.json(found);
    else {
      const paint = createPaint(colour);
      out.line(
        `${paint.red(`- ${left.run}`)}  ${printableLine(left.skill.name)}\n${paint.green(`+ ${right.run}`)}  ${printableLine(right.skill.name)}`,
      );
      for (const { what, left: a, right: b } of found)
        out.write(`\n${paint.bold(printableLine(what))}\n${renderBoth(a, b, paint)}`);
      out.line(found.length === 0 ? '\nThe runs do not differ.' : `\n${counted(found.length, 'difference')}`);
    }
    return found.length === 0 ? exitCodes.fine : exitCodes.files;
  });
}

/** Indented JSON, with line breaks in texts. */
function renderBoth(left: Json, right: Json, paint: Paint): string {
  const lines = diffLines(textOf(left), textOf(right));
  const isNear = (at: number): boolean =>
    lines.slice(Math.max(0, at - around), at + around + 1).some(({ sign }) => sign !== ' ');
  let text = '';
  let skipped = false;
  for (const [at, { sign, text: line }] of lines.entries()) {
    if (!isNear(at)) {
      skipped = true;
      continue;
    }
    if (skipped) text += '    …\n';
    skipped = false;
    const shown = `  ${sign} ${printable(line)}`.trimEnd();
    text += `${sign === '-' ? paint.red(shown) : sign === '+' ? paint.green(shown) : shown}\n`;
  }
  return text + (skipped ? '    …\n' : '');
}

function textOf(value: Json): string {
  // Sorted by name: the order of keys is not a difference.
  return typeof value === 'string'
    ? value
    : renderJson(JSON.parse(canonicalJson(value)), 2).replaceAll('\\n', '\\n\n      ');
}
