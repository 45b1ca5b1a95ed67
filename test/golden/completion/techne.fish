# fish completion for techne
function __techne_complete
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
end
complete -c techne -f
complete -c techne -n __fish_use_subcommand -a list -d 'Show the skills that were found'
complete -c techne -n __fish_use_subcommand -a show -d 'Show everything known about a skill'
complete -c techne -n __fish_use_subcommand -a search -d 'Find skills by words in their name or description'
complete -c techne -n __fish_use_subcommand -a check -d 'Check skills and say what is wrong with them'
complete -c techne -n __fish_use_subcommand -a doctor -d 'Explain the environment and why a skill can or cannot be used'
complete -c techne -n __fish_use_subcommand -a config -d 'Show the configuration and where each value comes from'
complete -c techne -n __fish_use_subcommand -a new -d 'Start a skill from a good example of its form'
complete -c techne -n __fish_use_subcommand -a schema -d 'Print the JSON Schema of the frontmatter of a SKILL.md'
complete -c techne -n __fish_use_subcommand -a star -d 'Run a Starlark program, or type one at a prompt'
complete -c techne -n __fish_use_subcommand -a trust -d 'Allow a folder or a skill to be executed'
complete -c techne -n __fish_use_subcommand -a untrust -d 'Take trust back'
complete -c techne -n __fish_use_subcommand -a completion -d 'Print a completion script for a shell'
complete -c techne -n __fish_use_subcommand -a help -d 'Show the help of a command'
complete -c techne -n __fish_use_subcommand -l version -s V -d 'Print the version'
complete -c techne -l json -d 'Print one JSON value instead of text; for errors and help too'
complete -c techne -l root -x -a '(__fish_complete_directories)' -d 'Look for skills in this folder only; may be repeated'
complete -c techne -l workspace -x -a '(__fish_complete_directories)' -d 'The workspace, instead of the one around the current folder'
complete -c techne -l all -d 'Show also what was skipped, shadowed or is not ready'
complete -c techne -l no-cache -d 'Read every skill anew'
complete -c techne -l color -d 'Use colours even when the output is not a terminal'
complete -c techne -l no-color -d 'Use no colours'
complete -c techne -l quiet -s q -d 'Print no hints and no progress'
complete -c techne -l help -s h -d 'Show this help'
complete -c techne -n '__fish_seen_subcommand_from list' -l source -x -a 'builtin plugin user workspace' -d 'Show only skills of this source: builtin, plugin, user or workspace'
complete -c techne -n '__fish_seen_subcommand_from list' -l strict -d 'Exit with 1 if a skill file has an error'
complete -c techne -n '__fish_seen_subcommand_from show' -a '(__techne_complete skill)'
complete -c techne -n '__fish_seen_subcommand_from show' -l body -d 'Print the body of its SKILL.md only'
complete -c techne -n '__fish_seen_subcommand_from search' -l limit -x -d 'The most results, 1 to 50 (default 10; without words all)'
complete -c techne -n '__fish_seen_subcommand_from check' -F
complete -c techne -n '__fish_seen_subcommand_from check' -l strict -d 'Hold skills to the rules of the open standard'
complete -c techne -n '__fish_seen_subcommand_from check' -l format -x -a 'text json sarif' -d 'How to print: text (default), json or sarif'
complete -c techne -n '__fish_seen_subcommand_from check' -l max-warnings -x -d 'Exit with 1 if there are more warnings than this'
complete -c techne -n '__fish_seen_subcommand_from doctor' -a '(__techne_complete skill)'
complete -c techne -n '__fish_seen_subcommand_from doctor' -l strict -d 'Exit with 1 also if a skill is not ready'
complete -c techne -n '__fish_seen_subcommand_from config' -a '(__techne_complete key)'
complete -c techne -n '__fish_seen_subcommand_from config' -l schema -d 'Print the JSON Schema of the configuration file'
complete -c techne -n '__fish_seen_subcommand_from new' -l form -x -a 'instructions program composition workflow chain' -d 'instructions, program, composition, workflow, chain (default instructions)'
complete -c techne -n '__fish_seen_subcommand_from new' -l dir -x -a '(__fish_complete_directories)' -d 'Where the folder is made (default .techne/skills in the workspace)'
complete -c techne -n '__fish_seen_subcommand_from new' -l description -x -d 'What the skill does and when to use it'
complete -c techne -n '__fish_seen_subcommand_from star' -F
complete -c techne -n '__fish_seen_subcommand_from star' -l code -s c -x -d 'Run this text instead of a FILE'
complete -c techne -n '__fish_seen_subcommand_from star' -l check -d 'Run nothing: show every error that can be seen without running; with --allow-load in loaded files, too'
complete -c techne -n '__fish_seen_subcommand_from star' -l entry -x -d 'Call this function after the file has run, and print what it returns as JSON'
complete -c techne -n '__fish_seen_subcommand_from star' -l input -x -d 'The argument for the function of --entry; @FILE reads it from a file, - from standard input'
complete -c techne -n '__fish_seen_subcommand_from star' -l predeclare -x -d 'A name that the host would give the program; may be repeated'
complete -c techne -n '__fish_seen_subcommand_from star' -l steps -x -d 'Stop after this many steps, such as 500k or 20m (default 100m)'
complete -c techne -n '__fish_seen_subcommand_from star' -l memory -x -d 'Stop when more memory than this is held, such as 512k or 64m, or plain bytes (default 64m)'
complete -c techne -n '__fish_seen_subcommand_from star' -l output -x -d 'Stop when more characters than this were printed, such as 16m (default 1000000)'
complete -c techne -n '__fish_seen_subcommand_from star' -l allow-load -d 'Let load() read .star files in the folder of FILE and below it'
complete -c techne -n '__fish_seen_subcommand_from trust' -a '(__techne_complete skill)'
complete -c techne -n '__fish_seen_subcommand_from trust' -a '(__fish_complete_directories)'
complete -c techne -n '__fish_seen_subcommand_from trust' -l list -d 'Show what is trusted'
complete -c techne -n '__fish_seen_subcommand_from untrust' -a '(__techne_complete skill)'
complete -c techne -n '__fish_seen_subcommand_from untrust' -a '(__fish_complete_directories)'
complete -c techne -n '__fish_seen_subcommand_from completion' -a 'bash zsh fish'
complete -c techne -n '__fish_seen_subcommand_from help' -a 'list show search check doctor config new schema star trust untrust completion help'
