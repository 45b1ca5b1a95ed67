// Completion scripts for shells, from the table of commands.
//
// Commands and options are written into the script; names of skills and keys are asked of `techne __complete`, with the
// --root and --workspace that stand on the line. A value may stand behind `=` or as the next word. A command of a group
// is offered after its group.
import type { CommandSpec, Completion, OptionSpec } from './spec/command-spec.ts';
import { withoutSubcommand } from './spec/command-spec.ts';
import { everyCommand, globalOptions, topLevelOptions, visibleCommands } from './spec/commands.ts';

const commandNames = visibleCommands.map((command) => command.name);
const groups = visibleCommands.filter((command) => command.subcommands !== undefined);

/** What follows the name of a group. */
function memberNames(group: CommandSpec): readonly string[] {
  return (group.subcommands ?? []).map(({ name }) => name.slice(group.name.length + 1));
}

/** Options of a command, then those of every command that it has none of its own for. */
function optionsOf(command: CommandSpec): readonly OptionSpec[] {
  const own = withoutSubcommand(command).options;
  return [...own, ...globalOptions.filter(({ name }) => own.every((option) => option.name !== name))];
}

function optionWords(options: readonly OptionSpec[]): string {
  return options
    .flatMap((option) =>
      option.short === undefined ? [`--${option.name}`] : [`--${option.name}`, `-${option.short}`],
    )
    .join(' ');
}

/** What the first positional of a command is offered: fixed words, or a question to `techne __complete`. */
function offer(command: CommandSpec): { readonly words: readonly string[]; readonly complete: Completion } {
  if (command.subcommands !== undefined)
    return { words: memberNames(command), complete: command.positionals[0]?.complete ?? 'none' };
  const [first] = command.positionals;
  if (first === undefined) return { words: [], complete: 'none' };
  if (first.complete === 'command') return { words: commandNames, complete: 'none' };
  return { words: first.choices ?? [], complete: first.complete };
}

export function renderBash(): string {
  const takesValue = (option: OptionSpec): boolean => option.value !== undefined && option.optional !== true;
  const valued = [
    ...new Set(
      [...globalOptions, ...everyCommand.flatMap((command) => command.options)]
        .filter(takesValue)
        .map(({ name }) => `--${name}`),
    ),
  ];
  // Options of the same name take different values in different commands.
  const valueCases = [
    ...everyCommand.flatMap((command) =>
      withoutSubcommand(command)
        .options.filter(takesValue)
        .map((option) => `    '${command.name} --${option.name}') ${bashReply(option)}; return ;;`),
    ),
    ...globalOptions
      .filter(takesValue)
      .map((option) => `    *' --${option.name}') ${bashReply(option)}; return ;;`),
  ];
  const commandCases = everyCommand.map((command) => {
    const { words, complete } = offer(command);
    const source =
      words.length > 0
        ? `words='${words.join(' ')}'`
        : isAsked(complete)
          ? `words="$(techne __complete ${complete} "\${scope[@]}" 2>/dev/null)"`
          : complete === 'skill-or-folder'
            ? `words="$(techne __complete skill "\${scope[@]}" 2>/dev/null)"; paths=-d`
            : complete === 'path'
              ? 'words=; paths=-f'
              : 'words=';
    const more =
      command.positionals[1]?.complete === 'input'
        ? `if [[ -n $name ]]; then words="$(techne __complete input "$name" "\${scope[@]}" 2>/dev/null)"; compopt -o nospace 2>/dev/null; else ${source}; fi`
        : source;
    return `    ${command.name.includes(' ') ? `'${command.name}'` : command.name}) options='${optionWords(optionsOf(command))}'; [[ $cur == -* ]] || { ${more}; } ;;`;
  });
  return `# bash completion for techne
_techne() {
  local cur prev command name options words paths at word value scope=()
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  # Bash usually makes a word of its own of "=".
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  command= name=
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$word" in
      ${valued.join('|')})
        ((at++))
        [[ \${COMP_WORDS[at]} == = ]] && ((at++))
        value="\${COMP_WORDS[at]}"
        [[ $value == '~/'* ]] && value="$HOME/\${value:2}"
        [[ ( $word == --root || $word == --workspace ) && at -lt COMP_CWORD ]] && scope+=("$word" "$value") ;;
      --root=*|--workspace=*) scope+=("$word") ;;
      -*) ;;
      *) case "$command" in
        '') command="$word" ;;
        ${groups.map(({ name }) => name).join('|')}) command="$command $word" ;;
        *) [[ -n $name ]] || name="$word" ;;
      esac ;;
    esac
  done
  case "$command $prev" in
${valueCases.join('\n')}
  esac
  case "$command" in
    '') options='${optionWords([...globalOptions, ...topLevelOptions])}'; words='${commandNames.join(' ')}' ;;
${commandCases.join('\n')}
    *) return ;;
  esac
  if [[ $cur == -* ]]; then
    COMPREPLY=($(compgen -W "$options" -- "$cur"))
  else
    COMPREPLY=($(compgen -W "$words" -- "$cur"))
    if [[ -n $paths ]]; then
      local IFS=$'\\n'
      COMPREPLY+=($(compgen "$paths" -- "$cur"))
      compopt -o filenames 2>/dev/null
    fi
  fi
}
complete -F _techne techne
`;
}

