// techne callback create, list, revoke
//
// JSON: create: {id, token, path, run, question, expiresAt}; list: {callbacks}; revoke: {id}.
import { inStore } from '../in-store.ts';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import { callbackSeconds, makeCallback } from '../../techne/callbacks.ts';
import { localTime } from '../../techne/local-time.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { secondsOption } from '../seconds-option.ts';
import { withServing } from '../with-serving.ts';

const what = 'callback tokens';
const callbackName = /^[a-z0-9][a-z0-9._-]{0,63}$/i;

export async function runCallbackCreate(context: CommandContext): Promise<number> {
  const { args, io, json, out } = context;
  const seconds = secondsOption(args, 'expires', callbackSeconds);
  const by = `${io.env['USER'] ?? 'me'}@local`;
  const name = args.value('name') ?? 'callback';
  if (!callbackName.test(name))
    throw new TechneError('USAGE', `"${name.slice(0, 80)}" cannot be the name of a callback token`, {
      hint: 'letters, digits, ".", "_" and "-", such as intake-form',
    });
  return withServing(context, what, async ({ callbacks }, { runner, find }) => {
    const run = await find(args.positionals[0] as string);
    const question = args.positionals[1] ?? null;
    const { callback, token } = await makeCallback(
      { callbacks, runner },
      // Whoever has the store can answer everything in it.
      { run, question, name, by, seconds, mustMayAnswer: () => undefined },
    );
    const { id, expiresAt } = callback;
    const path = `/v1/callbacks/${token}`;
    if (json) out.json({ id, token, path, run: callback.run, question: callback.question, expiresAt });
    else
      out.write(
        `path     ${path}\nexpires  ${localTime(new Date(expiresAt).toISOString())}\nWhoever has it can answer this form, once. It is not shown again.\n`,
      );
    return exitCodes.fine;
  });
}

export function runCallbackList(context: CommandContext): Promise<number> {
  const { args, json, out, err, columns } = context;
  return withServing(context, what, async ({ callbacks }, { index, find }) => {
    const [given] = args.positionals;
    const run = given === undefined ? null : await find(given);
    const runs = run === null ? [null] : [run, ...(await index.nested(run))];
    const found = (await Promise.all(runs.map((one) => callbacks.list(one)))).flat();
    const shown = found.map(({ digest: _digest, nonce: _nonce, ...one }) => one);
    if (json) out.json({ callbacks: shown });
    else if (shown.length === 0)
      err.line(
        inStore(
          'There is no callback token. "techne callback create RUN" makes one.',
          context.args.value('store'),
        ),
      );
    else
      out.write(
        renderTable(
          [
            ['ID', 'NAME', 'RUN', 'QUESTION', 'STATE', 'EXPIRES', 'BY'],
            ...shown.map(({ id, name, run: of, question, state, expiresAt, by }) => [
              id,
              printableLine(name),
              of,
              question,
              state,
              localTime(new Date(expiresAt).toISOString()),
              printableLine(by),
            ]),
          ],
          columns,
        ),
      );
    return exitCodes.fine;
  });
}

export function runCallbackRevoke(context: CommandContext): Promise<number> {
  const { args, json, out } = context;
  const [id = ''] = args.positionals;
  return withServing(context, what, async ({ callbacks }) => {
    if (!(await callbacks.revoke(id)))
      throw new TechneError('CALLBACK_UNKNOWN', `no callback token "${id.slice(0, 80)}" can be used`, {
        hint: 'techne callback list RUN',
      });
    if (json) out.json({ id });
    else out.line(`The callback token ${printableLine(id)} is revoked.`);
    return exitCodes.fine;
  });
}
