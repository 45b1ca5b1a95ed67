// The arguments of a tool -> the templates in them, each with how the tool reads it.
//
// `exec_command` starts a program without a shell: each item of a list is one argument. How other tools read a list of
// words is unknown, so a command given to them counts as a command line.
import type { YamlEntry, YamlNode } from '../skill/yaml/node.ts';
import { placesOfWords } from './argument-places.ts';
import type { Sink, Site } from './draft.ts';
import { templateSite, textsIn } from './draft.ts';
import { toolSink } from './tool-facts.ts';

/** How texts and words are read: compositions and workflows have different rules. */
interface ToolSinks {
  readonly text: Sink;
  readonly word: Sink;
}

/** `prefix`: the key of the arguments, such as `tool_args`. */
export function toolSites(
  prefix: string,
  tool: string | null,
  entries: readonly YamlEntry[],
  sinks: ToolSinks,
): readonly Site[] {
  return entries.flatMap(({ key, value }) => {
    const label = `${prefix}.${key}`;
    const sink = toolSink(tool, key);
    if (value.kind === 'seq' && sink === 'argv')
      return wordSites(label, value, sinks.word, commandBeside(entries));
    if (value.kind === 'seq' && sink === 'shell' && tool === 'exec_command')
      return wordSites(label, value, sinks.word);
    return textsIn(label, value).map((text) =>
      templateSite(
        text.label,
        text.node,
        sink === 'shell' ? sink : sink === 'argv' ? sinks.word : sinks.text,
      ),
    );
  });
}

/** A list of words; `before` are words of the command from elsewhere. */
export function wordSites(
  label: string,
  node: YamlNode,
  sink: Sink,
  before: readonly (string | null)[] = [],
): readonly Site[] {
  const items = node.kind === 'seq' ? node.items : [node];
  const places = placesOfWords(items.map(wordOf), before);
  return items.flatMap((item, index) => {
    const { as = 'argument', guarded = false } = places[index] ?? {};
    return textsIn(`${label}[${index}]`, item).map((text) => ({
      ...templateSite(text.label, text.node, as === 'program' ? 'program' : as === 'code' ? 'shell' : sink),
      guarded,
    }));
  });
}

export function wordOf(node: YamlNode): string | null {
  return node.kind === 'scalar' ? node.raw : null;
}

/** The program, if it is given beside its arguments; otherwise it is unknown. */
function commandBeside(entries: readonly YamlEntry[]): readonly (string | null)[] {
  const command = entries.find(({ key }) => key === 'command' || key === 'cmd' || key === 'program')?.value;
  return command?.kind === 'scalar' ? command.raw.trim().split(/\s+/) : [null];
}
