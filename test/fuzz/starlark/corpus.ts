// Programs to damage: our own .star files, those of the conformance suites where they are at hand, and a few more.
import { existsSync, readFileSync, readdirSync } from 'node:fs';

export const starFolders: readonly URL[] = [
  new URL('../../starlark/', import.meta.url),
  new URL('../../../bench/starlark/programs/', import.meta.url),
  new URL('../../../../shared/conformance/starlark/', import.meta.url),
];

/** Every program of the .star files below `folders`, in the order of their paths; a file may hold several. */
export function readPrograms(folders: readonly URL[]): readonly string[] {
  return folders.flatMap((folder) => {
    if (!existsSync(folder)) return [];
    const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.star'))
      .sort();
    return names.flatMap((name) =>
      readFileSync(new URL(name, folder), 'utf8')
        .split(/^---\n/m)
        .filter((program) => program.trim() !== ''),
    );
  });
}

export const seedPrograms: readonly string[] = [
  'def f(x, y = 2, *args, z, **kwargs):\n    "doc"\n    return [x, y, args, z, kwargs]\nprint(f(1, z = 3, *[4, 5], **{"a": 6}))\n',
  'def outer():\n    n = [0]\n    def inner(k):\n        n[0] += k\n        return lambda: n[0] * k\n    return [inner(i)() for i in range(5)]\nprint(outer())\n',
  'rows = sorted([{"id": i, "v": ask(i)} for i in range(4)], key = lambda r: -r["id"])\nfor_each = [note(r["id"], value = r["v"]) for r in rows]\nprint(json.encode(rows))\n',
  'def f():\n    total = 0\n    for i in range(10):\n        if i == 3: continue\n        elif i > 7: break\n        for k, v in {"a": 1, "b": ask(i)}.items():\n            total += len(k)\n    return total\nx = f()\n',
  'a = [1, 2, 3]\na[1:] += [4] if len(a) > 2 else []\nb = {(1, 2): "x", None: 1.5}\nc = "%s %r %d" % ("a", [1], 3) + "{x}".format(x = b)\nd = a[::-1] + list(reversed(a))\n',
  'def g(xs):\n    return max(xs, key = lambda x: ask(x) or x), min(xs, key = len), sorted(xs, key = lambda x: [ask(x), x][1], reverse = True)\nprint(g(["b", "aa", "c"]))\n',
];
