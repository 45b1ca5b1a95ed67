// The table of commands -> docs/guide/cli.md with all of them; in the site a page for each, and one that lists them.
import { renderCommandHelp, renderOverview } from '../../../src/cli/render-help.ts';
import type { CommandSpec } from '../../../src/cli/spec/command-spec.ts';
import { commandGroups, everyCommand } from '../../../src/cli/spec/commands.ts';
import type { SourcePage } from '../page.ts';
import { code, fence, pageOf, table } from './markdown.ts';

export function commandsPage(): string {
  return pageOf(
    '# The command line',
    'Generated from the tables in `src/cli/spec/`. For a tutorial, see [Your first skill](first-skill.md); for runs, [Running skills](running.md).',
    fence(renderOverview()),
    'With `--json`, a command prints one JSON value on standard output; an error is `{"error": {"code", "message", "hint"}}`. `eval "$(techne completion bash)"` (or zsh, fish) completes commands, options and skill names.',
    ...everyCommand.flatMap((command) => [
      `## ${command.name}`,
      fence(withoutShared(renderCommandHelp(command))),
    ]),
  );
}

/** Links to `guide/cli.md#runs-list` lead to the page of `runs`. */
export function commandSource(name: string): string {
  return `reference/commands/${name}`;
}

/** The pages that only the site has: the list, and one for each command with its subcommands. */
export function commandPages(): readonly SourcePage[] {
  const rows = (commands: readonly CommandSpec[]): string =>
    table(
      ['command', 'what it does'],
      commands.map(({ name, summary }) => [`[${code(`techne ${name}`)}](${commandSource(name)})`, summary]),
    );
  const list = pageOf(
    '# The command line',
    'Every command with its help. `techne COMMAND --help` prints the same.',
    ...commandGroups.flatMap(({ title, commands }) => [`## ${title}`, rows(commands)]),
    '## Options of every command',
    fence(renderOverview().replace(/^[^]*?\n(?=Options of every command)/, '')),
    'With `--json`, a command prints one JSON value on standard output; an error is `{"error": {"code", "message", "hint"}}`. `eval "$(techne completion bash)"` (or zsh, fish) completes commands, options and skill names.',
  );
  return [
    { source: 'docs/guide/cli.md', path: 'reference/commands.html', text: list },
    ...commandGroups
      .flatMap(({ commands }) => commands)
      .map((command) => ({
        source: commandSource(command.name),
        path: `${commandSource(command.name)}.html`,
        text: pageOf(
          `# techne ${command.name}`,
          fence(withoutShared(renderCommandHelp(command))),
          ...(command.subcommands ?? []).flatMap((one) => [
            `## ${one.name}`,
            fence(withoutShared(renderCommandHelp(one))),
          ]),
        ),
      })),
  ];
}

/** The options of every command are on the page of all. */
function withoutShared(help: string): string {
  return help.replace(/\nAlso: --[^]*$/, '');
}
