#compdef techne
# zsh completion for techne
_techne_scoped() {
  local -a names scope
  local at
  for ((at = 2; at <= $#techne_line; at++)); do
    case $techne_line[at] in
      --root=*|--workspace=*) scope+=("${(Q)techne_line[at]}") ;;
      --root|--workspace) scope+=("$techne_line[at]" "${${(Q)techne_line[at+1]}/#\~\//$HOME/}") ;;
    esac
  done
  names=(${(f)"$(techne __complete $@ $scope 2>/dev/null)"})
  [[ $1 == input ]] && compadd -S '' -a names || compadd -a names
}
_techne_skills() { _techne_scoped skill }
_techne_executables() { _techne_scoped executable }
_techne_inputs() { _techne_scoped input $line[1] }
_techne_skills_or_folders() { _techne_skills; _files -/ }
_techne_keys() { local -a names; names=(${(f)"$(techne __complete key 2>/dev/null)"}); compadd -a names }
_techne_run_ids() { local -a names; names=(${(f)"$(techne __complete run 2>/dev/null)"}); compadd -a names }
_techne_waiting_runs() { local -a names; names=(${(f)"$(techne __complete waiting 2>/dev/null)"}); compadd -a names }
_techne_eval() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'triggers:Check which skills are found for given messages'
    'activation:Check which skills a model chooses for given messages'
    'output:Have a model judge results with a skill and without it'
  )
  _arguments -C '*--skill=[The cases of this skill, and those generated from its triggers; may be repeated]:NAME: ' \
    '--threshold=[Exit with 1 if fewer cases are right\: 0.95 or 95%]:T: ' \
    '--frames=[At most N generated cases of each kind for a trigger, 0 to 1000; 0 uses only the written cases (default all)]:N: ' \
    '--seed=[The random seed that chooses cases with --frames (default 1)]:N: ' \
    '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      triggers)
        _arguments '*--skill=[The cases of this skill, and those generated from its triggers; may be repeated]:NAME: ' \
          '--threshold=[Exit with 1 if fewer cases are right\: 0.95 or 95%]:T: ' \
          '--frames=[At most N generated cases of each kind for a trigger, 0 to 1000; 0 uses only the written cases (default all)]:N: ' \
          '--seed=[The random seed that chooses cases with --frames (default 1)]:N: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:A file of cases:_files' ;;
      activation)
        _arguments '*--skill=[The cases of this skill (evals/evals.json); may be repeated]:NAME: ' \
          '--distractors=[Offer the skills of the cases and N others, instead of the whole library]:N: ' \
          '--threshold=[Exit with 1 if fewer attempts are right\: 0.95 or 95%]:T: ' \
          '--frames=[How many cases of each kind to generate from each trigger of --skill (default\: 1 if it has no evals.json, else 0)]:N: ' \
          '--answer=[The answerer\: model, model\:NAME or script\:FILE (default\: the first available model, see techne doctor)]:SPEC:(model script\:)' \
          '--model=[Short for --answer model\:NAME]:NAME: ' \
          '--runs=[Attempts for each case (default 3)]:N: ' \
          '--seed=[The random seed; the same seed makes the same choices (default 1)]:N: ' \
          '--parallel=[Attempts in parallel, 1 to 64 (default 1)]:N: ' \
          '--max-turns=[At most N turns of the model in one attempt (default 4)]:N: ' \
          '--max-calls=[Stop after N turns of models in total (default 1000)]:N: ' \
          '--max-tokens=[Stop after N input and output tokens in total (default 5000000)]:N: ' \
          '--keep=[Write the transcript of each attempt to this folder, as JSON]:DIR:_files -/' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:A file of cases:_files' ;;
      output)
        _arguments '*--skill=[The prompts of this skill; may be repeated]:NAME: ' \
          '--judge=[The judge\: model\:NAME or script\:FILE (default\: the model that answers)]:SPEC:(model script\:)' \
          '--both-orders[Judge each pair in both orders; a verdict that changes with the order is a tie]' \
          '--threshold=[Exit with 1 if the skill wins fewer pairs, ties counted half\: 0.6 or 60%]:T: ' \
          '--answer=[The answerer\: model, model\:NAME or script\:FILE (default\: the first available model, see techne doctor)]:SPEC:(model script\:)' \
          '--model=[Short for --answer model\:NAME]:NAME: ' \
          '--runs=[Attempts for each case (default 3)]:N: ' \
          '--seed=[The random seed; the same seed makes the same choices (default 1)]:N: ' \
          '--parallel=[Attempts in parallel, 1 to 64 (default 1)]:N: ' \
          '--max-turns=[At most N turns of the model in one attempt (default 20)]:N: ' \
          '--max-calls=[Stop after N turns of models in total (default 1000)]:N: ' \
          '--max-tokens=[Stop after N input and output tokens in total (default 5000000)]:N: ' \
          '--keep=[Write the transcript of each attempt to this folder, as JSON]:DIR:_files -/' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:A file with cases of kind rubric:_files' ;;
      esac ;;
  esac
}
_techne_proposals() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'list:List proposals that wait for you; with --all every one'
    'show:Show a proposal\: who made it and why, its checks and its history'
    'diff:Show what a proposal would change, with the findings of the scan beside the lines'
    'check:Check proposals again'
    'accept:Review a proposal, and accept it'
    'reject:Reject a proposal; the same change cannot be proposed again'
    'edit:Propose your own version of a proposal, from a folder'
    'rollback:Undo an accepted proposal, if the skill has not changed since'
    'history:Show the audit\: every proposal, check, decision and skip, with its reason'
    'auto:Apply proposals.autoEnable now\: accept what it allows, roll back what fails'
    'freeze:Stop automatic acceptance until unfreeze'
    'unfreeze:Allow automatic acceptance again'
  )
  _arguments -C '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      list)
        _arguments '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      show)
        _arguments '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:The id of a proposal, or the beginning of it: ' ;;
      diff)
        _arguments '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:The id of a proposal, or the beginning of it: ' ;;
      check)
        _arguments '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:One proposal (default\: all that wait): ' ;;
      accept)
        _arguments '*--despite=[Accept although this check failed (repeatable)]:CHECK: ' \
          '--reason=[Why, for the audit]:TEXT: ' \
          '--events=[Append skill.created, skill.changed and skill.removed to this file as JSON lines]:FILE:_files' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:The id of a proposal, or the beginning of it: ' ;;
      reject)
        _arguments '--reason=[Why, for the audit]:TEXT: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:The id of a proposal, or the beginning of it: ' ;;
      edit)
        _arguments '--reason=[Why, for the audit]:TEXT: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:The id of a proposal, or the beginning of it: ' ;;
      rollback)
        _arguments '--reason=[Why, for the audit]:TEXT: ' \
          '--events=[Append skill.created, skill.changed and skill.removed to this file as JSON lines]:FILE:_files' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:The id of a proposal, or the beginning of it: ' ;;
      history)
        _arguments '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:One proposal (default\: all): ' ;;
      auto)
        _arguments '--events=[Append skill.created, skill.changed and skill.removed to this file as JSON lines]:FILE:_files' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      freeze)
        _arguments '--reason=[Why, for the audit]:TEXT: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      unfreeze)
        _arguments '--reason=[Why, for the audit]:TEXT: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      esac ;;
  esac
}
_techne_scan() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'accept:Accept findings that are harmless'
  )
  _arguments -C '--format=[The form of the output\: text, json or sarif (default\: text)]:FORMAT:(text json sarif)' \
    '--fail-on=[Exit with 1 for this verdict and worse ones (default\: dangerous)]:VERDICT:(caution incomplete dangerous)' \
    '--judge[Also ask the configured model]' \
    '--rules[List the rules instead]' \
    '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      accept)
        _arguments '--reason=[Why it is harmless (required)]:TEXT: ' \
          '*--in=[Look for the findings there (default\: in every skill)]:PATH|SKILL: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:The fingerprint of a finding, or at least its first 8 characters: ' ;;
      esac ;;
  esac
}
_techne_skills() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'stats:Show uses, activations, failures, cost and last use of each skill'
    'curate:Suggest skills to merge, retire, fix or describe better'
  )
  _arguments -C '--days=[How many days to look back (default\: 90)]:N: ' \
    '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
    '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      stats)
        _arguments '--days=[How many days to look back (default\: 90)]:N: ' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:One skill, with the messages that missed it:_techne_skills' ;;
      curate)
        _arguments '--days=[How many days to look back (default\: 90)]:N: ' \
          '--propose[Propose to merge and retire; each waits for your review]' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      esac ;;
  esac
}
_techne_runs() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'list:List runs, newest first'
    'show:Show everything that happened in a run'
    'tail:Follow a run until it ends or pauses'
    'resume:Resume a run that is paused or was interrupted'
    'replay:Execute a run again from its journal, and compare'
    'fork:Start a new run from the calls of another run'
    'cancel:Cancel a run, even one that another process drives'
    'undo:Take back the notes that a run wrote'
    'diff:Show where two runs differ'
    'to-test:Turn a recorded run into a test of its skill'
    'export:Write a run to a file, for another store or machine'
    'import:Add a run from a file that techne runs export made'
    'prune:Remove old runs'
    'resolve:Decide about a call with an unknown outcome'
  )
  _arguments -C '*--status=[Only runs with this status (repeatable)]:STATUS:(running paused needs_decision completed failed cancelled partial interrupted queued corrupt)' \
    '--skill=[Only runs of this skill]:NAME: ' \
    '--since=[Only runs that started within this time, such as 2d or 12h]:AGE: ' \
    '--limit=[The maximum number of runs, 1 to 1000 (default 20)]:N: ' \
    '--cursor=[Start after this run]:RUN: ' \
    '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
    '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      list)
        _arguments '*--status=[Only runs with this status (repeatable)]:STATUS:(running paused needs_decision completed failed cancelled partial interrupted queued corrupt)' \
          '--skill=[Only runs of this skill]:NAME: ' \
          '--since=[Only runs that started within this time, such as 2d or 12h]:AGE: ' \
          '--limit=[The maximum number of runs, 1 to 1000 (default 20)]:N: ' \
          '--cursor=[Start after this run]:RUN: ' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      show)
        _arguments '--effects[Show requests and outcomes in full]' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A run\: its id, the beginning or end of the id, or "last" for the newest run of this workspace:_techne_run_ids' ;;
      tail)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A run\: its id, the beginning or end of the id, or "last" for the newest run of this workspace:_techne_run_ids' ;;
      resume)
        _arguments '--answer=[Change the answerer\: model, caller, person, script\:FILE …]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--record=[Record the answers in FILE, for --answer replay\:FILE]:FILE:_files' \
          '--events=[Write every event to FILE, one JSON object per line]:FILE:_files' \
          '--raw[Print exactly the text that a calling model would get]' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A run\: its id, the beginning or end of the id, or "last" for the newest run of this workspace:_techne_run_ids' ;;
      replay)
        _arguments '--from=[In a new run, perform this call and everything after it]:KEY: ' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A run\: its id, the beginning or end of the id, or "last" for the newest run of this workspace:_techne_run_ids' ;;
      fork)
        _arguments '--from=[The first call to perform; techne runs show lists the keys]:KEY: ' \
          '*--input=[Change keys of the input, as for techne run]:INPUT: ' \
          '*-i[Change keys of the input, as for techne run]:INPUT: ' \
          '*--edit=[Replace the outcome of a call (repeatable)]:KEY=VALUE: ' \
          '--program=[Run this edited program instead]:FILE:_files' \
          '--answer=[Change the answerer\: model, caller, person, script\:FILE …]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--max-asks=[The maximum number of asks]:N: ' \
          '--max-commands=[The maximum number of commands]:N: ' \
          '--max-tokens=[The maximum number of model tokens, nested runs included]:N: ' \
          '--max-cost=[The maximum cost of models, nested runs included, such as 0.50]:DOLLARS: ' \
          '--max-steps=[The maximum number of steps of a program, up to 1000000000]:N: ' \
          '--max-runs=[The maximum number of nested runs]:N: ' \
          '--timeout=[The maximum time without pauses]:SECONDS: ' \
          '--record=[Record the answers in FILE, for --answer replay\:FILE]:FILE:_files' \
          '--events=[Write every event to FILE, one JSON object per line]:FILE:_files' \
          '--raw[Print exactly the text that a calling model would get]' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A run\: its id, the beginning or end of the id, or "last" for the newest run of this workspace:_techne_run_ids' ;;
      cancel)
        _arguments '--reason=[The reason, for the journal]:TEXT: ' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A run\: its id, the beginning or end of the id, or "last" for the newest run of this workspace:_techne_run_ids' ;;
      undo)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A run\: its id, the beginning or end of the id, or "last" for the newest run of this workspace:_techne_run_ids' ;;
      diff)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:A run\: its id, the beginning or end of the id, or "last" for the newest run of this workspace:_techne_run_ids' ;;
      to-test)
        _arguments '--name=[The name of the test]:TEXT: ' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A run\: its id, the beginning or end of the id, or "last" for the newest run of this workspace:_techne_run_ids' ;;
      export)
        _arguments '--out=[The file to write; it must not exist yet]:FILE:_files' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A run\: its id, the beginning or end of the id, or "last" for the newest run of this workspace:_techne_run_ids' ;;
      import)
        _arguments '--trust[Let the run be resumed and forked; asks a person]' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:The file:_files' ;;
      prune)
        _arguments '--older-than=[Such as 30d, 12h or 45m (default 30d)]:AGE: ' \
          '--keep=[Keep the newest N, at any age]:N: ' \
          '--skill=[Only runs of this skill]:NAME: ' \
          '*--status=[Only runs with this status (repeatable; default\: runs that have ended)]:STATUS:(completed failed cancelled partial paused needs_decision interrupted corrupt)' \
          '--dry-run[Report what would be removed, and remove nothing]' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      resolve)
        _arguments '--as=[done\: it was done; retry\: do it again; fail\: it failed]:DECISION:(done retry fail)' \
          '--value=[With --as done\: the outcome; for a command {"ok", "exit_code", "result", …} or its output as text]:JSON: ' \
          '--no-resume[Record the decision without resuming the run]' \
          '--answer=[The answerer\: model, model\:NAME, caller, person, agent-cli, script\:FILE or replay\:FILE (default\: the first available, see techne doctor)]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:A run\: its id, the beginning or end of the id, or "last" for the newest run of this workspace:_techne_run_ids' ;;
      esac ;;
  esac
}
_techne_serve() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'start:Serve skills and runs over HTTP'
    'token:Create, list and revoke the tokens of the API'
  )
  _arguments -C '--port=[The port to listen on (default 8486; 0\: any free port)]:PORT: ' \
    '--host=[The address to listen on (default 127.0.0.1)]:ADDRESS: ' \
    '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
    '--token-file=[Where tokens are kept (default ~/.techne/tokens.json)]:FILE:_files' \
    '*--allow-host=[Another host name of this server (repeatable)]:NAME: ' \
    '*--allow-origin=[Let web pages of this origin use the API, such as https\://tools.example (repeatable)]:ORIGIN: ' \
    '--public-url=[What browsers open where a proxy is in front, such as https\://runs.example.org]:URL: ' \
    '--concurrency=[Runs at once, 1 to 256 (default 8)]:N: ' \
    '--grace=[How long commands and asks under way may take to end when the server stops (default 30)]:SECONDS: ' \
    '--otel[Report spans of runs, and metrics, to OpenTelemetry (@opentelemetry/api must be installed)]' \
    '--workers[Leave runs to the workers of the store (techne worker) instead of driving them here]' \
    '--rate=[Requests of one token in a second (default 100)]:N: ' \
    '--studio[Also serve the pages of techne studio; people log in with a token]' \
    '--answer=[The answerer, as for techne run (default\: a model if there is one, else the caller)]:SPEC:(model caller person agent-cli script\: replay\:)' \
    '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      start)
        _arguments '--port=[The port to listen on (default 8486; 0\: any free port)]:PORT: ' \
          '--host=[The address to listen on (default 127.0.0.1)]:ADDRESS: ' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--token-file=[Where tokens are kept (default ~/.techne/tokens.json)]:FILE:_files' \
          '*--allow-host=[Another host name of this server (repeatable)]:NAME: ' \
          '*--allow-origin=[Let web pages of this origin use the API, such as https\://tools.example (repeatable)]:ORIGIN: ' \
          '--public-url=[What browsers open where a proxy is in front, such as https\://runs.example.org]:URL: ' \
          '--concurrency=[Runs at once, 1 to 256 (default 8)]:N: ' \
          '--grace=[How long commands and asks under way may take to end when the server stops (default 30)]:SECONDS: ' \
          '--otel[Report spans of runs, and metrics, to OpenTelemetry (@opentelemetry/api must be installed)]' \
          '--workers[Leave runs to the workers of the store (techne worker) instead of driving them here]' \
          '--rate=[Requests of one token in a second (default 100)]:N: ' \
          '--studio[Also serve the pages of techne studio; people log in with a token]' \
          '--answer=[The answerer, as for techne run (default\: a model if there is one, else the caller)]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      token)
        _arguments '--role=[What the token may do]:ROLE:(viewer runner reviewer operator)' \
          '--expires=[When it ends, such as 12h, 30d (default\: never)]:AGE: ' \
          '--token-file=[Where tokens are kept (default ~/.techne/tokens.json)]:FILE:_files' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:list (default), create or revoke:(list create revoke)' ;;
      esac ;;
  esac
}
_techne_worker() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'start:Drive queued runs'
    'list:Show the processes that use a store'
    'held:Show runs that workers do not try again'
    'release:Let workers try a held run again'
  )
  _arguments -C '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
    '*--queue=[A queue to take runs from (default\: default; repeatable)]:NAME: ' \
    '--concurrency=[Runs at a time of this worker (default 4)]:N: ' \
    '--grace=[How long commands and asks under way may take to end when the worker is stopped (default 20)]:SECONDS: ' \
    '--cache=[Where the skills and workspaces of runs are put (default ~/.cache/techne)]:DIR:_files' \
    '--answer=[The answerer\: model, model\:NAME, caller, person, agent-cli, script\:FILE or replay\:FILE (default\: the first available, see techne doctor)]:SPEC:(model caller person agent-cli script\: replay\:)' \
    '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      start)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '*--queue=[A queue to take runs from (default\: default; repeatable)]:NAME: ' \
          '--concurrency=[Runs at a time of this worker (default 4)]:N: ' \
          '--grace=[How long commands and asks under way may take to end when the worker is stopped (default 20)]:SECONDS: ' \
          '--cache=[Where the skills and workspaces of runs are put (default ~/.cache/techne)]:DIR:_files' \
          '--answer=[The answerer\: model, model\:NAME, caller, person, agent-cli, script\:FILE or replay\:FILE (default\: the first available, see techne doctor)]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      list)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      held)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      release)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A run\: its id, the beginning or end of the id, or "last" for the newest run of this workspace:_techne_run_ids' ;;
      esac ;;
  esac
}
_techne_schedule() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'list:Show schedules, when they are due, and the result of the last time'
    'add:Start a skill on a schedule'
    'show:Show a schedule and its next times'
    'pause:Stop a schedule until it is resumed'
    'resume:Let a paused schedule start its skill again'
    'remove:Remove a schedule'
    'run-now:Queue a run of a schedule now, in addition to its times'
  )
  _arguments -C '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
    '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      list)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      add)
        _arguments '--cron=[When, such as "0 3 * * *" or @daily]:EXPR: ' \
          '--timezone=[The time zone of the expression, by its IANA name (default UTC)]:TZ:(UTC Europe/Berlin America/New_York)' \
          '*--input=[A JSON object, @FILE or @- (standard input) with one, KEY=TEXT, KEY=@FILE (its text) or KEY\:=JSON (repeatable)]:INPUT: ' \
          '*-i[A JSON object, @FILE or @- (standard input) with one, KEY=TEXT, KEY=@FILE (its text) or KEY\:=JSON (repeatable)]:INPUT: ' \
          '--missed=[What happens to missed times (default latest)]:RULE:(catch-up latest skip)' \
          '--queue=[The queue of the runs (default\: default)]:NAME: ' \
          '--priority=[Smaller is earlier (default 0)]:N: ' \
          '--name=[The name of the schedule (default\: the name of the skill)]:NAME: ' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:The skill to start:_techne_executables' ;;
      show)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A schedule\: its name or its id: ' ;;
      pause)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A schedule\: its name or its id: ' ;;
      resume)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A schedule\: its name or its id: ' ;;
      remove)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A schedule\: its name or its id: ' ;;
      run-now)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--answer=[The answerer\: model, model\:NAME, caller, person, agent-cli, script\:FILE or replay\:FILE (default\: the first available, see techne doctor)]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A schedule\: its name or its id: ' ;;
      esac ;;
  esac
}
_techne_webhook() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'list:Show webhooks, and how many of their deliveries are pending or dead'
    'add:Send events of runs to a URL'
    'show:Show a webhook'
    'pause:Queue the deliveries of a webhook until it is resumed'
    'resume:Deliver again to a webhook that was paused or disabled'
    'remove:Remove a webhook and its deliveries'
    'rotate:Replace the secret of a webhook'
    'test:Send a test to a webhook, and show its response'
    'deliveries:Show the deliveries of a webhook, and which of them failed'
    'resend:Send dead deliveries again, or one of any state'
  )
  _arguments -C '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
    '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      list)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      add)
        _arguments '*--event=[Which events to send (repeatable)]:EVENT:(run.ended run.held question.opened)' \
          '*--status=[Only runs that ended with this status (repeatable; default all)]:STATUS:(completed failed cancelled partial)' \
          '*--audience=[Only questions for this audience (repeatable; default all)]:WHO:(caller person operator)' \
          '*--skill=[Only runs of this skill (repeatable; default all)]:NAME: ' \
          '*--include=[body\: also the text of the result or the question; callback\: a token to answer a form with (repeatable)]:PART:(body callback)' \
          '--server=[The address of techne serve, for links (default\: links are paths)]:URL: ' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:What the webhook is called: ' ;;
      show)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A webhook\: its name or its id: ' ;;
      pause)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A webhook\: its name or its id: ' ;;
      resume)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A webhook\: its name or its id: ' ;;
      remove)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A webhook\: its name or its id: ' ;;
      rotate)
        _arguments '--overlap=[How long the old secret is used, too, such as 2h (default 1d, at most 30d)]:TIME: ' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A webhook\: its name or its id: ' ;;
      test)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A webhook\: its name or its id: ' ;;
      deliveries)
        _arguments '--state=[Only these]:STATE:(pending delivered dead)' \
          '--limit=[How many (default 50)]:N: ' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A webhook\: its name or its id: ' ;;
      resend)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:A webhook\: its name or its id: ' ;;
      esac ;;
  esac
}
_techne_callback() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'list:Show callback tokens, of a run or of all'
    'create:Make a token that answers one form of a run'
    'revoke:Revoke a callback token'
  )
  _arguments -C '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
    '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      list)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A run\: its id, the end of it, or last:_techne_waiting_runs' ;;
      create)
        _arguments '--name=[The name of the token in the journal (default callback)]:NAME: ' \
          '--expires=[How long it works, such as 2h (default 7d, at most 30d)]:TIME: ' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:A run\: its id, the end of it, or last:_techne_waiting_runs' ;;
      revoke)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:Its id (techne callback list): ' ;;
      esac ;;
  esac
}
_techne_store() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'show:Show the versions, sizes and counts of a store'
    'migrate:Create the tables of a store, or migrate them'
    'tenant:Add, list and remove tenants, each with tables and a user of its own'
    'limit:Limit how many runs are driven at a time, and how many begin in a period'
    'trust:Show, grant and revoke what workers may execute'
    'files:Files for the workspaces of runs that workers drive'
  )
  _arguments -C '--store=[The store\: postgres\://ADMINISTRATOR@HOST\:PORT/DATABASE (default\: runs.store of the configuration)]:STORE:(files postgres\://)' \
    '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      show)
        _arguments '--store=[The store\: postgres\://ADMINISTRATOR@HOST\:PORT/DATABASE (default\: runs.store of the configuration)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      migrate)
        _arguments '--store=[The store\: postgres\://ADMINISTRATOR@HOST\:PORT/DATABASE (default\: runs.store of the configuration)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      tenant)
        _arguments '--store=[The store\: postgres\://ADMINISTRATOR@HOST\:PORT/DATABASE (default\: runs.store of the configuration)]:STORE:(files postgres\://)' \
          '--role=[The role of the tenant in the database (default techne_NAME)]:NAME: ' \
          '--password-file=[A file with the password of the role (default\: techne makes one and prints it)]:FILE:_files' \
          '--force[Remove the tenant also while it has runs]' \
          '--yes[Agree to --force without a question]' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:list (default), add or remove:(list add remove)' ;;
      limit)
        _arguments '--store=[The store\: postgres\://ADMINISTRATOR@HOST\:PORT/DATABASE (default\: runs.store of the configuration)]:STORE:(files postgres\://)' \
          '--queue=[Of the runs of this queue]:NAME: ' \
          '--skill=[Of the runs of this skill]:NAME: ' \
          '--tenant=[In the store of this tenant]:NAME: ' \
          '--concurrency=[Runs at a time on all workers; 0 stops them]:N: ' \
          '--rate=[The most runs that may begin in any period of SECONDS]:RUNS/SECONDS: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:list (default), set or remove:(list set remove)' ;;
      trust)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:list (default), grant or revoke:(list grant revoke)' ;;
      files)
        _arguments '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:list (default), push, get, remove or forget:(list push get remove forget)' ;;
      esac ;;
  esac
}
_techne_graph() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'stats:Count notes, types, edges and dangling links'
    'show:Show a note\: type, properties, links and backlinks'
    'neighbours:Show the notes around a note'
    'path:Find a shortest way between two notes'
    'orphans:List notes without any link from or to another note'
    'dangling:List links that lead to no note, heading or block'
    'query:Find notes by type, property, tag, edge and words'
    'suggest:Suggest links that a note could have, with reasons'
    'check:Compare notes with what skills declare, and report dangling links'
  )
  _arguments -C '--vault=[The folder of notes (default\: graph.vault of the configuration, else the workspace)]:DIR:_files -/' \
    '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      stats)
        _arguments '--vault=[The folder of notes (default\: graph.vault of the configuration, else the workspace)]:DIR:_files -/' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      show)
        _arguments '--vault=[The folder of notes (default\: graph.vault of the configuration, else the workspace)]:DIR:_files -/' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A note\: its path in the vault, its name or an alias: ' ;;
      neighbours)
        _arguments '--depth=[The number of steps, 1 to 10 (default 1)]:N: ' \
          '*--type=[Follow only edges of this type; "link" is a plain link (repeatable)]:EDGE: ' \
          '--direction=[Follow links from the note (out), to it (in) or both (default)]:WAY:(out in both)' \
          '--limit=[The maximum number of results, 1 to 10000 (default 100)]:N: ' \
          '--format=[text (default), json, mermaid, dot or svg]:FORMAT:(text json mermaid dot svg)' \
          '--vault=[The folder of notes (default\: graph.vault of the configuration, else the workspace)]:DIR:_files -/' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A note\: its path in the vault, its name or an alias: ' ;;
      path)
        _arguments '*--type=[Follow only edges of this type; "link" is a plain link (repeatable)]:EDGE: ' \
          '--format=[text (default), json, mermaid, dot or svg]:FORMAT:(text json mermaid dot svg)' \
          '--vault=[The folder of notes (default\: graph.vault of the configuration, else the workspace)]:DIR:_files -/' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:A note\: its path in the vault, its name or an alias: ' ;;
      orphans)
        _arguments '--limit=[The maximum number of results, 1 to 10000 (default 100)]:N: ' \
          '--vault=[The folder of notes (default\: graph.vault of the configuration, else the workspace)]:DIR:_files -/' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      dangling)
        _arguments '--limit=[The maximum number of results, 1 to 10000 (default 100)]:N: ' \
          '--vault=[The folder of notes (default\: graph.vault of the configuration, else the workspace)]:DIR:_files -/' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      query)
        _arguments '--type=[Notes of this type]:TYPE: ' \
          '--tag=[Notes with this tag, or one below it]:TAG: ' \
          '*--property=[Notes with this property, or this value of it (repeatable)]:NAME[=VALUE]: ' \
          '--edge=[Notes with an edge of this type; "link" is a plain link]:EDGE: ' \
          '--to=[Notes that link to this note]:NOTE: ' \
          '--from=[Notes that this note links to]:NOTE: ' \
          '--limit=[The maximum number of results, 1 to 10000 (default 100)]:N: ' \
          '--format=[text (default), json, mermaid, dot or svg]:FORMAT:(text json mermaid dot svg)' \
          '--vault=[The folder of notes (default\: graph.vault of the configuration, else the workspace)]:DIR:_files -/' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:Words that the note must contain: ' ;;
      suggest)
        _arguments '--limit=[Candidates for each edge, 1 to 50 (default 5)]:N: ' \
          '--vault=[The folder of notes (default\: graph.vault of the configuration, else the workspace)]:DIR:_files -/' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A note\: its path in the vault, its name or an alias: ' ;;
      check)
        _arguments '--strict[Exit with 1 if anything is reported]' \
          '--limit=[The maximum number of results, 1 to 10000 (default 100)]:N: ' \
          '--vault=[The folder of notes (default\: graph.vault of the configuration, else the workspace)]:DIR:_files -/' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      esac ;;
  esac
}
_techne_hub() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'list:List installed skills\: version, verdict, source, and what differs from the lock'
    'search:Search hubs for skills'
    'serve:Serve a hub on this machine'
    'keys:Make and trust the keys that sign hubs'
    'export:Write what is installed as a lock of "npx skills"'
  )
  _arguments -C '--to=[Only what is installed for the user, or for the workspace (default\: both)]:SCOPE:(user workspace)' \
    '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      list)
        _arguments '--to=[Only what is installed for the user, or for the workspace (default\: both)]:SCOPE:(user workspace)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      search)
        _arguments '*--hub=[Search this hub instead\: an address or a folder (repeatable)]:URL|SITE:_files -/' \
          '--limit=[At most N results, 1 to 1000 (default 20)]:N: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:What to look for: ' ;;
      serve)
        _arguments '--port=[The port to listen on (default 8485; 0\: any free port)]:PORT: ' \
          '--host=[The address to listen on (default 127.0.0.1)]:ADDRESS: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A folder that techne publish made:_files -/' ;;
      keys)
        _arguments '--as=[With trust\: what to call the owner of the key]:NAME: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:list (default), new, trust or forget:(list new trust forget)' ;;
      export)
        _arguments '--format=[skills-lock.json, version 1 (default), or .skill-lock.json, version 3]:FORMAT:(skills-lock skill-lock)' \
          '--out=[Write to this file (default\: standard output)]:FILE:_files' \
          '--to=[What is installed for the user or for the workspace]:SCOPE:(user workspace)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      esac ;;
  esac
}
_techne_mcp() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'serve:Serve skills and runs over MCP'
    'install:Add techne to the configuration of an MCP host'
    'uninstall:Take techne out of the configuration of an MCP host'
    'package:Make plugins of techne for Claude Code, Codex, Gemini CLI and other hosts'
  )
  _arguments -C '--http[Serve over HTTP on this port (default 8484; 0\: any free port)]' \
    '--host=[With --http\: the address to listen on (default 127.0.0.1)]:ADDRESS: ' \
    '*--allow-host=[With --http\: another host name of this server (repeatable)]:NAME: ' \
    '*--allow-origin=[With --http\: another allowed origin, such as https\://tools.example (repeatable)]:ORIGIN: ' \
    '--answer=[The answerer, as for techne run (default\: a model if the configuration names one, else the caller)]:SPEC:(model caller person agent-cli script\: replay\:)' \
    '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
    '--wait=[How long a tool call waits for its run before it returns "running" (default 50)]:SECONDS: ' \
    '--page=[How many characters of the questions of a run one result shows; run_status reads the rest (default 46000)]:CHARACTERS: ' \
    '--events=[Write the events of runs and loaded skills to FILE, one JSON object per line]:FILE:_files' \
    '--no-relay[Only people answer forms\: the calling agent cannot relay the answers of its user]' \
    '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      serve)
        _arguments '--http[Serve over HTTP on this port (default 8484; 0\: any free port)]' \
          '--host=[With --http\: the address to listen on (default 127.0.0.1)]:ADDRESS: ' \
          '*--allow-host=[With --http\: another host name of this server (repeatable)]:NAME: ' \
          '*--allow-origin=[With --http\: another allowed origin, such as https\://tools.example (repeatable)]:ORIGIN: ' \
          '--answer=[The answerer, as for techne run (default\: a model if the configuration names one, else the caller)]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--wait=[How long a tool call waits for its run before it returns "running" (default 50)]:SECONDS: ' \
          '--page=[How many characters of the questions of a run one result shows; run_status reads the rest (default 46000)]:CHARACTERS: ' \
          '--events=[Write the events of runs and loaded skills to FILE, one JSON object per line]:FILE:_files' \
          '--no-relay[Only people answer forms\: the calling agent cannot relay the answers of its user]' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      install)
        _arguments '--scope=[project\: the file of this project; user\: your own file (default\: depends on the host)]:SCOPE:(project user)' \
          '--name=[The name of the server in the file (default techne)]:NAME: ' \
          '--plugin[For claude-code, codex and gemini\: a plugin, through the program of the host]' \
          '--link[For vscode and cursor\: print links that add the server, one for the program and one for web pages]' \
          '--write[Write the change without asking]' \
          '--dry-run[Show the change, and neither ask nor write]' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:claude-code, claude-desktop, codex, cursor, vscode, gemini, windsurf, zed, opencode, copilot, cline, qwen:(claude-code claude-desktop codex cursor vscode gemini windsurf zed opencode copilot cline qwen)' ;;
      uninstall)
        _arguments '--scope=[project\: the file of this project; user\: your own file (default\: depends on the host)]:SCOPE:(project user)' \
          '--name=[The name of the server in the file (default techne)]:NAME: ' \
          '--plugin[For claude-code, codex and gemini\: a plugin, through the program of the host]' \
          '--write[Write the change without asking]' \
          '--dry-run[Show the change, and neither ask nor write]' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:claude-code, claude-desktop, codex, cursor, vscode, gemini, windsurf, zed, opencode, copilot, cline, qwen:(claude-code claude-desktop codex cursor vscode gemini windsurf zed opencode copilot cline qwen)' ;;
      package)
        _arguments '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:The folder to write:_files -/' ;;
      esac ;;
  esac
}
_techne_commands() {
  local -a commands
  commands=(
    'new:Create a skill from an example'
    'check:Check skills and report mistakes'
    'test:Run the tests of skills, offline'
    'plan:Show the steps of a composition, workflow or chain'
    'eval:Measure whether skills are found, chosen and useful'
    'ci:Check, scan, test and evaluate the skills that a change concerns'
    'learn:Propose skills for work that you repeat'
    'proposals:Review changes of skills that agents propose'
    'publish:Build a static hub of skills for any web host'
    'schema:Print the JSON Schema of the frontmatter of a SKILL.md'
    'star:Run a Starlark program, or open a Starlark prompt'
    'lsp:Check and complete skills in any editor (language server)'
    'list:List the skills that techne finds'
    'show:Show everything about one skill'
    'search:Find skills by words in their name or description'
    'match:Show which skills a message asks for, and why'
    'index:Show the list of skills that a model gets, and its size in tokens'
    'scan:Scan skills for harmful content'
    'skills:Show how skills are used, and which to merge or retire'
    'doctor:Check the environment, and explain why a skill cannot be used'
    'run:Run a skill'
    'answer:Answer a question that a run waits for'
    'runs:List, inspect, resume, replay, fork and remove runs'
    'chat:Talk with a model that has your skills and tools'
    'acp:Serve the chat to an editor over the Agent Client Protocol'
    'studio:Use skills and runs in a browser'
    'serve:Serve skills and runs over HTTP; make tokens for it'
    'worker:Drive the runs of a team, on any number of machines'
    'schedule:Start skills on a schedule, on the workers of a team'
    'webhook:Send events of runs to other programs'
    'callback:Let someone without a token of the server answer a form'
    'store:Administer the database of a team\: tables, tenants, limits, trust, files'
    'graph:Ask about notes and the links between them'
    'add:Install skills from a folder, a repository, an archive, a package or a web site'
    'outdated:List installed skills whose source has something newer'
    'update:Update installed skills from their sources'
    'restore:Restore installed skills to what the lock says'
    'adopt:Keep the changes of an installed skill, and record them in the lock'
    'pin:Keep "techne update" from changing a skill'
    'unpin:Let "techne update" change a skill again'
    'remove:Remove installed skills, their entries in the lock and their trust'
    'hub:List installed skills, search and serve hubs, manage signing keys'
    'mcp:Use skills from your agent\: configure hosts, serve MCP'
    'trust:Allow a skill, or all skills of a folder, to be executed'
    'untrust:Revoke trust'
    'config:Show the configuration and where each value comes from'
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
  _arguments -C '--json[Print one JSON value instead of text, also for errors and help]' \
    '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
    '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
    '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
    '--no-cache[Read every skill again instead of using the index cache]' \
    '--color[Use colours even if the output is not a terminal]' \
    '--no-color[Use no colours]' \
    '--quiet[Print no hints and no progress]' \
    '-q[Print no hints and no progress]' \
    '--help[Show the help of the command]' \
    '-h[Show the help of the command]' \
    '--version[Print the version]' \
    '-V[Print the version]' \
    '1:command:_techne_commands' '*::argument:->argument'
  case $state in
    argument)
      case $line[1] in
      new)
        _arguments '--form=[instructions, program, composition, workflow, chain (default instructions)]:FORM:(instructions program composition workflow chain)' \
          '--dir=[The parent folder (default\: .techne/skills in the workspace)]:DIR:_files -/' \
          '--description=[What the skill does and when to use it]:TEXT: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:Lower-case letters, digits and single hyphens: ' ;;
      check)
        _arguments '--strict[Apply the rules of the open standard]' \
          '--format=[The output\: text (default), json or sarif]:FORMAT:(text json sarif)' \
          '--max-warnings=[Exit with 1 if there are more than N warnings]:N: ' \
          '--fix[Fix what needs no decision\: values that need quotes, and templates that lack a filter or quotes]' \
          '--dry-run[With --fix\: print the changes as a diff and change nothing]' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:What to check:_files' ;;
      test)
        _arguments '--filter=[Only tests with this text in their name or file name]:TEXT: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:The name of a skill, its folder, or a folder of skills:_techne_skills_or_folders' ;;
      plan)
        _arguments '--format=[The output\: text (default), mermaid, svg or json]:FORMAT:(text mermaid svg json)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:The name of a skill, its folder or its SKILL.md:_techne_skills_or_folders' \
          '*:Inputs for a preview\: KEY=TEXT, KEY\:=JSON, a JSON object or @FILE:_techne_inputs' ;;
      eval)
        _techne_eval ;;
      ci)
        _arguments '--base=[Compare with this commit or branch]:REF: ' \
          '--every[Look at every skill, whatever changed]' \
          '*--only=[Only this\: check, scan, test or triggers (repeatable)]:KIND:(check scan test triggers)' \
          '--strict[Apply the rules of the open standard]' \
          '--fail-on=[Exit with 1 for a new finding of this level or worse (default\: error)]:LEVEL:(error warning info)' \
          '--baseline=[Findings in this file are known and do not fail]:FILE:_files' \
          '--write-baseline[Write all findings of all skills to the baseline, and exit with 0]' \
          '--prune-baseline[Remove what no longer occurs from the baseline]' \
          '--sarif=[Also write all findings as SARIF 2.1.0]:FILE:_files' \
          '--cache=[Where results are kept (default\: ~/.techne/cache/ci.txt)]:FILE:_files' \
          '--format=[The output\: text, github or json (default\: github in GitHub Actions, else text)]:FORMAT:(text github json)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:A folder of skills, or a skill (default\: the workspace):_files' ;;
      learn)
        _arguments '--from=[What to learn from\: the last days, such as 7d (default\: 30d), or one run or conversation by its id]:RUN|CHAT|DAYS:(7d 30d 90d)' \
          '--least=[Propose only what was done at least N times (default\: 3; 1 with a run or conversation)]:N: ' \
          '--limit=[Propose at most N skills (default\: 5)]:N: ' \
          '--everywhere[Learn from work in every workspace; the skills go to your own folder]' \
          '--dry-run[Only show what would be proposed; no model is asked]' \
          '--answer=[Who writes the drafts\: model, model\:NAME or script\:FILE (default\: a model, if configured)]:WHO:(model)' \
          '--no-model[Write scaffolds, and ask no model]' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      proposals)
        _techne_proposals ;;
      publish)
        _arguments '--out=[The folder of the hub; made if missing]:SITE:_files -/' \
          '--sign=[Sign the index with this key\: a name of techne hub keys, or a PEM file]:KEY:_files' \
          '--url=[Where the hub will be, for the commands on its pages (default\: as before)]:URL: ' \
          '--title=[The title of the hub (default\: as before, or "Skills")]:TEXT: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:A folder of a skill, or a folder with skills in it:_files -/' ;;
      schema)
        _arguments '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      star)
        _arguments '--code=[Run this text instead of a FILE]:CODE: ' \
          '-c[Run this text instead of a FILE]:CODE: ' \
          '--check[Run nothing; report errors in the program (with --allow-load also in the files it loads)]' \
          '--entry=[Call this function after the file has run, and print its result as JSON]:NAME: ' \
          '--input=[The argument for the function of --entry; @FILE reads a file, - reads standard input]:JSON: ' \
          '*--predeclare=[A name that the host provides to the program (repeatable)]:NAME: ' \
          '--steps=[The maximum number of steps, such as 500k or 20m (default 100m)]:N: ' \
          '--memory=[The maximum memory, such as 512k or 64m, or plain bytes (default 64m)]:SIZE: ' \
          '--output=[The maximum number of printed characters, such as 16m (default 1000000)]:SIZE: ' \
          '--allow-load[Let load() read .star files in the folder of FILE and below it]' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:The program; several with --check:_files' ;;
      lsp)
        _arguments '--stdio[Over standard input and output; the default, which many editors name]' \
          '--clientProcessId=[The process of the editor\: the server ends when it does]:PID: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      list)
        _arguments '--source=[Only skills of this source\: builtin, plugin, user or workspace]:SOURCE:(builtin plugin user workspace)' \
          '--strict[Exit with 1 if a skill file has an error]' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      show)
        _arguments '--body[Print only the body of its SKILL.md]' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:The name of a skill:_techne_skills' ;;
      search)
        _arguments '--limit=[The maximum number of results, 1 to 50 (default 10; all without a QUERY)]:N: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:Words to look for: ' ;;
      match)
        _arguments '--explain[Also show candidates below the threshold, why nothing matches, and what fits but is not offered]' \
          '--limit=[The maximum number of matches, 1 to 50 (default 5)]:N: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:What a person would type; "-" reads standard input: ' ;;
      index)
        _arguments '--budget=[The budget of the index (default\: index.budgetTokens)]:TOKENS: ' \
          '--characters=[The budget in characters; the smaller budget applies]:N: ' \
          '--message=[Also show what this message of a person adds]:TEXT: ' \
          '--eager[With --message\: include the bodies of the best matches]' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      scan)
        _techne_scan ;;
      skills)
        _techne_skills ;;
      doctor)
        _arguments '--servers[Start every configured MCP server and list its tools]' \
          '--strict[Exit with 1 also if a skill is not ready]' \
          '--store[Check a store in Postgres instead\: postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration)]' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:The name of a skill:_techne_skills' ;;
      run)
        _arguments '*--input=[A JSON object, @FILE or @- (standard input) with one, KEY=TEXT, KEY=@FILE (its text) or KEY\:=JSON (repeatable)]:INPUT: ' \
          '*-i[A JSON object, @FILE or @- (standard input) with one, KEY=TEXT, KEY=@FILE (its text) or KEY\:=JSON (repeatable)]:INPUT: ' \
          '--answer=[The answerer\: model, model\:NAME, caller, person, agent-cli, script\:FILE or replay\:FILE (default\: the first available, see techne doctor)]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--max-asks=[The maximum number of asks (default 5; for a plan as many as its steps need)]:N: ' \
          '--max-commands=[The maximum number of commands (default 10; for a plan as many as its steps need)]:N: ' \
          '--max-tokens=[The maximum number of model tokens, nested runs included (default 2000000)]:N: ' \
          '--max-cost=[The maximum cost of models, nested runs included, such as 0.50 (default 10)]:DOLLARS: ' \
          '--max-steps=[The maximum number of steps of a program, up to 1000000000 (default 100000000)]:N: ' \
          '--max-runs=[The maximum number of nested runs (default 1000)]:N: ' \
          '--timeout=[The maximum time without pauses (default 300; for a plan 1800)]:SECONDS: ' \
          '--require-status=[Exit with 1 if the program returns another status, such as accepted,ok; for CI]:LIST: ' \
          '--trust[If the skill is untrusted\: show it, ask whether to trust it, then run it]' \
          '--record=[Record the answers in FILE, for --answer replay\:FILE]:FILE:_files' \
          '--events=[Write every event to FILE, one JSON object per line]:FILE:_files' \
          '--raw[Print exactly the text that a calling model would get]' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--submit[Queue the run for the workers of --store, print its id, and do not wait for it]' \
          '--queue=[With --submit\: the queue (default\: default)]:NAME: ' \
          '--priority=[With --submit\: smaller is earlier (default 0)]:N: ' \
          '--key=[With --submit\: the same key and input give the same run]:KEY: ' \
          '--files=[With --submit\: what the workspace begins with\: a folder, an archive, a repository such as https\://host/repo.git#COMMIT, or @NAME of techne store files (default\: nothing)]:SOURCE:_files' \
          '--deadline=[With --submit\: cancel the run if it has not ended by then, also while it waits, such as 30m, 2h (default\: never)]:AGE: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:The name of an executable skill; without it, at a terminal, techne asks which:_techne_executables' \
          '*:KEY=TEXT or KEY\:=JSON, as for --input; or only a text, if the skill asks for one text:_techne_inputs' ;;
      answer)
        _arguments '--question=[The question\: the step that asks, its id, or the beginning or end of the id]:ID: ' \
          '*--set=[A field of a form (repeatable)]:FIELD=VALUE: ' \
          '--text=[The answer; - reads standard input. For a form\: "field\: value" lines, or free text if the form accepts it]:TEXT: ' \
          '--value=[A structured answer; @FILE reads a file, @- standard input]:JSON: ' \
          '--json[With a value\: --value and JSON output; alone\: JSON output]' \
          '--approve=[Whether a command may run\: once, always, deny or never]:HOW:(once always deny never)' \
          '--as=[Answer as the caller, a person or the operator]:WHO:(caller person operator)' \
          '--no-resume[Record the answer without resuming the run]' \
          '--answerer=[Change the answerer for the rest of the run]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A run\: its id, the beginning or end of the id, or "last" for the newest run of this workspace:_techne_waiting_runs' ;;
      runs)
        _techne_runs ;;
      chat)
        _arguments '--prompt=[Send this message, print the answer and exit; - reads standard input]:MESSAGE: ' \
          '-p[Send this message, print the answer and exit; - reads standard input]:MESSAGE: ' \
          '--resume[Resume a conversation (default\: the newest of this workspace)]' \
          '--list[List the conversations, newest first]' \
          '--answer=[The answerer\: model, model\:NAME or script\:FILE (default\: the first available model, see techne doctor)]:SPEC:(model script\:)' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--context=[Summarise the conversation beyond this size (default\: chat.contextTokens, 120000)]:TOKENS: ' \
          '--events=[Write the events of runs and loaded skills to FILE, one JSON object per line]:FILE:_files' \
          '--max-turns=[The maximum number of turns per message (default 60)]:N: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      acp)
        _arguments '--answer=[The answerer\: model, model\:NAME or script\:FILE (default\: the first available model, see techne doctor)]:SPEC:(model script\:)' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      studio)
        _arguments '--open[Open the link in the browser of this desktop]' \
          '--port=[The port to listen on (default 8487; 0\: any free port)]:PORT: ' \
          '--store=[Where runs are kept\: files, or postgres\://USER@HOST\:PORT/DATABASE (default\: runs.store of the configuration, else files)]:STORE:(files postgres\://)' \
          '--workers[Leave runs to the workers of the store instead of driving them here]' \
          '--concurrency=[Runs at once, 1 to 256 (default 8)]:N: ' \
          '--grace=[How long commands and asks under way may take to end when it stops (default 30)]:SECONDS: ' \
          '--answer=[The answerer, as for techne run (default\: a model if there is one, else the caller)]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' ;;
      serve)
        _techne_serve ;;
      worker)
        _techne_worker ;;
      schedule)
        _techne_schedule ;;
      webhook)
        _techne_webhook ;;
      callback)
        _techne_callback ;;
      store)
        _techne_store ;;
      graph)
        _techne_graph ;;
      add)
        _arguments '*--skill=[Only this skill of the source (repeatable; '\''*'\'' for all)]:NAME: ' \
          '--to=[Install for the user or for the workspace (default\: the workspace, where there is one)]:SCOPE:(user workspace)' \
          '--yes[Agree without being asked; without a terminal the source must be pinned]' \
          '-y[Agree without being asked; without a terminal the source must be pinned]' \
          '--allow-incomplete[Also agree to skills of which not everything could be scanned]' \
          '*--expect=[Install only a skill with this digest, which pins any source (repeatable)]:DIGEST: ' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:./folder, owner/repo\[/folder\]\[#ref\], https\://…, npm\:package, mcp\:server; see the guide "installing":_files' ;;
      outdated)
        _arguments '--to=[Only what is installed for the user, or for the workspace (default\: both)]:SCOPE:(user workspace)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:An installed skill:_techne_skills' ;;
      update)
        _arguments '--dry-run[Only show what would change]' \
          '--yes[Agree without being asked; without a terminal the source must be pinned]' \
          '-y[Agree without being asked; without a terminal the source must be pinned]' \
          '--allow-incomplete[Also agree to skills of which not everything could be scanned]' \
          '--to=[Only what is installed for the user, or for the workspace (default\: both)]:SCOPE:(user workspace)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:An installed skill:_techne_skills' ;;
      restore)
        _arguments '--frozen[Change nothing; fail on any difference]' \
          '--from=[Take a skills-lock.json or .skill-lock.json instead of our own lock]:FILE:_files' \
          '--yes[Agree without being asked; without a terminal the source must be pinned]' \
          '-y[Agree without being asked; without a terminal the source must be pinned]' \
          '--allow-incomplete[Also agree to skills of which not everything could be scanned]' \
          '--to=[Only what is installed for the user, or for the workspace (default\: both)]:SCOPE:(user workspace)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:An installed skill:_techne_skills' ;;
      adopt)
        _arguments '--yes[Agree without being asked; without a terminal the source must be pinned]' \
          '-y[Agree without being asked; without a terminal the source must be pinned]' \
          '--to=[Only what is installed for the user, or for the workspace (default\: both)]:SCOPE:(user workspace)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:An installed skill:_techne_skills' ;;
      pin)
        _arguments '--to=[Only what is installed for the user, or for the workspace (default\: both)]:SCOPE:(user workspace)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:An installed skill:_techne_skills' ;;
      unpin)
        _arguments '--to=[Only what is installed for the user, or for the workspace (default\: both)]:SCOPE:(user workspace)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:An installed skill:_techne_skills' ;;
      remove)
        _arguments '--force[Also remove skills that were changed by hand]' \
          '--to=[Only what is installed for the user, or for the workspace (default\: both)]:SCOPE:(user workspace)' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:An installed skill:_techne_skills' ;;
      hub)
        _techne_hub ;;
      mcp)
        _techne_mcp ;;
      trust)
        _arguments '--list[List trusted folders and skills]' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A folder, or the name of a skill:_techne_skills_or_folders' ;;
      untrust)
        _arguments '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:A folder, or the name of a skill:_techne_skills_or_folders' ;;
      config)
        _arguments '--schema[Print the JSON Schema of the configuration file]' \
          '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:One key, such as sandbox.mode, or a group of keys:_techne_keys' ;;
      completion)
        _arguments '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '1:bash, zsh or fish:(bash zsh fish)' ;;
      help)
        _arguments '--json[Print one JSON value instead of text, also for errors and help]' \
          '*--root=[Look for skills only in this folder (repeatable)]:DIR:_files -/' \
          '--workspace=[Use this workspace (default\: the one around the current folder)]:DIR:_files -/' \
          '--all[Also show skills that cannot be used, with the reasons\: skipped, shadowed or not ready]' \
          '--no-cache[Read every skill again instead of using the index cache]' \
          '--color[Use colours even if the output is not a terminal]' \
          '--no-color[Use no colours]' \
          '--quiet[Print no hints and no progress]' \
          '-q[Print no hints and no progress]' \
          '--help[Show the help of the command]' \
          '-h[Show the help of the command]' \
          '*:The command, such as check or runs list:(new check test plan eval ci learn proposals publish schema star lsp list show search match index scan skills doctor run answer runs chat acp studio serve worker schedule webhook callback store graph add outdated update restore adopt pin unpin remove hub mcp trust untrust config completion help)' ;;
      esac ;;
  esac
}
if [[ $funcstack[1] == _techne ]]; then _techne "$@"; else compdef _techne techne; fi
