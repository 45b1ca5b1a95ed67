// A line -> its completions: `/command`, `/skill`, `$skill`.
//
// A command stands at the start of the line; a mention anywhere. At most the last word is replaced.

interface CompletionWords {
  /** Of the conversation itself, without the slash. */
  readonly commands: readonly string[];
  /** That people may call. */
  readonly slash: readonly string[];
  readonly mentions: readonly string[];
}

export function completeLine(
  line: string,
  { commands, slash, mentions }: CompletionWords,
): readonly [readonly string[], string] {
  const [, command] = /^\s*\/([^\s/]*)$/.exec(line) ?? [];
  if (command !== undefined) {
    const names = [...new Set([...commands, ...slash])].filter((name) => name.startsWith(command)).sort();
    return [names.map((name) => `/${name} `), `/${command}`];
  }
  const [, mention] = /(?:^|\s)\$([\w.:-]*)$/.exec(line) ?? [];
  if (mention === undefined) return [[], line];
  return [
    mentions
      .filter((name) => name.startsWith(mention))
      .sort()
      .map((name) => `$${name} `),
    `$${mention}`,
  ];
}
