// Every code that a diagnostic can carry, with its severity and its meaning in one line.
//
// A code is never reused for another meaning, and `docs/errors.md` has a row for each (tested). `error`: the file is
// not usable as it is, or breaks the strict rules when they were asked for. `warning`: it loads, but something was
// repaired, ignored or is likely wrong. `info`: a fact worth knowing, such as an override.

/** `error`: unusable as it stands. `warning`: it loads, but something was repaired or is likely wrong. `info`: worth knowing. */
export type Severity = 'error' | 'warning' | 'info';

interface CodeEntry {
  readonly severity: Severity;
  readonly meaning: string;
}

export const diagnosticCodes = {
  // Reading a file
  FILE_UNREADABLE: { severity: 'error', meaning: 'the file or folder cannot be read' },
  FILE_NOT_A_FILE: { severity: 'error', meaning: 'SKILL.md is a folder or a special file' },
  FILE_NAME_CASE: {
    severity: 'warning',
    meaning: 'skill.md is written in another case than SKILL.md; it is read all the same',
  },
  FILE_TOO_LARGE: { severity: 'error', meaning: 'SKILL.md is over the hard size limit and is not loaded' },
  FILE_LARGE: { severity: 'warning', meaning: 'SKILL.md is over the recommended size limit' },
  FILE_EMPTY: { severity: 'error', meaning: 'SKILL.md has no content' },
  FILE_BINARY: { severity: 'error', meaning: 'SKILL.md holds many control characters: it is not a text' },
  ENCODING_INVALID: {
    severity: 'warning',
    meaning: 'the file is not valid UTF-8; bad bytes were replaced, or it was decoded as UTF-16',
  },
  ENCODING_BOM: { severity: 'info', meaning: 'the file starts with a byte order mark' },
  ENCODING_NUL: { severity: 'warning', meaning: 'the file holds a NUL character' },
  ENCODING_SURROGATE: { severity: 'warning', meaning: 'a string holds half of a surrogate pair' },
  LINE_ENDINGS_CRLF: { severity: 'info', meaning: 'lines end in CRLF' },
  LINE_ENDINGS_CR: { severity: 'warning', meaning: 'lines end in CR alone' },
  // Finding skills
  LOCK_UNUSABLE: {
    severity: 'error',
    meaning: 'a lock of installed skills cannot be used, so nothing it covers is loaded',
  },
  LINK_LEAVES_ROOTS: {
    severity: 'warning',
    meaning:
      'a link leads out of every configured root, or a root out of its workspace, and was not followed',
  },
  SKILL_LINKED: {
    severity: 'info',
    meaning: 'a link leads into another root; what is there is loaded once, as part of that root',
  },
  SKILL_NESTED: { severity: 'warning', meaning: 'a skill inside the folder of another skill was left out' },
  LINK_BROKEN: { severity: 'warning', meaning: 'a link leads nowhere' },
  LINK_AS_TEXT: {
    severity: 'warning',
    meaning: 'SKILL.md holds nothing but a path: a link that was checked out as text; it is not loaded',
  },
  FOLDER_TOO_DEEP: { severity: 'warning', meaning: 'folders below the depth limit were not searched' },
  FOLDER_SKIPPED: { severity: 'info', meaning: 'a folder holds no SKILL.md or is a dot folder' },
  SKILLS_NONE: { severity: 'warning', meaning: 'a folder to be checked contains no skill' },
  ROOT_INVALID: { severity: 'warning', meaning: 'a configured root is not a folder' },
  SKILL_SHADOWED: { severity: 'info', meaning: 'a skill of the same name with higher precedence was chosen' },
  SKILL_WINNER_UNUSABLE: {
    severity: 'warning',
    meaning: 'a skill with higher precedence is unusable, so another one was chosen',
  },
  SKILL_REFUSED: {
    severity: 'warning',
    meaning: 'the standard rejects the skill, and loading is strict, so it is not loaded',
  },
  SKILL_STALE_KEPT: {
    severity: 'warning',
    meaning: 'a changed file no longer parses; the last good version stays in use',
  },
  // Frontmatter as text
  FRONTMATTER_MISSING: { severity: 'warning', meaning: 'the file does not start with a "---" line' },
  FRONTMATTER_UNCLOSED: { severity: 'warning', meaning: 'the opening "---" is never closed' },
  FRONTMATTER_FENCE: {
    severity: 'warning',
    meaning: 'a fence is not written "---" in the first column; it was accepted',
  },
  FRONTMATTER_TOO_LARGE: { severity: 'error', meaning: 'the frontmatter is over the size limit' },
  FRONTMATTER_EMPTY: { severity: 'warning', meaning: 'the frontmatter is empty' },
  FRONTMATTER_NOT_A_MAP: { severity: 'warning', meaning: 'the frontmatter is not a mapping' },
  // Frontmatter as YAML
  YAML_SYNTAX: {
    severity: 'warning',
    meaning: 'the frontmatter is not valid YAML; what could be read line by line was kept',
  },
  YAML_REPAIRED: {
    severity: 'warning',
    meaning: 'an unquoted value was read as text, although YAML needs quotes there',
  },
  YAML_DUPLICATE_KEY: { severity: 'warning', meaning: 'a key is given twice; the first one counts' },
  YAML_ALIAS: {
    severity: 'warning',
    meaning: 'anchors and aliases are not supported; the value was dropped',
  },
  YAML_TAG: { severity: 'warning', meaning: 'YAML tags are ignored' },
  YAML_TOO_DEEP: {
    severity: 'warning',
    meaning: 'the frontmatter is nested too deeply; the value was dropped',
  },
  YAML_TOO_MANY_NODES: { severity: 'warning', meaning: 'the frontmatter has too many values' },
  YAML_FORBIDDEN_KEY: { severity: 'warning', meaning: 'a key such as __proto__ was dropped' },
  YAML_KEY_NOT_TEXT: { severity: 'warning', meaning: 'a mapping key is not a plain scalar' },
  YAML_TABS: { severity: 'warning', meaning: 'a tab is used for indentation' },
  YAML_FLOW_STYLE: {
    severity: 'error',
    meaning: 'strict: inline {…} or […] is refused by the reference validator',
  },
  // Identity
  NAME_MISSING: { severity: 'warning', meaning: 'no name is given; the folder name is used' },
  NAME_INVALID: { severity: 'warning', meaning: 'the name breaks the naming rules; the folder name is used' },
  NAME_TOO_LONG: { severity: 'warning', meaning: 'the name is over 64 characters; the folder name is used' },
  NAME_NOT_FOLDER: {
    severity: 'warning',
    meaning: 'the name differs from the folder name; the folder name is used',
  },
  NAME_LOOKALIKE: {
    severity: 'warning',
    meaning: 'the name looks like that of another skill, but is written with other characters',
  },
  NAME_UNSAFE: { severity: 'error', meaning: 'the folder name holds control or invisible characters' },
  DESCRIPTION_MISSING: {
    severity: 'warning',
    meaning: 'no description is given; the first paragraph of the body is used',
  },
  DESCRIPTION_NONE: {
    severity: 'error',
    meaning: 'there is neither a description nor a paragraph to take one from',
  },
  DESCRIPTION_TOO_LONG: { severity: 'warning', meaning: 'the description is over 1024 characters' },
  // Fields
  FIELD_TYPE: { severity: 'warning', meaning: 'a field has a value of the wrong type and is ignored' },
  FIELD_VALUE: {
    severity: 'warning',
    meaning: 'a field has a value outside its allowed set or range and is ignored',
  },
  FIELD_UNKNOWN: { severity: 'info', meaning: 'a field is not known to techne; it is kept as it is' },
  FIELD_MISSPELT: { severity: 'warning', meaning: 'a field looks like a misspelling of a known one' },
  TOOL_MISSPELT: {
    severity: 'warning',
    meaning: 'a name in a list of tools looks like a misspelling of a known tool, and has no effect',
  },
  FIELD_TOO_LONG: { severity: 'warning', meaning: 'a field is over its length limit' },
  FIELD_COERCED: { severity: 'info', meaning: 'a scalar was turned into text' },
  FIELD_CONFLICT: { severity: 'warning', meaning: 'two fields contradict each other' },
  METADATA_NESTED: {
    severity: 'info',
    meaning: 'a value of metadata is a list or mapping, which the standard does not know; it is ignored',
  },
  REQUIREMENT_UNCLEAR: {
    severity: 'warning',
    meaning:
      'a requirement is prose that techne does not understand; it is not checked, and the skill stays visible',
  },
  REQUIREMENT_VERSION: {
    severity: 'info',
    meaning: 'a requirement names a version, which is not checked; only the program is looked for',
  },
  // Form
  FORM_AMBIGUOUS: { severity: 'warning', meaning: 'the skill has the structure of more than one form' },
  FORM_INCOMPLETE: {
    severity: 'warning',
    meaning: 'the structure that the form needs is missing or empty; the skill cannot be executed',
  },
  LANGUAGE_UNSUPPORTED: {
    severity: 'warning',
    meaning: 'the program language is not supported; the skill cannot be executed',
  },
  PROGRAM_MISSING: {
    severity: 'warning',
    meaning: 'the program file does not exist; the skill cannot be executed',
  },
  PROGRAM_PATH: {
    severity: 'warning',
    meaning: 'the program path is absolute or leaves the skill folder; the skill cannot be executed',
  },
  PROGRAM_TOO_LARGE: {
    severity: 'warning',
    meaning: 'the program is over 64 KiB; the skill cannot be executed',
  },
  PROGRAM_FRONTMATTER: {
    severity: 'warning',
    meaning: 'the program file has frontmatter of its own; the skill cannot be executed',
  },
  PROGRAM_RUN_MISSING: {
    severity: 'error',
    meaning: 'the program defines no function run that takes one argument',
  },
  PROGRAM_HOST_CALL: {
    severity: 'error',
    meaning: 'the program calls a host function outside any function, where none can be called',
  },
  PROGRAM_OPTION: {
    severity: 'error',
    meaning: 'the program gives a host function an option that it does not have',
  },
  PROGRAM_SCOPE: {
    severity: 'error',
    meaning: 'the program runs commands, which allowed-tools, tools or disallowed-tools deny',
  },
  ENTRYPOINT_SCOPE: {
    severity: 'error',
    meaning:
      'the entry point is a command, or writes a file, which allowed-tools, tools or disallowed-tools deny',
  },
  // Strict validation (agentskills)
  STRICT_FIELD: { severity: 'error', meaning: 'strict: a field outside the standard' },
  STRICT_NAME: { severity: 'error', meaning: 'strict: the name is missing or breaks the naming rules' },
  STRICT_DESCRIPTION: {
    severity: 'error',
    meaning: 'strict: the description is missing, blank or over 1024 characters',
  },
  STRICT_COMPATIBILITY: {
    severity: 'error',
    meaning: 'strict: compatibility is not text of at most 500 characters',
  },
  STRICT_METADATA: { severity: 'error', meaning: 'strict: metadata is not a map of text to text' },
  STRICT_TYPE: { severity: 'error', meaning: 'strict: a standard field has the wrong type' },
  STRICT_FRONTMATTER: {
    severity: 'error',
    meaning: 'strict: the frontmatter is missing, unclosed or not valid YAML',
  },
  STRICT_FILE: { severity: 'error', meaning: 'strict: the file name, size or encoding breaks the rules' },
  STRICT_INPUTS: {
    severity: 'error',
    meaning: 'strict: an input of an executable skill has an invalid declaration',
  },
  STRICT_FORM: { severity: 'error', meaning: 'strict: the skill declares a form that cannot be executed' },
  // Lint
  BODY_LONG: { severity: 'warning', meaning: 'the body is over 5,000 estimated tokens' },
  BODY_EMPTY: { severity: 'warning', meaning: 'the body is empty' },
  LINT_TRIGGER_COUNT: { severity: 'warning', meaning: 'two to five triggers are recommended' },
  LINT_TRIGGER_WORDING: { severity: 'warning', meaning: 'a trigger is not a phrase people would type' },
  LINT_ALWAYS: { severity: 'warning', meaning: 'always: true puts the whole body into every prompt' },
  LINT_DESCRIPTION_WHEN: {
    severity: 'warning',
    meaning: 'the description does not say when to use the skill',
  },
  LINT_REFERENCE_MISSING: { severity: 'warning', meaning: 'a referenced file does not exist' },
  LINT_REFERENCE_DEEP: { severity: 'warning', meaning: 'a reference is more than one level deep' },
  LINT_REFERENCE_ESCAPES: { severity: 'warning', meaning: 'a reference leads out of the skill folder' },
  LINT_EVALS: {
    severity: 'warning',
    meaning: 'evals/evals.json cannot be read, or lacks a kind of test prompt',
  },
  LINT_REFERENCES_MORE: {
    severity: 'info',
    meaning: 'more faults of references exist; only the first are listed',
  },
  LINT_TEST_PROMPTS: { severity: 'info', meaning: 'the skill has no test prompts' },
  // Configuration
  CONFIG_SYNTAX: { severity: 'error', meaning: 'the configuration file is not valid JSON' },
  CONFIG_UNKNOWN_KEY: { severity: 'error', meaning: 'a configuration key is not known' },
  CONFIG_TYPE: { severity: 'error', meaning: 'a configuration value has the wrong type' },
  CONFIG_VALUE: { severity: 'error', meaning: 'a configuration value is outside its allowed set or range' },
  CONFIG_TWO_FILES: {
    severity: 'warning',
    meaning: 'two workspace configuration files exist; techne.json counts',
  },
  CONFIG_LINK: {
    severity: 'error',
    meaning: 'the configuration file of a workspace leads out of it, so it is not read',
  },
  CONFIG_WRITABLE: {
    severity: 'warning',
    meaning: "other users can write or replace the user's configuration, so it grants nothing",
  },
  CONFIG_NARROWED: {
    severity: 'warning',
    meaning: 'a file without authority tried to widen a security-relevant key, or took a model away',
  },
  // Scripted answers and tests of skills
  SCRIPT_SYNTAX: {
    severity: 'error',
    meaning: 'a file of scripted answers or of a test is not valid YAML, or is ambiguous',
  },
  SCRIPT_UNKNOWN_KEY: { severity: 'error', meaning: 'a key of a script or test is not known' },
  SCRIPT_VALUE: {
    severity: 'error',
    meaning: 'a value of a script or test has the wrong type or is not allowed',
  },
  // Plans: compositions, workflows and chains
  PLAN_TYPE: {
    severity: 'error',
    meaning: 'a value of a step or form has the wrong type; the skill cannot be executed',
  },
  PLAN_VALUE: {
    severity: 'error',
    meaning: 'a value of a step or form is outside its allowed set or range; the skill cannot be executed',
  },
  PLAN_FIELD_MISSING: {
    severity: 'error',
    meaning: 'a step or form lacks something it needs; the skill cannot be executed',
  },
  PLAN_FIELD_MISPLACED: {
    severity: 'error',
    meaning: 'a key belongs to another kind of step or field; the skill cannot be executed',
  },
  PLAN_KEY_MISSPELT: {
    severity: 'error',
    meaning: 'a key of a step looks like a misspelling of a known one; the skill cannot be executed',
  },
  PLAN_KEY_UNKNOWN: { severity: 'warning', meaning: 'a key of a step is not known and has no effect' },
  PLAN_KEY_INERT: { severity: 'info', meaning: 'a key of a step that other hosts write has no effect' },
  PLAN_UNQUOTED: {
    severity: 'warning',
    meaning: 'a template without quotes, which is a mapping to YAML, was read as text',
  },
  PLAN_ALIAS: { severity: 'info', meaning: 'a key or value of another dialect was read as ours' },
  PLAN_STEP_DUPLICATE: {
    severity: 'error',
    meaning: 'two steps have the same id; the skill cannot be executed',
  },
  PLAN_STEP_UNKNOWN: {
    severity: 'error',
    meaning: 'a step is named that does not exist; the skill cannot be executed',
  },
  PLAN_CYCLE: { severity: 'error', meaning: 'steps wait for each other; the skill cannot be executed' },
  PLAN_STEP_FAILS: {
    severity: 'error',
    meaning: 'a step is certain to fail, and nothing provides for that; a run is refused',
  },
  PLAN_STEP_MAY_FAIL: {
    severity: 'warning',
    meaning: 'a step fails whenever it runs, or unless something else fails before',
  },
  PLAN_SCOPE: {
    severity: 'error',
    meaning:
      'a step uses a tool outside of allowed-tools, tools or disallowed-tools; the skill cannot be executed',
  },
  PLAN_SUBSTITUTE: {
    severity: 'error',
    meaning: 'on_failure breaks the rules of substitutes; the skill cannot be executed',
  },
  PLAN_REFERENCE: {
    severity: 'error',
    meaning:
      'a template or expression reads something that does not exist, or comes later; the skill cannot be executed',
  },
  PLAN_REFERENCE_ORDER: {
    severity: 'warning',
    meaning: 'a step reads another one without a dependency; it waits for it anyway',
  },
  PLAN_REFERENCE_DOUBTFUL: {
    severity: 'warning',
    meaning: 'a template or expression reads something that is not declared',
  },
  PLAN_REFERENCE_OPTIONAL: {
    severity: 'warning',
    meaning:
      'a template or expression reads what may not be there: an optional input or field without a default, or a form that may be skipped',
  },
  PLAN_UNREACHABLE: { severity: 'warning', meaning: 'a step or a part of one can never have an effect' },
  PLAN_FILTER_UNKNOWN: {
    severity: 'warning',
    meaning: 'a filter or test is not known; the step fails when it gets there',
  },
  PLAN_SKILL_MISSING: { severity: 'warning', meaning: 'a step runs a skill that was not found' },
  PLAN_TOOL_MISSING: { severity: 'warning', meaning: 'a step calls a tool that is not there' },
  PLAN_INPUT_UNKNOWN: {
    severity: 'warning',
    meaning: 'a step gives a skill or tool something that it does not take',
  },
  PLAN_INPUT_MISSING: {
    severity: 'warning',
    meaning: 'a step does not give a skill, tool or model something that it needs',
  },
  PLAN_STEP_NAME: {
    severity: 'info',
    meaning: 'the id of a step is not a name, so templates must write it in brackets and quotes',
  },
  PLAN_LIMIT: { severity: 'info', meaning: 'a step asks for more than a run allows' },
  PLAN_ENTRYPOINT_MISSING: {
    severity: 'warning',
    meaning: 'a step executes a skill that has no entry point',
  },
  PLAN_NESTED: {
    severity: 'error',
    meaning: 'a composition contains a composition, or a chain itself; the skill cannot be executed',
  },
  NOTE_DECLARATION: {
    severity: 'error',
    meaning: 'x_techne_note declares a note that cannot be written; the skill cannot be executed',
  },
  PLAN_OUTPUT_MISSING: {
    severity: 'error',
    meaning: 'the output template does not exist; the skill cannot be executed',
  },
  TAINT_PROMPT: {
    severity: 'warning',
    meaning: 'user text or step output reaches a prompt without being escaped and bounded',
  },
  TAINT_TOOL: {
    severity: 'warning',
    meaning: 'user text or step output reaches a tool or skill without being escaped or bounded',
  },
  TAINT_ARGUMENT: {
    severity: 'warning',
    meaning:
      'user text or step output reaches an argument of a command, where it may be read as an option or be of any length',
  },
  TAINT_COMMAND: { severity: 'warning', meaning: 'user text or step output reaches a command line' },
  RISK_UNDERSTATED: { severity: 'warning', meaning: 'the skill declares less risk than its steps have' },
  RISK_UNDECLARED: { severity: 'info', meaning: 'the skill declares no risk' },
  CAPABILITY_UNDECLARED: {
    severity: 'warning',
    meaning: 'a step needs a capability that is not among the declared ones',
  },
  CAPABILITY_UNKNOWN: { severity: 'warning', meaning: 'a declared capability is not in the vocabulary' },
  STRICT_PLAN: {
    severity: 'error',
    meaning:
      'strict: a plan names a skill that is not there, or a composition lacks a tool_allowlist, a rubric or an open invocation',
  },
  STRICT_TAINT: {
    severity: 'error',
    meaning: 'strict: user text or step output reaches a prompt, a tool or a command unguarded',
  },
  STRICT_RISK: {
    severity: 'error',
    meaning: 'strict: the skill declares less risk, or fewer capabilities, than its steps have',
  },
  TRIGGER_COLLISION: {
    severity: 'warning',
    meaning: 'two skills have a trigger in common, or one trigger contains the other',
  },
  // Reading a Starlark program
  STAR_ANNOTATION: { severity: 'error', meaning: 'a type annotation, which Starlark does not have' },
  STAR_ARGUMENTS: {
    severity: 'error',
    meaning: 'the arguments of a call are in the wrong order, repeated or malformed',
  },
  STAR_ASSERT: { severity: 'error', meaning: 'an assert statement, which Starlark does not have' },
  STAR_ASYNC: { severity: 'error', meaning: 'async or await, which Starlark does not have' },
  STAR_BRACKET: { severity: 'error', meaning: 'brackets do not match' },
  STAR_CHAINED_COMPARISON: { severity: 'error', meaning: 'two comparisons follow one another without "and"' },
  STAR_CHARACTER: { severity: 'error', meaning: 'a character that is not part of the language' },
  STAR_CLASS: { severity: 'error', meaning: 'a class, which Starlark does not have' },
  STAR_DECORATOR: { severity: 'error', meaning: 'a decorator, which Starlark does not have' },
  STAR_DEL: { severity: 'error', meaning: 'a del statement, which Starlark does not have' },
  STAR_ELSE_IF: { severity: 'error', meaning: '"else if" in place of "elif"' },
  STAR_ESCAPE: { severity: 'error', meaning: 'a backslash in a string begins no valid escape' },
  STAR_FORMAT: {
    severity: 'warning',
    meaning: 'a format with a width, precision or flag, which fails when it runs',
  },
  STAR_FSTRING: { severity: 'error', meaning: 'an f-string, which Starlark does not have' },
  STAR_GENERATOR: { severity: 'error', meaning: 'a generator expression, which Starlark does not have' },
  STAR_GLOBAL: { severity: 'error', meaning: 'global or nonlocal, which Starlark does not have' },
  STAR_IMPORT: { severity: 'error', meaning: 'an import, which Starlark does not have' },
  STAR_INCREMENT: { severity: 'error', meaning: '"++" or "--", which Starlark does not have' },
  STAR_INDENT: { severity: 'error', meaning: 'a line is indented too much, too little or not at all' },
  STAR_IS: { severity: 'error', meaning: 'the operator "is", which Starlark does not have' },
  STAR_LAMBDA: { severity: 'error', meaning: 'a statement in a lambda' },
  STAR_LOAD: { severity: 'error', meaning: 'a load statement is malformed or in the wrong place' },
  STAR_MORE: { severity: 'info', meaning: 'further faults of the program are not listed' },
  PROGRAM_NOT_TEXT: { severity: 'error', meaning: 'the program is not a text in UTF-8' },
  STAR_NUMBER: { severity: 'error', meaning: 'a number is malformed or too large' },
  STAR_OPERATOR: { severity: 'error', meaning: 'an operator of another language' },
  STAR_OUTSIDE_FUNCTION: { severity: 'error', meaning: 'a return, if or for outside any function' },
  STAR_OUTSIDE_LOOP: { severity: 'error', meaning: 'a break or continue outside any loop' },
  STAR_PARAMETERS: {
    severity: 'error',
    meaning: 'the parameters of a function are in the wrong order, repeated or malformed',
  },
  STAR_POWER: { severity: 'error', meaning: 'the operator "**", which Starlark does not have' },
  STAR_PRINT: { severity: 'error', meaning: 'print without parentheses' },
  STAR_REASSIGNED: { severity: 'error', meaning: 'a global variable is bound twice' },
  STAR_RESERVED: { severity: 'error', meaning: 'a reserved word is used as a name' },
  STAR_SET_DISPLAY: { severity: 'error', meaning: 'a set written in braces, which Starlark does not have' },
  STAR_STARRED: { severity: 'error', meaning: '"*" or "**" outside the arguments of a call' },
  STAR_STRING_CONCATENATION: { severity: 'error', meaning: 'strings are side by side without "+"' },
  STAR_STRING_PREFIX: { severity: 'error', meaning: 'letters before a string that mean nothing' },
  STAR_STRING_UNCLOSED: { severity: 'error', meaning: 'a string is not closed on its line' },
  STAR_SYNTAX: { severity: 'error', meaning: 'the program does not follow the grammar' },
  STAR_TABS: { severity: 'error', meaning: 'a line is indented with tabs' },
  STAR_TARGET: { severity: 'error', meaning: 'something that cannot be assigned to' },
  STAR_TERNARY: { severity: 'error', meaning: 'the operator "?:", which Starlark does not have' },
  STAR_TOO_DEEP: {
    severity: 'error',
    meaning: 'the program is nested too deeply, or an expression is too long',
  },
  STAR_TOO_LARGE: {
    severity: 'error',
    meaning: 'the program is longer, or has more functions, than allowed',
  },
  STAR_TRAILING_COMMA: { severity: 'error', meaning: 'a tuple without parentheses ends in a comma' },
  STAR_TRY: { severity: 'error', meaning: 'try, except, finally or raise, which Starlark does not have' },
  STAR_UNDEFINED: { severity: 'error', meaning: 'a name is bound nowhere' },
  STAR_UNFINISHED: {
    severity: 'error',
    meaning: 'the program ends inside a bracket, a string or a statement',
  },
  STAR_WALRUS: { severity: 'error', meaning: 'the operator ":=", which Starlark does not have' },
  STAR_WHILE: { severity: 'error', meaning: 'a while loop, which Starlark does not have' },
  STAR_WITH: { severity: 'error', meaning: 'a with statement, which Starlark does not have' },
  STAR_YIELD: { severity: 'error', meaning: 'a yield, which Starlark does not have' },
  // Reading a template
  TEMPLATE_ARGUMENTS: {
    severity: 'error',
    meaning: 'the arguments or parameters of a call, filter or macro are malformed',
  },
  TEMPLATE_BRACKET: { severity: 'error', meaning: 'brackets inside a tag do not match' },
  TEMPLATE_CHARACTER: { severity: 'error', meaning: 'a character that is not part of the template language' },
  TEMPLATE_FILTER: { severity: 'error', meaning: 'there is no filter of this name' },
  TEMPLATE_HERMETIC: { severity: 'error', meaning: 'a template tries to load another one' },
  TEMPLATE_MORE: { severity: 'info', meaning: 'further faults of the template are not listed' },
  TEMPLATE_NESTING: { severity: 'error', meaning: 'an end tag, or an else, belongs to no open block' },
  TEMPLATE_NUMBER: { severity: 'error', meaning: 'a number in a template is too large' },
  TEMPLATE_STRING: {
    severity: 'error',
    meaning: 'a string in a template is not closed, or has a bad escape',
  },
  TEMPLATE_SYNTAX: { severity: 'error', meaning: 'a tag does not follow the grammar' },
  TEMPLATE_TAG: { severity: 'error', meaning: 'there is no tag of this name' },
  TEMPLATE_TARGET: { severity: 'error', meaning: 'something in a template that cannot be assigned to' },
  TEMPLATE_TEST: { severity: 'error', meaning: 'there is no test of this name' },
  TEMPLATE_TOO_DEEP: {
    severity: 'error',
    meaning: 'a template is nested too deeply, or an expression is too long',
  },
  TEMPLATE_TOO_LARGE: { severity: 'error', meaning: 'a template is longer than allowed' },
  TEMPLATE_UNCLOSED: { severity: 'error', meaning: 'a tag, comment or block of a template is never closed' },
  // Running a Starlark program or a template
  EVAL_ARGUMENTS: {
    severity: 'error',
    meaning: 'a function was called with too few, too many or unknown arguments',
  },
  EVAL_ATTRIBUTE: { severity: 'error', meaning: 'a value has no such method or field' },
  EVAL_FAIL: { severity: 'error', meaning: 'the program called fail()' },
  EVAL_FROZEN: { severity: 'error', meaning: 'a change to a frozen list, dict or set' },
  EVAL_HOST: { severity: 'error', meaning: 'a host function failed, or may not be called here' },
  EVAL_INDEX: { severity: 'error', meaning: 'an index is out of range' },
  EVAL_ITERATING: {
    severity: 'error',
    meaning: 'a change to a list, dict or set during iteration over it',
  },
  EVAL_KEY: { severity: 'error', meaning: 'a dict has no such key' },
  EVAL_LOAD: { severity: 'error', meaning: 'a module cannot be loaded' },
  EVAL_RECURSION: { severity: 'error', meaning: 'a function called itself, directly or through others' },
  EVAL_TYPE: { severity: 'error', meaning: 'an operation was applied to a value of the wrong type' },
  EVAL_UNASSIGNED: { severity: 'error', meaning: 'a variable was read before it had a value' },
  EVAL_UNDEFINED: { severity: 'error', meaning: 'a template used a value that is not defined' },
  EVAL_UNHASHABLE: {
    severity: 'error',
    meaning: 'a value that can change was used as a dict key or set element',
  },
  EVAL_UNSAFE: { severity: 'error', meaning: 'a template asked for an attribute that it may not reach' },
  EVAL_VALUE: { severity: 'error', meaning: 'a value of the right type is not allowed here' },
  EVAL_ZERO_DIVISION: { severity: 'error', meaning: 'a number was divided by zero' },
  INTERRUPTED: { severity: 'error', meaning: 'the program was stopped by Ctrl-C' },
  LOAD_DENIED: { severity: 'error', meaning: 'load is not available to this program' },
  STEP_LIMIT: { severity: 'error', meaning: 'the program was stopped after its number of steps' },
  MEMORY_LIMIT: { severity: 'error', meaning: 'the program needs more memory than it may use' },
  INT_LIMIT: { severity: 'error', meaning: 'an integer has more bits than allowed' },
  DEPTH_LIMIT: { severity: 'error', meaning: 'calls or values are nested too deeply' },
  OUTPUT_LIMIT: { severity: 'error', meaning: 'the program printed more than it may' },
  // Notes of a vault
  NOTE_UNREADABLE: { severity: 'warning', meaning: 'a note or a folder of notes cannot be read' },
  NOTE_TOO_LARGE: {
    severity: 'warning',
    meaning: 'a note is over the size limit; it is a node without content',
  },
  NOTE_NOT_TEXT: { severity: 'warning', meaning: 'a note holds NUL bytes; it is a node without content' },
  NOTE_LINK_MISSING: { severity: 'info', meaning: 'a link of a note leads to a note that does not exist' },
  NOTE_LINK_AMBIGUOUS: {
    severity: 'info',
    meaning: 'several notes have the name that a link leads to; none is guessed',
  },
  NOTE_LINK_OUTSIDE: {
    severity: 'info',
    meaning: 'a link of a note leads out of the vault; it is not followed',
  },
  NOTE_LINK_PLACE: {
    severity: 'info',
    meaning: 'the note that a link leads to has no such heading or block',
  },
  NOTE_TYPE_UNKNOWN: { severity: 'info', meaning: 'no skill makes notes of this type' },
  NOTE_EDGE_UNKNOWN: { severity: 'info', meaning: 'no skill declares this edge' },
  NOTE_EDGE_TARGET: {
    severity: 'info',
    meaning: 'an edge leads to a note of another type than the skill declares',
  },
} as const satisfies Record<string, CodeEntry>;

/** Each has a row in docs/errors.md and keeps its meaning for good. */
export type DiagnosticCode = keyof typeof diagnosticCodes;

export function severityOf(code: DiagnosticCode): Severity {
  return diagnosticCodes[code].severity;
}
