// The table of configuration keys -> docs/guide/configuration.md, and the same page of the site.
import { configKeys } from '../../../src/config/keys.ts';
import { pageOf, table } from './markdown.ts';

export function configurationPage(): string {
  const rows = configKeys.map(({ path, default: fallback, security, description }) => [
    `\`${path}\``,
    `\`${JSON.stringify(fallback)}\``,
    security ? 'yes' : '',
    description,
  ]);
  return pageOf(
    '# Configuration',
    'Your own file is `~/.techne/config.json`. A workspace may have `techne.json` (or `.techne/config.json`), which counts over yours. JSON, with comments and trailing commas allowed. `techne config` shows every effective value and the file and line it came from; `techne config --schema` prints a JSON Schema.',
    '```json\n{\n  "precedence": "claude",\n  "skills": { "disabled": ["deploy"] },\n  "trust": { "folders": ["~/src/my-skills"] }\n}\n```',
    'Every value is checked. An unknown key is an error with a suggestion, an invalid value is reported with its place and does not count. While a configuration file has errors nothing is executed, since the file may have been meant to forbid it. A model with an error in its entry is not asked, nor is another in its place unless you name it, since its intended address is unknown. With an error in the name of an entry, in `models` as a whole or in the syntax of the file, no model is asked at all unless you name it; the same holds for `match.embeddings`, of which none is used then.',
    'A workspace that you have not trusted can only *narrow* the keys marked as security-relevant: its values are combined with the layers below so that nothing becomes allowed that was not before. What it tries beyond that is reported as `CONFIG_NARROWED`. A model or an embedding that it sets to null is not asked, nor is another in its place. A `techne.json` that is a link out of the workspace is not read (`CONFIG_LINK`). Your own file counts like one that is not trusted while other users can write or replace it, because the file or a folder above it is theirs or writable for them (`CONFIG_WRITABLE`; the message has the command that ends it). See [Trust](trust.md), and [Commands](commands.md) for the rules of commands and the sandbox.',
    table(['key', 'default', 'security', 'meaning'], rows),
  );
}
