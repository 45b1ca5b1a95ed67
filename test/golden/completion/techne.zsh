#compdef techne
# zsh completion for techne
_techne_skills() {
  local -a names scope
  local at
  for ((at = 2; at <= $#techne_line; at++)); do
    case $techne_line[at] in
      --root=*|--workspace=*) scope+=("${(Q)techne_line[at]}") ;;
      --root|--workspace) scope+=("$techne_line[at]" "${${(Q)techne_line[at+1]}/#\~\//$HOME/}") ;;
    esac
  done
  names=(${(f)"$(techne __complete skill $scope 2>/dev/null)"})
  compadd -a names
}
_techne_skills_or_folders() { _techne_skills; _files -/ }
_techne_keys() { local -a names; names=(${(f)"$(techne __complete key 2>/dev/null)"}); compadd -a names }
_techne_commands() {
  local -a commands
  commands=(
    'list:Show the skills that were found'
    'show:Show everything known about a skill'
    'search:Find skills by words in their name or description'
    'check:Check skills and say what is wrong with them'
    'doctor:Explain the environment and why a skill can or cannot be used'
    'config:Show the configuration and where each value comes from'
    'new:Start a skill from a good example of its form'
    'schema:Print the JSON Schema of the frontmatter of a SKILL.md'
    'star:Run a Starlark program, or type one at a prompt'
    'trust:Allow a folder or a skill to be executed'
    'untrust:Take trust back'
    'completion:Print a completion script for a shell'
    'help:Show the help of a command'
  )
  _describe command commands
}
_techne() {
  local context state state_descr line
  local -a techne_line
  techne_line=("${words[@]}")
  typeset -A opt_args
  _arguments -C '--json[Print one JSON value instead of text; for errors and help too]' \
    '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
    '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
    '--all[Show also what was skipped, shadowed or is not ready]' \
    '--no-cache[Read every skill anew]' \
    '--color[Use colours even when the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show this help]' \
    '-h[Show this help]' \
    '--version[Print the version]' \
    '-V[Print the version]' \
    '1:command:_techne_commands' '*::argument:->argument'
  case $state in
    argument)
      case $line[1] in
      list)
        _arguments '--source=[Show only skills of this source\: builtin, plugin, user or workspace]:SOURCE:(builtin plugin user workspace)' \
          '--strict[Exit with 1 if a skill file has an error]' \
          '--json[Print one JSON value instead of text; for errors and help too]' \
          '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
          '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
          '--all[Show also what was skipped, shadowed or is not ready]' \
          '--no-cache[Read every skill anew]' \
          '--color[Use colours even when the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show this help]' \
          '-h[Show this help]' ;;
      show)
        _arguments '--body[Print the body of its SKILL.md only]' \
          '--json[Print one JSON value instead of text; for errors and help too]' \
          '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
          '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
          '--all[Show also what was skipped, shadowed or is not ready]' \
          '--no-cache[Read every skill anew]' \
          '--color[Use colours even when the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show this help]' \
          '-h[Show this help]' \
          '1:The name of a skill:_techne_skills' ;;
      search)
        _arguments '--limit=[The most results, 1 to 50 (default 10; without words all)]:N: ' \
          '--json[Print one JSON value instead of text; for errors and help too]' \
          '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
          '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
          '--all[Show also what was skipped, shadowed or is not ready]' \
          '--no-cache[Read every skill anew]' \
          '--color[Use colours even when the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show this help]' \
          '-h[Show this help]' \
          '*:Words to look for: ' ;;
      check)
        _arguments '--strict[Hold skills to the rules of the open standard]' \
          '--format=[How to print\: text (default), json or sarif]:FORMAT:(text json sarif)' \
          '--max-warnings=[Exit with 1 if there are more warnings than this]:N: ' \
          '--json[Print one JSON value instead of text; for errors and help too]' \
          '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
          '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
          '--all[Show also what was skipped, shadowed or is not ready]' \
          '--no-cache[Read every skill anew]' \
          '--color[Use colours even when the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show this help]' \
          '-h[Show this help]' \
          '*:What to check:_files' ;;
      doctor)
        _arguments '--strict[Exit with 1 also if a skill is not ready]' \
          '--json[Print one JSON value instead of text; for errors and help too]' \
          '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
          '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
          '--all[Show also what was skipped, shadowed or is not ready]' \
          '--no-cache[Read every skill anew]' \
          '--color[Use colours even when the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show this help]' \
          '-h[Show this help]' \
          '1:The name of a skill:_techne_skills' ;;
      config)
        _arguments '--schema[Print the JSON Schema of the configuration file]' \
          '--json[Print one JSON value instead of text; for errors and help too]' \
          '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
          '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
          '--all[Show also what was skipped, shadowed or is not ready]' \
          '--no-cache[Read every skill anew]' \
          '--color[Use colours even when the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show this help]' \
          '-h[Show this help]' \
          '1:One key, such as sandbox.mode, or a group of them:_techne_keys' ;;
      new)
        _arguments '--form=[instructions, program, composition, workflow, chain (default instructions)]:FORM:(instructions program composition workflow chain)' \
          '--dir=[Where the folder is made (default .techne/skills in the workspace)]:DIR:_files -/' \
          '--description=[What the skill does and when to use it]:TEXT: ' \
          '--json[Print one JSON value instead of text; for errors and help too]' \
          '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
          '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
          '--all[Show also what was skipped, shadowed or is not ready]' \
          '--no-cache[Read every skill anew]' \
          '--color[Use colours even when the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show this help]' \
          '-h[Show this help]' \
          '1:Lower-case letters, digits and single hyphens: ' ;;
      schema)
        _arguments '--json[Print one JSON value instead of text; for errors and help too]' \
          '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
          '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
          '--all[Show also what was skipped, shadowed or is not ready]' \
          '--no-cache[Read every skill anew]' \
          '--color[Use colours even when the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show this help]' \
          '-h[Show this help]' ;;
      star)
        _arguments '--code=[Run this text instead of a FILE]:CODE: ' \
          '-c[Run this text instead of a FILE]:CODE: ' \
          '--check[Run nothing\: show every error that can be seen without running; with --allow-load in loaded files, too]' \
          '--entry=[Call this function after the file has run, and print what it returns as JSON]:NAME: ' \
          '--input=[The argument for the function of --entry; @FILE reads it from a file, - from standard input]:JSON: ' \
          '*--predeclare=[A name that the host would give the program; may be repeated]:NAME: ' \
          '--steps=[Stop after this many steps, such as 500k or 20m (default 100m)]:N: ' \
          '--memory=[Stop when more memory than this is held, such as 512k or 64m, or plain bytes (default 64m)]:SIZE: ' \
          '--output=[Stop when more characters than this were printed, such as 16m (default 1000000)]:SIZE: ' \
          '--allow-load[Let load() read .star files in the folder of FILE and below it]' \
          '--json[Print one JSON value instead of text; for errors and help too]' \
          '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
          '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
          '--all[Show also what was skipped, shadowed or is not ready]' \
          '--no-cache[Read every skill anew]' \
          '--color[Use colours even when the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show this help]' \
          '-h[Show this help]' \
          '*:The program; several with --check:_files' ;;
      trust)
        _arguments '--list[Show what is trusted]' \
          '--json[Print one JSON value instead of text; for errors and help too]' \
          '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
          '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
          '--all[Show also what was skipped, shadowed or is not ready]' \
          '--no-cache[Read every skill anew]' \
          '--color[Use colours even when the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show this help]' \
          '-h[Show this help]' \
          '1:A folder, or the name of a skill:_techne_skills_or_folders' ;;
      untrust)
        _arguments '--json[Print one JSON value instead of text; for errors and help too]' \
          '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
          '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
          '--all[Show also what was skipped, shadowed or is not ready]' \
          '--no-cache[Read every skill anew]' \
          '--color[Use colours even when the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show this help]' \
          '-h[Show this help]' \
          '1:A folder, or the name of a skill:_techne_skills_or_folders' ;;
      completion)
        _arguments '--json[Print one JSON value instead of text; for errors and help too]' \
          '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
          '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
          '--all[Show also what was skipped, shadowed or is not ready]' \
          '--no-cache[Read every skill anew]' \
          '--color[Use colours even when the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show this help]' \
          '-h[Show this help]' \
          '1:bash, zsh or fish:(bash zsh fish)' ;;
      help)
        _arguments '--json[Print one JSON value instead of text; for errors and help too]' \
          '*--root=[Look for skills in this folder only; may be repeated]:DIR:_files -/' \
          '--workspace=[The workspace, instead of the one around the current folder]:DIR:_files -/' \
          '--all[Show also what was skipped, shadowed or is not ready]' \
          '--no-cache[Read every skill anew]' \
          '--color[Use colours even when the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show this help]' \
          '-h[Show this help]' \
          '1:The command:(list show search check doctor config new schema star trust untrust completion help)' ;;
      esac ;;
  esac
}
if [[ $funcstack[1] == _techne ]]; then _techne "$@"; else compdef _techne techne; fi
