// Two texts with equally many lines -> a unified diff.
const context = 3;

export function renderDiff(path: string, before: string, after: string): string {
  const [old, made] = [linesOf(before), linesOf(after)];
  const changed = old.flatMap((line, index) => (line === made[index] ? [] : [index]));
  const lines = [`--- a/${path}`, `+++ b/${path}`];
  for (let next = 0; next < changed.length;) {
    const first = changed[next] as number;
    let last = first;
    while (next < changed.length && (changed[next] as number) <= last + 2 * context) {
      last = changed[next] as number;
      next += 1;
    }
    const [from, to] = [Math.max(0, first - context), Math.min(old.length - 1, last + context)];
    lines.push(`@@ -${from + 1},${to - from + 1} +${from + 1},${to - from + 1} @@`);
    for (let index = from; index <= to;) {
      if (old[index] === made[index]) {
        lines.push(` ${old[index]}`);
        index += 1;
        continue;
      }
      const start = index;
      while (index <= to && old[index] !== made[index]) index += 1;
      for (let at = start; at < index; at += 1) lines.push(`-${old[at]}`);
      for (let at = start; at < index; at += 1) lines.push(`+${made[at]}`);
    }
  }
  return `${lines.join('\n')}\n`;
}

function linesOf(text: string): readonly string[] {
  return (text.endsWith('\n') ? text.slice(0, -1) : text).split('\n');
}