/** Whether `techne __complete` knows the names. */
function isAsked(complete: Completion): boolean {
  return ['skill', 'executable', 'run', 'waiting', 'key'].includes(complete);
}

function bashReply({ choices, suggest, complete }: OptionSpec): string {
  const words = choices ?? suggest;
  if (words !== undefined) return `COMPREPLY=($(compgen -W '${words.join(' ')}' -- "$cur"))`;
  if (complete !== 'folder' && complete !== 'path') return 'COMPREPLY=()';
  return `local IFS=$'\\n'; COMPREPLY=($(compgen ${complete === 'folder' ? '-d' : '-f'} -- "$cur")); compopt -o filenames 2>/dev/null`;
}

export function renderZsh(): string {
  const cases = visibleCommands.map(
    (command) =>
      `      ${command.name})\n        ${command.subcommands === undefined ? zshArguments(command, '          ') : `_techne_${command.name}`} ;;`,
  );
  return `#compdef techne
# zsh completion for techne
_techne_scoped() {
  local -a names scope
  local at
  for ((at = 2; at <= $#techne_line; at++)); do
    case $techne_line[at] in
      --root=*|--workspace=*) scope+=("\${(Q)techne_line[at]}") ;;
      --root|--workspace) scope+=("$techne_line[at]" "\${\${(Q)techne_line[at+1]}/#\\~\\//$HOME/}") ;;
    esac
  done
  names=(\${(f)"$(techne __complete $@ $scope 2>/dev/null)"})
  [[ $1 == input ]] && compadd -S '' -a names || compadd -a names
}
_techne_skills() { _techne_scoped skill }
_techne_executables() { _techne_scoped executable }
_techne_inputs() { _techne_scoped input $line[1] }
_techne_skills_or_folders() { _techne_skills; _files -/ }
_techne_keys() { local -a names; names=(\${(f)"$(techne __complete key 2>/dev/null)"}); compadd -a names }
_techne_run_ids() { local -a names; names=(\${(f)"$(techne __complete run 2>/dev/null)"}); compadd -a names }
_techne_waiting_runs() { local -a names; names=(\${(f)"$(techne __complete waiting 2>/dev/null)"}); compadd -a names }
${groups.map(zshGroup).join('')}_techne_commands() {
  local -a commands
  commands=(
${visibleCommands.map((command) => `    ${zshQuote(`${command.name}:${command.summary.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  _describe command commands
}
_techne() {
  local context state state_descr line
  local -a techne_line
  techne_line=("\${words[@]}")
  typeset -A opt_args
  _arguments -C ${zshOptions([...globalOptions, ...topLevelOptions]).join(' \\\n    ')} \\
    '1:command:_techne_commands' '*::argument:->argument'
  case $state in
    argument)
      case $line[1] in
${cases.join('\n')}
      esac ;;
  esac
}
if [[ $funcstack[1] == _techne ]]; then _techne "$@"; else compdef _techne techne; fi
`;
}

function zshArguments(command: CommandSpec, indent: string): string {
  const { words, complete } = offer(command);
  const [first] = command.positionals;
  const actions: Partial<Record<Completion, string>> = {
    skill: '_techne_skills',
    executable: '_techne_executables',
    waiting: '_techne_waiting_runs',
    'skill-or-folder': '_techne_skills_or_folders',
    run: '_techne_run_ids',
    key: '_techne_keys',
    path: '_files',
    folder: '_files -/',
  };
  const action = words.length > 0 ? `(${words.join(' ')})` : (actions[complete] ?? ' ');
  const [, second] = command.positionals;
  const positional =
    first === undefined
      ? []
      : second?.complete === 'input'
        ? [
            zshQuote(`1:${zshText(first.description)}:${action}`),
            zshQuote(`*:${zshText(second.description)}:_techne_inputs`),
          ]
        : [
            zshQuote(
              `${first.repeatable || command.positionals.length > 1 ? '*' : '1'}:${zshText(first.description)}:${action}`,
            ),
          ];
  return `_arguments ${[...zshOptions(optionsOf(command)), ...positional].join(` \\\n${indent}`)}`;
}

function zshGroup(group: CommandSpec): string {
  const members = group.subcommands ?? [];
  return `_techne_${group.name}() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
${members.map(({ name, summary }) => `    ${zshQuote(`${name.slice(group.name.length + 1)}:${summary.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  _arguments -C ${zshOptions(optionsOf(group)).join(' \\\n    ')} \\
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
${members.map((member) => `      ${member.name.slice(group.name.length + 1)})\n        ${zshArguments(member, '          ')} ;;`).join('\n')}
      esac ;;
  esac
}
`;
}

function zshOptions(options: readonly OptionSpec[]): readonly string[] {
  return options.flatMap((option) => {
    const value =
      option.value === undefined || option.optional === true
        ? ''
        : `:${option.value}:${option.choices === undefined && option.suggest === undefined ? (option.complete === 'folder' ? '_files -/' : option.complete === 'path' ? '_files' : ' ') : `(${(option.choices ?? option.suggest ?? []).map((word) => word.replace(':', '\\:')).join(' ')})`}`;
    const repeat = option.repeatable === true ? '*' : '';
    const tail = `[${zshText(option.description)}]${value}`;
    const long = `--${option.name}${option.value === undefined || option.optional === true ? '' : '='}`;
    const names = option.short === undefined ? [long] : [long, `-${option.short}`];
    return names.map((name) => zshQuote(`${repeat}${name}${tail}`));
  });
}

function zshText(text: string): string {
  return text.replace(/[[\]:]/g, '\\$&');
}

function zshQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

const fishFunction = `function __techne_complete
  set -l scope
  set -l option
  for word in (commandline -opc)
    if test -n "$option"
      set -a scope $option $word
      set option
    else if contains -- $word --root --workspace
      set option $word
    else if string match -qr -- '^--(root|workspace)=' $word
      set -a scope $word
    end
  end
  techne __complete $argv $scope 2>/dev/null
end`;

export function renderFish(): string {
  const lines = ['# fish completion for techne', fishFunction, 'complete -c techne -f'];
  for (const command of visibleCommands)
    lines.push(
      `complete -c techne -n __fish_use_subcommand -a ${command.name} -d ${fishQuote(command.summary)}`,
    );
  for (const option of topLevelOptions) lines.push(fishOption(option, '-n __fish_use_subcommand '));
  for (const option of globalOptions) lines.push(fishOption(option, ''));
  for (const command of everyCommand) {
    const seen = `-n '${fishSeen(command)}' `;
    const { words, complete } = offer(command);
    if (command.subcommands !== undefined)
      for (const member of command.subcommands)
        lines.push(
          `complete -c techne ${seen}-a ${member.name.slice(command.name.length + 1)} -d ${fishQuote(member.summary)}`,
        );
    else if (words.length > 0) lines.push(`complete -c techne ${seen}-a ${fishQuote(words.join(' '))}`);
    else if (isAsked(complete)) lines.push(`complete -c techne ${seen}-a '(__techne_complete ${complete})'`);
    else if (complete === 'skill-or-folder')
      lines.push(
        `complete -c techne ${seen}-a '(__techne_complete skill)'`,
        `complete -c techne ${seen}-a '(__fish_complete_directories)'`,
      );
    else if (complete === 'path') lines.push(`complete -c techne ${seen}-F`);
    for (const option of command.options) lines.push(fishOption(option, seen));
  }
  return `${lines.join('\n')}\n`;
}

/** Groups have members of the same names as other commands have. */
function fishSeen({ name, subcommands }: CommandSpec): string {
  const group = groups.find((one) => name.startsWith(`${one.name} `));
  if (group !== undefined)
    return `__fish_seen_subcommand_from ${group.name}; and __fish_seen_subcommand_from ${name.slice(group.name.length + 1)}`;
  if (subcommands !== undefined)
    return `__fish_seen_subcommand_from ${name}; and not __fish_seen_subcommand_from ${memberNames({ name, subcommands } as CommandSpec).join(' ')}`;
  const others = groups.filter((one) => memberNames(one).includes(name)).map((one) => one.name);
  return `__fish_seen_subcommand_from ${name}${others.length === 0 ? '' : `; and not __fish_seen_subcommand_from ${others.join(' ')}`}`;
}

function fishOption(option: OptionSpec, condition: string): string {
  const short = option.short === undefined ? '' : ` -s ${option.short}`;
  const value =
    option.value === undefined || option.optional === true
      ? ''
      : option.choices !== undefined || option.suggest !== undefined
        ? ` -x -a ${fishQuote((option.choices ?? option.suggest ?? []).join(' '))}`
        : option.complete === 'folder'
          ? " -x -a '(__fish_complete_directories)'"
          : option.complete === 'path'
            ? ' -r -F'
            : ' -x';
  return `complete -c techne ${condition}-l ${option.name}${short}${value} -d ${fishQuote(option.description)}`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
