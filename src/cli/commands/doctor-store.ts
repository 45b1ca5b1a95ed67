// techne doctor --store
//
// JSON: {address, findings: [{name, ok, detail, hint}]}; `ok` is null for what works and could be better.
import { printableLine } from '../../base/printable.ts';
import { examineSharedStore } from '../../techne/store/examine.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { createPaint } from '../io.ts';

/** `given`: empty for the store of the configuration. */
export async function examineGivenStore(context: CommandContext, given: string): Promise<number> {
  const { io, out, json, colour } = context;
  const store = given === '' ? null : given;
  const { address, findings } = await examineSharedStore({ homeFolder: io.homeFolder, cwd: io.cwd, store });
  if (json) out.json({ address, findings });
  else {
    const paint = createPaint(colour);
    const marks = { true: paint.green('ok'), false: paint.red('!!'), null: paint.dim('--') };
    out.line(paint.bold(printableLine(address)));
    const widest = Math.max(...findings.map(({ name }) => name.length));
    for (const { name, ok, detail, hint } of findings) {
      out.line(`  ${marks[`${ok}`]}  ${name.padEnd(widest)}  ${printableLine(detail)}`);
      if (hint !== null) out.line(`      ${' '.repeat(widest)}  ${paint.dim(printableLine(hint))}`);
    }
  }
  return findings.some(({ ok }) => ok === false) ? exitCodes.environment : exitCodes.fine;
}
