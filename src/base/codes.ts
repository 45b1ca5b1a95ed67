// Every code a diagnostic can carry, with its weight and its one-line meaning.
//
// C1. A code is never reused for another meaning. `docs/errors.md` has a row for
//     each (tested), so a code found in a log can be looked up for good.
// C2. `error`: the file is not usable as it stands, or breaks the strict rules when
//     they were asked for. `warning`: it loads, but something was repaired, ignored
//     or is likely wrong. `info`: a fact worth knowing, such as an override.

export type Severity = 'error' | 'warning' | 'info';

interface CodeEntry {
  readonly severity: Severity;
  readonly meaning: string;
}

export const diagnosticCodes = {
  // Reading a file
  FILE_UNREADABLE: { severity: 'error', meaning: 'the file or folder cannot be read' },
  FILE_NOT_A_FILE: { severity: 'error', meaning: 'SKILL.md is a folder or a special file' },
  FILE_NAME_CASE: { severity: 'warning', meaning: 'skill.md is written in another case than SKILL.md' },
  FILE_TOO_LARGE: { severity: 'error', meaning: 'SKILL.md is over the hard size limit and is not loaded' },
  FILE_LARGE: { severity: 'warning', meaning: 'SKILL.md is over the recommended size limit' },
  FILE_EMPTY: { severity: 'error', meaning: 'SKILL.md has no content' },
  FILE_BINARY: { severity: 'error', meaning: 'SKILL.md holds many control characters: it is not a text' },
  ENCODING_INVALID: { severity: 'warning', meaning: 'the file is not valid UTF-8; bad bytes were replaced, or it was decoded as UTF-16' },
  ENCODING_BOM: { severity: 'info', meaning: 'the file starts with a byte order mark' },
  ENCODING_NUL: { severity: 'warning', meaning: 'the file holds a NUL character' },
  ENCODING_SURROGATE: { severity: 'warning', meaning: 'a string holds half of a surrogate pair' },
  LINE_ENDINGS_CRLF: { severity: 'info', meaning: 'lines end in CRLF' },
  LINE_ENDINGS_CR: { severity: 'warning', meaning: 'lines end in CR alone' },
  // Finding skills
  LINK_LEAVES_ROOTS: { severity: 'warning', meaning: 'a link leads out of every configured root, or a root out of its workspace, and was not followed' },
  SKILL_LINKED: { severity: 'info', meaning: 'a link leads into another root; what is there is loaded once, as part of that root' },
  SKILL_NESTED: { severity: 'warning', meaning: 'a skill inside a proposed one was left out' },
  LINK_BROKEN: { severity: 'warning', meaning: 'a link leads nowhere' },
  FOLDER_TOO_DEEP: { severity: 'warning', meaning: 'folders below the depth limit were not searched' },
  FOLDER_SKIPPED: { severity: 'info', meaning: 'a folder holds no SKILL.md or is a dot folder' },
  SKILLS_NONE: { severity: 'warning', meaning: 'a folder that was to be checked holds no skill' },
  ROOT_INVALID: { severity: 'warning', meaning: 'a configured root is not a folder' },
  SKILL_SHADOWED: { severity: 'info', meaning: 'a skill of the same name with higher precedence was chosen' },
  SKILL_WINNER_UNUSABLE: { severity: 'warning', meaning: 'a skill with higher precedence is unusable, so another one was chosen' },
  SKILL_STALE_KEPT: { severity: 'warning', meaning: 'a changed file no longer parses; the last good version stays in use' },
  // Frontmatter as text
  FRONTMATTER_MISSING: { severity: 'warning', meaning: 'the file does not start with a "---" line' },
  FRONTMATTER_UNCLOSED: { severity: 'warning', meaning: 'the opening "---" is never closed' },
  FRONTMATTER_FENCE: { severity: 'warning', meaning: 'a fence is not written "---" in the first column; it was accepted' },
  FRONTMATTER_TOO_LARGE: { severity: 'error', meaning: 'the frontmatter is over the size limit' },
  FRONTMATTER_EMPTY: { severity: 'warning', meaning: 'there is nothing between the fences' },
  FRONTMATTER_NOT_A_MAP: { severity: 'warning', meaning: 'the frontmatter is not a mapping' },
  // Frontmatter as YAML
  YAML_SYNTAX: { severity: 'warning', meaning: 'the frontmatter is not valid YAML; what could be read line by line was kept' },
  YAML_REPAIRED: { severity: 'warning', meaning: 'an unquoted value was read as text, although YAML needs quotes there' },
  YAML_DUPLICATE_KEY: { severity: 'warning', meaning: 'a key is given twice; the first one counts' },
  YAML_ALIAS: { severity: 'warning', meaning: 'anchors and aliases are not supported; the value was dropped' },
  YAML_TAG: { severity: 'warning', meaning: 'YAML tags are ignored' },
  YAML_TOO_DEEP: { severity: 'warning', meaning: 'the frontmatter is nested too deeply; the value was dropped' },
  YAML_TOO_MANY_NODES: { severity: 'warning', meaning: 'the frontmatter has too many values' },
  YAML_FORBIDDEN_KEY: { severity: 'warning', meaning: 'a key such as __proto__ was dropped' },
  YAML_KEY_NOT_TEXT: { severity: 'warning', meaning: 'a mapping key is not a plain scalar' },
  YAML_TABS: { severity: 'warning', meaning: 'a tab is used for indentation' },
  YAML_FLOW_STYLE: { severity: 'error', meaning: 'strict: inline {…} or […] is refused by the reference validator' },
  // Identity
  NAME_MISSING: { severity: 'warning', meaning: 'no name is given; the folder name is used' },
  NAME_INVALID: { severity: 'warning', meaning: 'the name breaks the naming rules; the folder name is used' },
  NAME_TOO_LONG: { severity: 'warning', meaning: 'the name is over 64 characters; the folder name is used' },
  NAME_NOT_FOLDER: { severity: 'warning', meaning: 'the name differs from the folder name; the folder name is used' },
  NAME_LOOKALIKE: { severity: 'warning', meaning: 'the name looks like that of another skill, but is written with other characters' },
  NAME_UNSAFE: { severity: 'error', meaning: 'the folder name holds control or invisible characters' },
  DESCRIPTION_MISSING: { severity: 'warning', meaning: 'no description is given; the first paragraph of the body is used' },
  DESCRIPTION_NONE: { severity: 'error', meaning: 'there is neither a description nor a paragraph to take one from' },
  DESCRIPTION_TOO_LONG: { severity: 'warning', meaning: 'the description is over 1024 characters' },
  // Fields
  FIELD_TYPE: { severity: 'warning', meaning: 'a field has a value of the wrong type and is ignored' },
  FIELD_VALUE: { severity: 'warning', meaning: 'a field has a value outside its allowed set or range and is ignored' },
  FIELD_UNKNOWN: { severity: 'info', meaning: 'a field is not known to techne; it is kept as it is' },
  FIELD_MISSPELT: { severity: 'warning', meaning: 'a field looks like a misspelling of a known one' },
  FIELD_TOO_LONG: { severity: 'warning', meaning: 'a field is over its length limit' },
  FIELD_COERCED: { severity: 'info', meaning: 'a scalar was turned into text' },
  FIELD_CONFLICT: { severity: 'warning', meaning: 'two fields contradict each other' },
  // Form
  FORM_AMBIGUOUS: { severity: 'warning', meaning: 'the skill has the structure of more than one form' },
  FORM_INCOMPLETE: { severity: 'warning', meaning: 'the structure that the form needs is missing or empty; the skill cannot be executed' },
  LANGUAGE_UNSUPPORTED: { severity: 'warning', meaning: 'the program language is not supported; the skill cannot be executed' },
  PROGRAM_MISSING: { severity: 'warning', meaning: 'the program file does not exist; the skill cannot be executed' },
  PROGRAM_PATH: { severity: 'warning', meaning: 'the program path is absolute or leaves the skill folder; the skill cannot be executed' },
  PROGRAM_TOO_LARGE: { severity: 'warning', meaning: 'the program is over 64 KiB; the skill cannot be executed' },
  PROGRAM_FRONTMATTER: { severity: 'warning', meaning: 'the program file has frontmatter of its own; the skill cannot be executed' },
  // Strict validation (agentskills)
  STRICT_FIELD: { severity: 'error', meaning: 'strict: a field outside the standard' },
  STRICT_NAME: { severity: 'error', meaning: 'strict: the name is missing or breaks the naming rules' },
  STRICT_DESCRIPTION: { severity: 'error', meaning: 'strict: the description is missing, blank or over 1024 characters' },
  STRICT_COMPATIBILITY: { severity: 'error', meaning: 'strict: compatibility is not text of at most 500 characters' },
  STRICT_METADATA: { severity: 'error', meaning: 'strict: metadata is not a map of text to text' },
  STRICT_TYPE: { severity: 'error', meaning: 'strict: a standard field has the wrong type' },
  STRICT_FRONTMATTER: { severity: 'error', meaning: 'strict: the frontmatter is missing, unclosed or not valid YAML' },
  STRICT_FILE: { severity: 'error', meaning: 'strict: the file name, size or encoding breaks the rules' },
  STRICT_FORM: { severity: 'error', meaning: 'strict: the skill declares a form that cannot be executed' },
  // Lint
  BODY_LONG: { severity: 'warning', meaning: 'the body is over 5,000 estimated tokens' },
  BODY_EMPTY: { severity: 'warning', meaning: 'the body is empty' },
  LINT_TRIGGER_COUNT: { severity: 'warning', meaning: 'two to five triggers are recommended' },
  LINT_TRIGGER_WORDING: { severity: 'warning', meaning: 'a trigger is not a phrase people would type' },
  LINT_ALWAYS: { severity: 'warning', meaning: 'always: true puts the whole body into every prompt' },
  LINT_DESCRIPTION_WHEN: { severity: 'warning', meaning: 'the description does not say when to use the skill' },
  LINT_REFERENCE_MISSING: { severity: 'warning', meaning: 'a referenced file does not exist' },
  LINT_REFERENCE_DEEP: { severity: 'warning', meaning: 'a reference is more than one level deep' },
  LINT_REFERENCE_ESCAPES: { severity: 'warning', meaning: 'a reference leads out of the skill folder' },
  LINT_EVALS: { severity: 'warning', meaning: 'evals/evals.json cannot be read, or lacks a kind of test prompt' },
  LINT_REFERENCES_MORE: { severity: 'info', meaning: 'further faults of references are not listed' },
  LINT_TEST_PROMPTS: { severity: 'info', meaning: 'the skill has no test prompts' },
  // Configuration
  CONFIG_SYNTAX: { severity: 'error', meaning: 'the configuration file is not valid JSON' },
  CONFIG_UNKNOWN_KEY: { severity: 'error', meaning: 'a configuration key is not known' },
  CONFIG_TYPE: { severity: 'error', meaning: 'a configuration value has the wrong type' },
  CONFIG_VALUE: { severity: 'error', meaning: 'a configuration value is outside its allowed set or range' },
  CONFIG_TWO_FILES: { severity: 'warning', meaning: 'two workspace configuration files exist; techne.json counts' },
  CONFIG_NARROWED: { severity: 'warning', meaning: 'an untrusted workspace tried to widen a security-relevant key' },
} as const satisfies Record<string, CodeEntry>;

export type DiagnosticCode = keyof typeof diagnosticCodes;

export function severityOf(code: DiagnosticCode): Severity {
  return diagnosticCodes[code].severity;
}
