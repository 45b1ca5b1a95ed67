// The end of an entry point's program -> the outcome of its step.
//
// Exit code 0 with the output that `parse` promises is a success. Anything else is a failure with what it printed: at
// most 500 characters from the end of stderr, or else stdout, without secrets.
import { parseJson } from '../../base/json.ts';
import type { Json } from '../../base/json.ts';
import type { CommandCall } from '../../ports/command-host.ts';
import type { CommandOutcome } from '../../ports/shell.ts';
import { cutMiddle } from '../../base/cut-text.ts';
import type { EffectOutcome } from '../effect/effect.ts';
import type { RunLimits } from '../budget/limits.ts';
import { redactSecrets } from '../../base/redact.ts';

const maxSaidUnits = 500;

export function execOutcome(
  skill: string,
  outcome: CommandOutcome,
  { timeoutMs }: Pick<CommandCall, 'timeoutMs'>,
  parse: Json,
  { commandUnits }: Pick<RunLimits, 'commandUnits'>,
): EffectOutcome {
  const { started, fault, exitCode, signal, timedOut, aborted, stdout, stderr } = outcome;
  const fail = (code: string, what: string, said = ''): EffectOutcome => ({
    ok: false,
    code,
    message: `${skill}: ${what}${said === '' ? '' : `: ${said}`}`,
  });
  const said = lastWords(stderr.trim() === '' ? stdout : stderr);
  if (!started) return fail('EXEC_FAILED', fault ?? 'it could not be started');
  if (timedOut) return fail('EXEC_TIMEOUT', `it took longer than ${timeoutMs / 1_000} s`, said);
  if (aborted) return fail('CANCELLED', 'it was stopped');
  if (signal !== null) return fail('EXEC_FAILED', `it was ended by ${signal}`, said);
  if (exitCode !== 0) return fail('EXEC_FAILED', `it ended with exit code ${exitCode}`, said);
  const { text, truncated } = cutMiddle(stdout.replace(/\r?\n$/, ''), commandUnits);
  if (parse === 'text')
    return { ok: true, value: { text, value: null, truncated: truncated || outcome.truncated } };
  if (outcome.truncated) return fail('EXEC_OUTPUT', `it printed more than can be read as ${parse as string}`);
  if (parse === 'lines')
    return {
      ok: true,
      value: {
        text,
        value: stdout.split(/\r?\n/).filter((line, at, all) => line !== '' || at < all.length - 1),
        truncated,
      },
    };
  try {
    return { ok: true, value: { text, value: parseJson(stdout), truncated } };
  } catch (error) {
    return fail(
      'EXEC_OUTPUT',
      `it did not print JSON (${(error as Error).message.slice(0, 100)})`,
      lastWords(stdout),
    );
  }
}

function lastWords(text: string): string {
  // More than is shown, so that no secret is cut in half at the start.
  const whole = redactSecrets(text.slice(-8 * maxSaidUnits).trim());
  return whole.length > maxSaidUnits
    ? `…${whole.slice(-maxSaidUnits).replace(/^[\uDC00-\uDFFF]/, '')}`
    : whole;
}
