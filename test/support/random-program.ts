// Programs made by chance, the same for the same seed, whose later calls depend on what the earlier ones gave.

export type Pick = (below: number) => number;

/** A small generator of chance. */
export function createPick(seed: number): Pick {
  let state = Math.imul(seed, 2_654_435_761) + 1;
  return (below) => {
    state = (Math.imul(state ^ (state >>> 15), 2_246_822_519) + 3_266_489_917) >>> 0;
    return (state >>> 3) % below;
  };
}

const helpers = `
def sum_of(xs):
  n = 0
  for x in xs: n += x
  return n

def short(x):
  return [len(str(x)), str(x)[:20]]

def spin(n):
  k = 0
  for i in range(n):
    k = (k * 31 + i) % 1009
  return k
`;

/** Asks (also with a schema, and several at once), commands, traces, prints, loops, branches, and things that fail. */
export function randomProgram(seed: number): string {
  const pick = createPick(seed);
  const lines: string[] = [];
  const statement = (indent: string, depth: number): readonly string[] => {
    const text = `"s${pick(50)} " + str(total)`;
    const nested = (): readonly string[] =>
      depth > 2 ? [`${indent}  total += 1`] : statement(`${indent}  `, depth + 1);
    switch (pick(14)) {
      case 0:
      case 1:
        return [
          `${indent}a = ask(${text}, {"purpose": "p${pick(3)}", "max_turns": ${1 + pick(5)}})`,
          `${indent}seen.append(a["answer"][:30])`,
          `${indent}total += len(a["answer"])`,
        ];
      case 2:
      case 3:
        return [
          `${indent}c = command(["c", ${text}], {"timeout": ${1 + pick(9)}, "idempotent": ${pick(2) === 0 ? 'True' : 'False'}})`,
          `${indent}seen.append(c["exit_code"])`,
          `${indent}total += c["exit_code"]`,
        ];
      case 4:
        return [`${indent}trace("t${pick(4)}", {"total": total, "seen": seen[-2:]})`];
      case 5:
        return [`${indent}print("total", total, short(seen))`];
      case 6:
        return [
          `${indent}many = ask_all([${text} + str(i) for i in range(${pick(4)})])`,
          `${indent}total += sum_of([len(m["answer"]) for m in many])`,
        ];
      case 7:
        return [
          `${indent}v = ask(${text}, {"schema": {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}})`,
          `${indent}total += v["value"]["n"]`,
        ];
      case 8:
        return [`${indent}if total % ${2 + pick(3)} == 0:`, ...nested()];
      case 9:
        return [`${indent}for i in range(${pick(4)}):`, ...nested()];
      case 10:
        return [`${indent}total += spin(${pick(400)})`];
      case 11:
        return [`${indent}c = command([])`, `${indent}seen.append(c["ok"])`];
      case 12:
        return pick(6) === 0
          ? [`${indent}if total > ${pick(300)}: fail("enough " + str(total))`]
          : [`${indent}seen = sorted(seen, key = str)[:6]`];
      default:
        return pick(12) === 0
          ? ([
              [`${indent}ask(total)`],
              [`${indent}total += spin(60000)`],
              [`${indent}total += len([1][total + 2])`],
            ][pick(3)] as string[])
          : [`${indent}trace("x" * ${pick(40)}, {"big": "y" * ${pick(6000)}})`];
    }
  };
  for (let index = 3 + pick(9); index > 0; index -= 1) lines.push(...statement('  ', 0));
  const results = [
    '{"answer": str(total), "seen": seen, "status": "done"}',
    'str(total) + str(seen)',
    'None',
    '{"seen": seen * 40}',
  ];
  return `${helpers}\ndef run(input):\n  seen = [input["n"]]\n  total = 0\n${lines.join('\n')}\n  return ${results[pick(4)]}\n`;
}
