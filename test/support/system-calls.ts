// The output of strace -> calls, each with the lines at which it began and ended.
//
// Y1. A call that other threads interrupt is told in two lines, which belong together: so the order in which calls began
//     and ended can be compared by line numbers.

export interface SystemCall {
  readonly name: string;
  /** As strace shows them. */
  readonly args: string;
  readonly result: string;
  readonly began: number;
  readonly ended: number;
}

export function parseSystemCalls(text: string): readonly SystemCall[] {
  const calls: SystemCall[] = [];
  const open = new Map<string, { readonly name: string; readonly args: string; readonly began: number }>();
  for (const [index, line] of text.split('\n').entries()) {
    const [, thread = '', rest = ''] = /^(\d+) +(.*)$/.exec(line) ?? [];
    const unfinished = /^(\w+)\((.*?),? *<unfinished \.\.\.>$/s.exec(rest);
    const resumed = /^<\.\.\. (\w+) resumed>(.*)\) += (.*)$/s.exec(rest);
    const whole = /^(\w+)\((.*)\) += (.*)$/s.exec(rest);
    if (unfinished !== null)
      open.set(thread, { name: unfinished[1] as string, args: unfinished[2] as string, began: index });
    else if (resumed !== null) {
      const begun = open.get(thread);
      open.delete(thread);
      if (begun !== undefined)
        calls.push({
          ...begun,
          args: begun.args + (resumed[2] as string),
          result: resumed[3] as string,
          ended: index,
        });
    } else if (whole !== null)
      calls.push({
        name: whole[1] as string,
        args: whole[2] as string,
        result: whole[3] as string,
        began: index,
        ended: index,
      });
  }
  return calls;
}

/** The text that a write had, with its quotes. */
export function writtenText({ args }: SystemCall): string {
  return args.replaceAll('\\"', '"').replaceAll('\\\\', '\\');
}
