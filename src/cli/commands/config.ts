// techne config
//
// Environment values of servers may be secret and are shown as "(hidden)".
//
// JSON: {workspace, trusted, files, values: {KEY: {value, layer, path, line}}, diagnostics}, or one of `values` for a key;
// execution.policy has `because` while errors in a file switch it off.
import { TechneError } from '../../base/error.ts';
import { canonicalJson } from '../../base/json.ts';
import { nearest } from '../../base/nearest.ts';
import { printableLine } from '../../base/printable.ts';
import { configSchema } from '../../config/config-schema.ts';
import { configKeys } from '../../config/keys.ts';
import { createPaint } from '../io.ts';
import type { CommandContext } from '../context.ts';
import type { DescribedValue } from '../../techne/describe-config.ts';
import { describeConfig } from '../../techne/describe-config.ts';
import { displayPath, homePath } from '../../techne/paths.ts';
import { exitCodes } from '../exit-code.ts';
import { openLibrary, reportConfig } from '../open-library.ts';
import { renderTable } from '../../base/render-table.ts';

export async function runConfig(context: CommandContext): Promise<number> {
  const { args, out, io } = context;
  if (args.flag('schema')) {
    out.json(configSchema());
    return exitCodes.fine;
  }
  const { loaded } = await openLibrary(context);
  const keys = chooseKeys(args.positionals[0]);
  const described = describeConfig(loaded);
  const values = Object.fromEntries(keys.map((key) => [key, described.values[key]]));
  if (context.json) {
    const single = keys.length === 1 && keys[0] === args.positionals[0];
    out.json(single ? values[keys[0] as string] : { ...described, values });
  } else {
    reportConfig(context, loaded);
    const paint = createPaint(context.colour);
    const rows = keys.map((key) => [
      key,
      printableLine(canonicalJson(values[key]?.value ?? null)),
      paint.dim(originText(described.values[key] as DescribedValue, context)),
    ]);
    out.write(renderTable(rows, null));
    if (!context.quiet && args.positionals.length === 0) {
      const trust =
        loaded.trusted === null
          ? 'it has no configuration file'
          : loaded.trusted
            ? 'trusted'
            : 'not trusted: it can only narrow security-relevant keys';
      out.line(paint.dim(`\nWorkspace: ${printableLine(homePath(loaded.workspace, io))} (${trust})`));
    }
  }
  return loaded.diagnostics.some(({ severity }) => severity === 'error') ? exitCodes.files : exitCodes.fine;
}

function chooseKeys(wanted: string | undefined): readonly string[] {
  const all = configKeys.map((key) => key.path);
  if (wanted === undefined) return all;
  const chosen = all.filter((key) => key === wanted || key.startsWith(`${wanted}.`));
  if (chosen.length > 0) return chosen;
  const meant = nearest(wanted, all);
  throw new TechneError('USAGE', `"${wanted}" is not a configuration key`, {
    hint: meant === null ? '"techne config" shows every key' : `did you mean "${meant}"?`,
  });
}

function originText({ layer, path, line, because }: DescribedValue, { io }: CommandContext): string {
  if (path === null) return 'default';
  const file = printableLine(displayPath(path, io));
  return because === undefined ? `${layer}: ${file}:${line}` : `off because ${file} has errors`;
}
