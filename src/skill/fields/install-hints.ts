// What the author says installs the missing parts -> lines for a person. Never run.
//
//   { kind: brew, formula: ffmpeg }   -> "brew install ffmpeg"
//   { label: Install FFmpeg, … }      -> "Install FFmpeg: brew install ffmpeg"
import type { YamlMap, YamlNode } from '../yaml/node.ts';
import { entryOf } from '../yaml/node.ts';

function textAt(map: YamlMap, ...keys: readonly string[]): string | null {
  for (const key of keys) {
    const node = entryOf(map, key)?.value;
    if (node?.kind === 'scalar' && node.value !== null && node.raw.trim() !== '') return node.raw.trim();
  }
  return null;
}

function commandOf(map: YamlMap): string | null {
  const what = textAt(map, 'formula', 'cask', 'package', 'module', 'url', 'name');
  const command = textAt(map, 'command', 'run');
  if (command !== null) return command;
  if (what === null) return null;
  switch (textAt(map, 'kind', 'type') ?? '') {
    case 'brew':
      return textAt(map, 'cask') === null ? `brew install ${what}` : `brew install --cask ${what}`;
    case 'node':
    case 'npm':
      return `npm install --global ${what}`;
    case 'go':
      return `go install ${what}`;
    case 'uv':
      return `uv tool install ${what}`;
    case 'pip':
      return `pip install ${what}`;
    case 'apt':
      return `apt install ${what}`;
    case 'cargo':
      return `cargo install ${what}`;
    case 'download':
      return `download ${what}`;
    default:
      return what;
  }
}

export function readInstallHints(node: YamlNode): readonly string[] {
  if (node.kind === 'seq') return node.items.flatMap(readInstallHints);
  if (node.kind === 'scalar') return node.value === null || node.raw.trim() === '' ? [] : [node.raw.trim()];
  const command = commandOf(node);
  const label = textAt(node, 'label', 'description');
  if (command === null && label === null)
    return node.entries.flatMap((entry) =>
      readInstallHints(entry.value).map((hint) => `${entry.key}: ${hint}`),
    );
  return [label === null ? (command as string) : command === null ? label : `${label}: ${command}`];
}
