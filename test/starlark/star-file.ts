// Reads a file of test programs.
//
//   text of a .star file -> Chunk[]
//
// S1. A line `---` starts a new program. Each is padded with empty lines, so that its lines are those of the file.
// S2. `### CODE "text"` at the end of a line expects a fault there; several may stand in a row. They are taken off
//     the line before it is compiled, so that they may follow a string that is not closed.
// S3. `# option: steps=1000 load` sets what the program may use. See `Options`.

export interface Chunk {
  /** The first line, counted from 1. */
  readonly line: number;
  readonly source: string;
  readonly expected: readonly Expectation[];
  readonly options: Options;
}

export interface Expectation {
  readonly line: number;
  readonly code: string;
  readonly text: string;
}

/** Words after `# option:`; a number may follow with `=`. */
export type Options = ReadonlyMap<string, string>;

const known = new Set([
  'steps',
  'memory',
  'bits',
  'depth',
  'output', // limits of the run
  'parse-depth',
  'source', // limits of compiling
  'entry', // a function to call after the module body
  'load', // modules/ may be loaded
  'host', // echo(x) gives x, refuse(text) fails
  'no-module-calls', // host functions may not be called by a module body
]);

export function readStarFile(text: string, name: string): readonly Chunk[] {
  const chunks: Chunk[] = [];
  const lines = text.split('\n');
  let first = 0;
  for (let at = 0; at <= lines.length; at += 1) {
    if (at < lines.length && lines[at] !== '---') continue;
    chunks.push(readChunk(lines.slice(first, at), first + 1, name));
    first = at + 1;
  }
  return chunks;
}

function readChunk(lines: readonly string[], line: number, name: string): Chunk {
  const expected: Expectation[] = [];
  const code = lines.map((text, at) => {
    if (!text.includes('###')) return text;
    const tail = /\s*((?:###\s+[A-Z_]+\s+"(?:[^"\\]|\\.)*"\s*)+)$/.exec(text);
    if (tail === null) throw new Error(`${name}:${line + at}: an expectation is written ### CODE "text"`);
    for (const [, kind, quoted] of (tail[1] as string).matchAll(/###\s+([A-Z_]+)\s+("(?:[^"\\]|\\.)*")/g)) {
      expected.push({ line: line + at, code: kind as string, text: JSON.parse(quoted as string) as string });
    }
    return text.slice(0, tail.index);
  });
  const options = new Map<string, string>();
  for (const [, words] of lines.join('\n').matchAll(/^# option: (.*)$/gm)) {
    for (const word of (words as string).split(' ')) {
      const [option, value] = word.split('=') as [string, string?];
      if (!known.has(option)) throw new Error(`${name}:${line}: there is no option ${option}`);
      options.set(option, value ?? '');
    }
  }
  return { line, source: '\n'.repeat(line - 1) + code.join('\n'), expected, options };
}
