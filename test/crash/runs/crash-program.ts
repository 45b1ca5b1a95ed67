// The program that is crashed: 24 effects of its own and 15 parts of asks, one after the other and several at once,
// with trace and print between, a result that is kept as a blob, and a budget that is nearly used up.
import type { JsonObject } from '../../../src/base/json.ts';
import type { JournalEntry } from '../../../src/journal/entry.ts';
import type { RunLimits } from '../../../src/run/budget/limits.ts';

export const crashProgram = `
def run(input):
  seen = []
  for i in range(8):
    c = command(["step", str(i)], {"idempotent": True})
    seen.append(c["result"][:12])
    trace("step", {"i": i, "ok": c["ok"], "units": len(c["result"])})
    print("did", i)
  a = ask("think", {"purpose": "plan"})
  many = ask_all(["p%d" % i for i in range(7)])
  for i in range(7):
    c = command(["more", str(i), many[i]["answer"]], {"idempotent": True})
    seen.append(c["result"][:12])
  big = ask("large")
  return {"answer": a["answer"], "seen": seen, "many": [m["answer"] for m in many], "big": len(big["answer"])}
`;

export const crashInput: JsonObject = { go: true };
export const crashLimits: Partial<RunLimits> = { asks: 9, commands: 15, parallel: 3 };

/** Everything that the program does to the world, by the names under which the world logs it. */
export const allActs: readonly string[] = [
  ...[0, 1, 2, 3, 4, 5, 6, 7].map((i) => `step ${i}`),
  ...['think', 'p0', 'p1', 'p2', 'p3', 'p4', 'p5', 'p6'].flatMap((prompt) =>
    prompt === 'p6' ? [`turn ${prompt}`] : [`turn ${prompt}`, `tool ${prompt}`],
  ),
  ...[0, 1, 2, 3, 4, 5, 6].map((i) => `more ${i} ${answerOf(`p${i}`)}`),
];

export function answerOf(prompt: string): string {
  return `${prompt}-said`;
}

/** What the journal says has started or ended, by the same names. */
export function actsIn(
  entries: readonly JournalEntry[],
  type: 'effect.started' | 'effect.ended',
): readonly string[] {
  const names = new Map<string, string>();
  for (const entry of entries) {
    if (entry.type !== 'effect.started' || !('value' in entry.request)) continue;
    const { argv, prompt } = entry.request.value as {
      readonly argv?: readonly string[];
      readonly prompt?: string;
    };
    if (entry.kind === 'command') names.set(entry.key, (argv as readonly string[]).join(' '));
    else if (entry.kind === 'turn' || entry.kind === 'tool') names.set(entry.key, `${entry.kind} ${prompt}`);
  }
  return entries.flatMap((entry) => {
    const name = entry.type === type ? names.get(entry.key) : undefined;
    return name === undefined ? [] : [name];
  });
}

export function countOf(log: readonly string[], name: string): number {
  return log.filter((one) => one === name).length;
}

/** Append before acting: nothing was done that the journal does not know of. Throws what was. */
export function mustBeKnown(entries: readonly JournalEntry[], log: readonly string[]): void {
  const started = new Set(actsIn(entries, 'effect.started'));
  const unknown = log.filter((name) => !started.has(name));
  if (unknown.length > 0) throw new Error(`done before its start was durable: ${unknown.join(', ')}`);
}

/** Nothing is missing, nothing else was done, and nothing was done more often than there were processes. */
export function mustBeComplete(log: readonly string[], lives: number): void {
  const lost = allActs.filter((name) => !log.includes(name));
  if (lost.length > 0) throw new Error(`never done: ${lost.join(', ')}`);
  const strange = log.filter((name) => !allActs.includes(name));
  if (strange.length > 0) throw new Error(`nobody asked for: ${strange.join(', ')}`);
  const often = allActs.filter((name) => countOf(log, name) > lives);
  if (often.length > 0)
    throw new Error(`done more than ${lives} times in ${lives} lives: ${often.join(', ')}`);
}

/** What had ended was done no further time. */
export function mustNotRepeat(ended: ReadonlyMap<string, number>, log: readonly string[]): void {
  for (const [name, count] of ended) {
    if (count < 1) throw new Error(`ended and never done: ${name}`);
    if (countOf(log, name) !== count) throw new Error(`done again after its end was durable: ${name}`);
  }
}
