// Completion scripts for shells, from the table of commands.
//
// Commands and options are written into the script; names of skills and keys are asked of `techne __complete`, with the
// --root and --workspace that stand on the line. A value may stand behind `=` or as the next word.
import type { CommandSpec, Completion, OptionSpec } from './command-spec.ts';
import { globalOptions, topLevelOptions, visibleCommands } from './commands.ts';

const commandNames = visibleCommands.map((command) => command.name);

function optionWords(options: readonly OptionSpec[]): string {
  return options.flatMap((option) => (option.short === undefined ? [`--${option.name}`] : [`--${option.name}`, `-${option.short}`])).join(' ');
}

/** What the first positional of a command is offered: fixed words, or a question to `techne __complete`. */
function offer(command: CommandSpec): { readonly words: readonly string[]; readonly complete: Completion } {
  const [first] = command.positionals;
  if (first === undefined) return { words: [], complete: 'none' };
  if (first.complete === 'command') return { words: commandNames, complete: 'none' };
  return { words: first.choices ?? [], complete: first.complete };
}

export function renderBash(): string {
  const values = [...globalOptions, ...visibleCommands.flatMap((command) => command.options)].filter((option) => option.value !== undefined);
  const valueCases = new Map<string, string>();
  for (const option of values) {
    const reply = option.choices !== undefined ? `COMPREPLY=($(compgen -W '${option.choices.join(' ')}' -- "$cur"))` : option.complete === 'folder' ? `local IFS=$'\\n'; COMPREPLY=($(compgen -d -- "$cur")); compopt -o filenames 2>/dev/null` : 'COMPREPLY=()';
    valueCases.set(`--${option.name}`, reply);
  }
  const commandCases = visibleCommands.map((command) => {
    const { words, complete } = offer(command);
    const source = words.length > 0 ? `words='${words.join(' ')}'`
      : complete === 'skill' || complete === 'key' ? `words="$(techne __complete ${complete} "\${scope[@]}" 2>/dev/null)"`
        : complete === 'skill-or-folder' ? `words="$(techne __complete skill "\${scope[@]}" 2>/dev/null)"; paths=-d`
          : complete === 'path' ? 'words=; paths=-f' : 'words=';
    return `    ${command.name}) options='${optionWords([...command.options, ...globalOptions])}'; [[ $cur == -* ]] || { ${source}; } ;;`;
  });
  return `# bash completion for techne
_techne() {
  local cur prev command options words paths at word value scope=()
  cur="\${COMP_WORDS[COMP_CWORD]}"
  prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
  # Bash usually makes a word of its own of "=".
  if [[ $cur == = ]]; then
    cur=
  elif [[ $prev == = ]]; then
    prev="\${COMP_WORDS[COMP_CWORD-2]}"
  fi
  case "$prev" in
${[...valueCases].map(([name, reply]) => `    ${name}) ${reply}; return ;;`).join('\n')}
  esac
  command=
  for ((at = 1; at < COMP_CWORD; at++)); do
    word="\${COMP_WORDS[at]}"
    case "$word" in
      ${[...valueCases.keys()].join('|')})
        ((at++))
        [[ \${COMP_WORDS[at]} == = ]] && ((at++))
        value="\${COMP_WORDS[at]}"
        [[ $value == '~/'* ]] && value="$HOME/\${value:2}"
        [[ ( $word == --root || $word == --workspace ) && at -lt COMP_CWORD ]] && scope+=("$word" "$value") ;;
      --root=*|--workspace=*) scope+=("$word") ;;
      -*) ;;
      *) [[ -n $command ]] || command="$word" ;;
    esac
  done
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

export function renderZsh(): string {
  const cases = visibleCommands.map((command) => {
    const { words, complete } = offer(command);
    const [first] = command.positionals;
    const action = words.length > 0 ? `(${words.join(' ')})` : complete === 'skill' ? '_techne_skills' : complete === 'skill-or-folder' ? '_techne_skills_or_folders' : complete === 'key' ? '_techne_keys' : complete === 'path' ? '_files' : complete === 'folder' ? '_files -/' : ' ';
    const positional = first === undefined ? [] : [zshQuote(`${first.repeatable ? '*' : '1'}:${zshText(first.description)}:${action}`)];
    const parts = [...zshOptions([...command.options, ...globalOptions]), ...positional];
    return `      ${command.name})\n        _arguments ${parts.join(' \\\n          ')} ;;`;
  });
  return `#compdef techne
# zsh completion for techne
_techne_skills() {
  local -a names scope
  local at
  for ((at = 2; at <= $#techne_line; at++)); do
    case $techne_line[at] in
      --root=*|--workspace=*) scope+=("\${(Q)techne_line[at]}") ;;
      --root|--workspace) scope+=("$techne_line[at]" "\${\${(Q)techne_line[at+1]}/#\\~\\//$HOME/}") ;;
    esac
  done
  names=(\${(f)"$(techne __complete skill $scope 2>/dev/null)"})
  compadd -a names
}
_techne_skills_or_folders() { _techne_skills; _files -/ }
_techne_keys() { local -a names; names=(\${(f)"$(techne __complete key 2>/dev/null)"}); compadd -a names }
_techne_commands() {
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

function zshOptions(options: readonly OptionSpec[]): readonly string[] {
  return options.flatMap((option) => {
    const value = option.value === undefined ? '' : `:${option.value}:${option.choices === undefined ? (option.complete === 'folder' ? '_files -/' : ' ') : `(${option.choices.join(' ')})`}`;
    const repeat = option.repeatable === true ? '*' : '';
    const tail = `[${zshText(option.description)}]${value}`;
    const long = `--${option.name}${option.value === undefined ? '' : '='}`;
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
  for (const command of visibleCommands) lines.push(`complete -c techne -n __fish_use_subcommand -a ${command.name} -d ${fishQuote(command.summary)}`);
  for (const option of topLevelOptions) lines.push(fishOption(option, '-n __fish_use_subcommand '));
  for (const option of globalOptions) lines.push(fishOption(option, ''));
  for (const command of visibleCommands) {
    const seen = `-n '__fish_seen_subcommand_from ${command.name}' `;
    const { words, complete } = offer(command);
    if (words.length > 0) lines.push(`complete -c techne ${seen}-a ${fishQuote(words.join(' '))}`);
    else if (complete === 'skill' || complete === 'key') lines.push(`complete -c techne ${seen}-a '(__techne_complete ${complete})'`);
    else if (complete === 'skill-or-folder') lines.push(`complete -c techne ${seen}-a '(__techne_complete skill)'`, `complete -c techne ${seen}-a '(__fish_complete_directories)'`);
    else if (complete === 'path') lines.push(`complete -c techne ${seen}-F`);
    for (const option of command.options) lines.push(fishOption(option, seen));
  }
  return `${lines.join('\n')}\n`;
}

function fishOption(option: OptionSpec, condition: string): string {
  const short = option.short === undefined ? '' : ` -s ${option.short}`;
  const value = option.value === undefined ? '' : option.choices !== undefined ? ` -x -a ${fishQuote(option.choices.join(' '))}` : option.complete === 'folder' ? " -x -a '(__fish_complete_directories)'" : ' -x';
  return `complete -c techne ${condition}-l ${option.name}${short}${value} -d ${fishQuote(option.description)}`;
}

function fishQuote(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
