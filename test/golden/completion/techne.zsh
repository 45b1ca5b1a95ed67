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
  _arguments -C '*--skill=[The cases of this skill, and those made from its triggers; may be repeated]:NAME: ' \
    '--threshold=[Exit with 1 if fewer cases are right\: 0.95 or 95%]:T: ' \
    '--frames=[The most made cases of each kind for a trigger, 0 to 1000; 0 takes only what is written (default all)]:N: ' \
    '--seed=[Which ones are chosen with --frames (default 1)]:N: ' \
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
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      triggers)
        _arguments '*--skill=[The cases of this skill, and those made from its triggers; may be repeated]:NAME: ' \
          '--threshold=[Exit with 1 if fewer cases are right\: 0.95 or 95%]:T: ' \
          '--frames=[The most made cases of each kind for a trigger, 0 to 1000; 0 takes only what is written (default all)]:N: ' \
          '--seed=[Which ones are chosen with --frames (default 1)]:N: ' \
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
          '*:A file of cases:_files' ;;
      activation)
        _arguments '*--skill=[The cases of this skill (evals/evals.json); may be repeated]:NAME: ' \
          '--distractors=[Offer the skills of the cases and N others, instead of the whole library]:N: ' \
          '--threshold=[Exit with 1 if fewer attempts are right\: 0.95 or 95%]:T: ' \
          '--frames=[Cases of each kind that are made from a trigger of --skill (default 1 without evals.json, else 0)]:N: ' \
          '--answer=[Who answers\: model, model\:NAME or script\:FILE (default\: the first model there is, see techne doctor)]:SPEC:(model script\:)' \
          '--model=[Short for --answer model\:NAME]:NAME: ' \
          '--runs=[How often each is tried (default 3)]:N: ' \
          '--seed=[What is drawn at random\: the same seed draws the same (default 1)]:N: ' \
          '--parallel=[How many are tried at a time, 1 to 64 (default 1)]:N: ' \
          '--max-turns=[The most turns of the model for one try (default 4)]:N: ' \
          '--max-calls=[Stop after so many turns of models in all (default 1000)]:N: ' \
          '--max-tokens=[Stop after so many tokens in all, in and out (default 5000000)]:N: ' \
          '--keep=[Keep what was said in this folder, one JSON file for each try]:DIR:_files -/' \
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
          '*:A file of cases:_files' ;;
      output)
        _arguments '*--skill=[The prompts of this skill; may be repeated]:NAME: ' \
          '--judge=[Who judges\: model\:NAME or script\:FILE (default\: the model that answers)]:SPEC:(model script\:)' \
          '--both-orders[Judge each pair in both orders; a verdict that changes with the order is a tie]' \
          '--threshold=[Exit with 1 if the skill wins fewer pairs, ties counted half\: 0.6 or 60%]:T: ' \
          '--answer=[Who answers\: model, model\:NAME or script\:FILE (default\: the first model there is, see techne doctor)]:SPEC:(model script\:)' \
          '--model=[Short for --answer model\:NAME]:NAME: ' \
          '--runs=[How often each is tried (default 3)]:N: ' \
          '--seed=[What is drawn at random\: the same seed draws the same (default 1)]:N: ' \
          '--parallel=[How many are tried at a time, 1 to 64 (default 1)]:N: ' \
          '--max-turns=[The most turns of the model for one try (default 20)]:N: ' \
          '--max-calls=[Stop after so many turns of models in all (default 1000)]:N: ' \
          '--max-tokens=[Stop after so many tokens in all, in and out (default 5000000)]:N: ' \
          '--keep=[Keep what was said in this folder, one JSON file for each try]:DIR:_files -/' \
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
          '*:A file with cases of kind rubric:_files' ;;
      esac ;;
  esac
}
_techne_runs() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'list:Show the runs there are, newest first'
    'show:Show everything that happened in a run'
    'tail:Follow a run until it ends or waits'
    'resume:Go on with a run that was paused or interrupted'
    'replay:Go through a run again without doing anything, and compare'
    'fork:Start a new run from what another one has done'
    'cancel:Cancel a run, also one that another process drives'
    'diff:Show where two runs differ'
    'prune:Remove old runs'
    'resolve:Say what became of a call whose outcome nobody knows'
  )
  _arguments -C '*--status=[Only runs of this status; may be repeated]:STATUS:(running paused needs_decision completed failed cancelled partial interrupted corrupt)' \
    '--skill=[Only runs of this skill]:NAME: ' \
    '--limit=[The most runs, 1 to 1000 (default 20)]:N: ' \
    '--cursor=[Go on after this run]:RUN: ' \
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
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      list)
        _arguments '*--status=[Only runs of this status; may be repeated]:STATUS:(running paused needs_decision completed failed cancelled partial interrupted corrupt)' \
          '--skill=[Only runs of this skill]:NAME: ' \
          '--limit=[The most runs, 1 to 1000 (default 20)]:N: ' \
          '--cursor=[Go on after this run]:RUN: ' \
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
        _arguments '--effects[Show requests and outcomes in full]' \
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
          '1:A run\: its id, the beginning or end of it, or "last" for the newest of all your workspaces:_techne_run_ids' ;;
      tail)
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
          '1:A run\: its id, the beginning or end of it, or "last" for the newest of all your workspaces:_techne_run_ids' ;;
      resume)
        _arguments '--answer=[Someone else than before\: model, caller, person, script\:FILE …]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--record=[Keep what is answered in FILE, for --answer replay\:FILE]:FILE:_files' \
          '--events=[Write every event to FILE as it happens, one JSON object a line]:FILE:_files' \
          '--raw[Print exactly the text that a calling model would get]' \
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
          '1:A run\: its id, the beginning or end of it, or "last" for the newest of all your workspaces:_techne_run_ids' ;;
      replay)
        _arguments '--from=[Perform this call and what follows anew, in a new run]:KEY: ' \
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
          '1:A run\: its id, the beginning or end of it, or "last" for the newest of all your workspaces:_techne_run_ids' ;;
      fork)
        _arguments '--from=[The first call that is performed anew; techne runs show has the keys]:KEY: ' \
          '*--input=[Keys of the input that are to be other than before; as of techne run]:INPUT: ' \
          '*-i[Keys of the input that are to be other than before; as of techne run]:INPUT: ' \
          '*--edit=[What a call is taken to have given; may be repeated]:KEY=VALUE: ' \
          '--program=[The edited program, in the place of the one that ran]:FILE:_files' \
          '--answer=[Someone else than before\: model, caller, person, script\:FILE …]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--max-asks=[The most nested asks]:N: ' \
          '--max-commands=[The most commands]:N: ' \
          '--max-tokens=[The most tokens of models, with everything nested]:N: ' \
          '--max-cost=[The most that models may cost, with everything nested\: 0.50]:DOLLARS: ' \
          '--max-runs=[The most runs begun inside it]:N: ' \
          '--timeout=[The most time, pauses not counted]:SECONDS: ' \
          '--record=[Keep what is answered in FILE, for --answer replay\:FILE]:FILE:_files' \
          '--events=[Write every event to FILE as it happens, one JSON object a line]:FILE:_files' \
          '--raw[Print exactly the text that a calling model would get]' \
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
          '1:A run\: its id, the beginning or end of it, or "last" for the newest of all your workspaces:_techne_run_ids' ;;
      cancel)
        _arguments '--reason=[Why, for the journal]:TEXT: ' \
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
          '1:A run\: its id, the beginning or end of it, or "last" for the newest of all your workspaces:_techne_run_ids' ;;
      diff)
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
          '*:A run\: its id, the beginning or end of it, or "last" for the newest of all your workspaces:_techne_run_ids' ;;
      prune)
        _arguments '--older-than=[Such as 30d, 12h or 45m (default 30d)]:AGE: ' \
          '--keep=[Keep the newest N of those, however old]:N: ' \
          '*--status=[Only runs of this status; may be repeated (default\: those that have ended)]:STATUS:(completed failed cancelled partial paused needs_decision interrupted corrupt)' \
          '--dry-run[Only say what would go]' \
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
      resolve)
        _arguments '--as=[done\: it happened; retry\: do it again; fail\: it did not and shall not]:DECISION:(done retry fail)' \
          '--value=[With --as done\: what it gave; for a command {"ok", "exit_code", "result", …} or its output as text]:JSON: ' \
          '--no-resume[Only write the decision down]' \
          '--answer=[Who answers\: model, model\:NAME, caller, person, agent-cli, script\:FILE or replay\:FILE (default\: the first that is there, see techne doctor)]:SPEC:(model caller person agent-cli script\: replay\:)' \
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
          '*:A run\: its id, the beginning or end of it, or "last" for the newest of all your workspaces:_techne_run_ids' ;;
      esac ;;
  esac
}
_techne_mcp() {
  local context state state_descr line
  local -a members
  typeset -A opt_args
  members=(
    'serve:Serve skills and runs to an MCP host'
    'install:Put techne into the configuration of an MCP host'
  )
  _arguments -C '--http[Serve over HTTP on this port (default 8484; 0 is any that is free)]' \
    '--host=[With --http\: the address to listen on (default 127.0.0.1)]:ADDRESS: ' \
    '*--allow-host=[With --http\: a further name that clients call the server by; may be repeated]:NAME: ' \
    '*--allow-origin=[With --http\: a further origin of web pages, such as https\://tools.example; may be repeated]:ORIGIN: ' \
    '--answer=[Who answers the asks of runs, as for techne run (default\: a model if there is one, else the caller)]:SPEC:(model caller person agent-cli script\: replay\:)' \
    '--wait=[How long a call waits for its run before it says "running" (default 50)]:SECONDS: ' \
    '--events=[Write every event of runs, and every skill that is loaded, to FILE as it happens, one JSON object a line]:FILE:_files' \
    '--no-relay[Forms are answered by people alone\: the calling agent may not pass on what its user says]' \
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
    '1: :->member' '*::argument:->argument'
  case $state in
    member) _describe command members ;;
    argument)
      case $line[1] in
      serve)
        _arguments '--http[Serve over HTTP on this port (default 8484; 0 is any that is free)]' \
          '--host=[With --http\: the address to listen on (default 127.0.0.1)]:ADDRESS: ' \
          '*--allow-host=[With --http\: a further name that clients call the server by; may be repeated]:NAME: ' \
          '*--allow-origin=[With --http\: a further origin of web pages, such as https\://tools.example; may be repeated]:ORIGIN: ' \
          '--answer=[Who answers the asks of runs, as for techne run (default\: a model if there is one, else the caller)]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--wait=[How long a call waits for its run before it says "running" (default 50)]:SECONDS: ' \
          '--events=[Write every event of runs, and every skill that is loaded, to FILE as it happens, one JSON object a line]:FILE:_files' \
          '--no-relay[Forms are answered by people alone\: the calling agent may not pass on what its user says]' \
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
      install)
        _arguments '--scope=[project\: the file of this project; user\: yours (default\: as is usual for the host)]:SCOPE:(project user)' \
          '--name=[What the server is called there (default techne)]:NAME: ' \
          '--write[Write it without asking, after it was shown]' \
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
          '1:claude-code, claude-desktop, codex, cursor, vscode, gemini, windsurf, zed, opencode:(claude-code claude-desktop codex cursor vscode gemini windsurf zed opencode)' ;;
      esac ;;
  esac
}
_techne_commands() {
  local -a commands
  commands=(
    'list:Show the skills that were found'
    'show:Show everything known about a skill'
    'search:Find skills by words in their name or description'
    'match:Show which skills a message asks for, and why'
    'eval:Measure how well skills are found, chosen and of use'
    'index:Show what a model sees of the skills, and what it costs'
    'chat:Talk with a model that has your skills and tools'
    'check:Check skills and say what is wrong with them'
    'plan:Show what a composition, workflow or chain will do'
    'doctor:Explain the environment and why a skill can or cannot be used'
    'config:Show the configuration and where each value comes from'
    'new:Start a skill from a good example of its form'
    'schema:Print the JSON Schema of the frontmatter of a SKILL.md'
    'star:Run a Starlark program, or type one at a prompt'
    'run:Run a skill'
    'answer:Answer a question that a run waits for'
    'runs:Look at runs, go on with them, and clear them away'
    'test:Run the tests of skills, offline'
    'mcp:Serve skills and runs to an MCP host, and set hosts up'
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
      match)
        _arguments '--explain[Show also what ranks below the line, and why]' \
          '--limit=[The most matches, 1 to 50 (default 5)]:N: ' \
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
          '*:What a person would type; "-" reads standard input: ' ;;
      eval)
        _techne_eval ;;
      index)
        _arguments '--budget=[What the index may cost (default\: index.budgetTokens)]:TOKENS: ' \
          '--characters=[The same in characters; the smaller one counts]:N: ' \
          '--message=[Also show what this message of a person adds]:TEXT: ' \
          '--eager[With --message\: with the bodies of the best matches]' \
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
      chat)
        _arguments '--prompt=[Send this one message, print the answer and end; - is standard input]:MESSAGE: ' \
          '-p[Send this one message, print the answer and end; - is standard input]:MESSAGE: ' \
          '--resume[Go on with a conversation (default\: the newest of this workspace)]' \
          '--list[Show the conversations there are, newest first]' \
          '--answer=[Who answers\: model, model\:NAME or script\:FILE (default\: the first model there is, see techne doctor)]:SPEC:(model script\:)' \
          '--context=[How much of the conversation the model is told before it is summarised (default\: chat.contextTokens of the configuration, 120000)]:TOKENS: ' \
          '--events=[Write every event of runs, and every skill that is loaded, to FILE as it happens, one JSON object a line]:FILE:_files' \
          '--max-turns=[The most turns of the model for one message (default 60)]:N: ' \
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
      check)
        _arguments '--strict[Hold skills to the rules of the open standard]' \
          '--format=[How to print\: text (default), json or sarif]:FORMAT:(text json sarif)' \
          '--max-warnings=[Exit with 1 if there are more warnings than this]:N: ' \
          '--fix[Put right what can be put right without a decision\: filters that a template lacks, quotes around one]' \
          '--dry-run[With --fix\: change nothing, and print what would be changed as a diff]' \
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
      plan)
        _arguments '--format=[How to print\: text (default), mermaid, svg or json]:FORMAT:(text mermaid svg json)' \
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
          '1:The name of a skill, its folder or its SKILL.md:_techne_skills_or_folders' ;;
      doctor)
        _arguments '--servers[Start every MCP server that is configured, and say what it has]' \
          '--strict[Exit with 1 also if a skill is not ready]' \
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
      run)
        _arguments '*--input=[A JSON object, @FILE or @- (standard input) with one, KEY=TEXT, KEY=@FILE (its text) or KEY\:=JSON; may be repeated]:INPUT: ' \
          '*-i[A JSON object, @FILE or @- (standard input) with one, KEY=TEXT, KEY=@FILE (its text) or KEY\:=JSON; may be repeated]:INPUT: ' \
          '--answer=[Who answers\: model, model\:NAME, caller, person, agent-cli, script\:FILE or replay\:FILE (default\: the first that is there, see techne doctor)]:SPEC:(model caller person agent-cli script\: replay\:)' \
          '--max-asks=[The most nested asks (default 5; a plan\: as many as its steps ask)]:N: ' \
          '--max-commands=[The most commands (default 10; a plan\: as many as its steps make)]:N: ' \
          '--max-tokens=[The most tokens of models, with everything nested (default 2000000)]:N: ' \
          '--max-cost=[The most that models may cost, with everything nested\: 0.50 (default 10)]:DOLLARS: ' \
          '--max-runs=[The most runs begun inside it (default 1000)]:N: ' \
          '--timeout=[The most time, pauses not counted (default 300; a plan\: 1800)]:SECONDS: ' \
          '--require-status=[Exit with 1 when the program returns another status than these, such as accepted,ok; for CI]:LIST: ' \
          '--trust[Show what would be trusted, ask a person, and run it then]' \
          '--record=[Keep what is answered in FILE, for --answer replay\:FILE]:FILE:_files' \
          '--events=[Write every event to FILE as it happens, one JSON object a line]:FILE:_files' \
          '--raw[Print exactly the text that a calling model would get]' \
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
          '1:The name of a skill that can be executed:_techne_executables' \
          '*:KEY=TEXT and KEY\:=JSON, as of --input:_techne_inputs' ;;
      answer)
        _arguments '--question=[The question\: the step that asks, its id, or the beginning or end of that]:ID: ' \
          '*--set=[A field of a form; may be repeated]:FIELD=VALUE: ' \
          '--text=[The answer; - is what standard input holds. For a form\: "field\: value" lines, or your own words where it takes them]:TEXT: ' \
          '--value=[A structured answer; @FILE and @- are read]:JSON: ' \
          '--json[The same as --value, with the result as JSON; alone it is the usual --json]' \
          '--approve=[Whether a command may run\: once, always, deny or never]:HOW:(once always deny never)' \
          '--as=[On whose behalf\: caller, person or operator]:WHO:(caller person operator)' \
          '--no-resume[Only write the answer down]' \
          '--answerer=[Who answers what comes next, when it is someone else than before]:SPEC:(model caller person agent-cli script\: replay\:)' \
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
          '1:A run\: its id, the beginning or end of it, or "last" for the newest of all your workspaces:_techne_waiting_runs' ;;
      runs)
        _techne_runs ;;
      test)
        _arguments '--filter=[Only tests with this in their name or file name]:TEXT: ' \
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
          '*:The name of a skill, its folder, or a folder of skills:_techne_skills_or_folders' ;;
      mcp)
        _techne_mcp ;;
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
          '*:The command, such as check or runs list:(list show search match eval index chat check plan doctor config new schema star run answer runs test mcp trust untrust completion help)' ;;
      esac ;;
  esac
}
if [[ $funcstack[1] == _techne ]]; then _techne "$@"; else compdef _techne techne; fi
