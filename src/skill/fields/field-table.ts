// The table of frontmatter fields.
//
//   this table -> JSON Schema (json-schema.ts), "did you mean", dialects, strict rules, docs
//
// One row for each field. A key that is not a row or alias and has no `x_`/`x-` prefix is unknown. An alias is another
// spelling from real files: it is read like the field, and reported. `dialect` names who defined the field: `standard`
// is agentskills.io's six, `common` is description that no host acts on. Large schemas are `$ref`s into
// schema-definitions.ts, which listing never imports.
import type { JsonObject } from '../../base/json.ts';
import type { Form } from '../types.ts';

type Dialect =
  | 'standard'
  | 'common'
  | 'techne'
  | 'metaskill'
  | 'metaglass'
  | 'claude'
  | 'openclaw'
  | 'hermes'
  | 'copilot'
  | 'opensquilla'
  | 'letta'
  | 'roo'
  | 'deepagents'
  | 'voltagent';

export interface FrontmatterField {
  readonly name: string;
  readonly aliases: readonly string[];
  readonly dialect: Dialect;
  /** One of the six fields of the open standard. */
  readonly standard: boolean;
  /** The forms the field belongs to; `any` for all of them. */
  readonly forms: readonly Form[] | 'any';
  readonly description: string;
  readonly schema: JsonObject;
}

const text: JsonObject = { type: 'string' };
const flag: JsonObject = { type: 'boolean' };
const texts: JsonObject = { type: 'array', items: { type: 'string' } };
const textOrTexts: JsonObject = { anyOf: [text, texts] };
const anything: JsonObject = {};

function shape(name: string): JsonObject {
  return { $ref: `#/$defs/${name}` };
}

function field(
  name: string,
  dialect: Dialect,
  schema: JsonObject,
  description: string,
  aliases: readonly string[] = [],
  forms: readonly Form[] | 'any' = 'any',
): FrontmatterField {
  return { name, aliases, dialect, standard: dialect === 'standard', forms, description, schema };
}

export const frontmatterFields: readonly FrontmatterField[] = [
  field(
    'name',
    'standard',
    shape('name'),
    'The identifier: lower-case letters, digits and single hyphens, equal to the folder name.',
  ),
  field(
    'description',
    'standard',
    { type: 'string', minLength: 1, maxLength: 1024 },
    'What the skill does and when to use it; all a model sees before it loads the skill.',
  ),
  field('license', 'standard', text, 'A license name, or the license file in the folder.', ['licence']),
  field(
    'compatibility',
    'standard',
    { type: 'string', maxLength: 500 },
    'What the skill needs around it: products, packages, network.',
  ),
  field(
    'metadata',
    'standard',
    shape('metadata'),
    'Text by text for the standard; hosts keep their own mappings under their name.',
  ),
  field(
    'allowed-tools',
    'standard',
    textOrTexts,
    'Tools the skill may use without asking: space- or comma-separated, or a list.',
    ['allowed_tools', 'allowedTools'],
  ),

  field('version', 'common', { type: ['string', 'number'] }, 'The version the author gives it.'),
  field(
    'triggers',
    'techne',
    shape('triggers'),
    'Two to five phrases people type when they want the skill; {name} captures words.',
    ['trigger'],
  ),
  field(
    'inputs',
    'techne',
    shape('inputs'),
    'The input keys: "key|required" entries, a mapping, or a JSON Schema.',
  ),
  field(
    'output',
    'metaglass',
    text,
    'The template asset that the result is made from, such as assets/template.md.',
  ),
  field('tools', 'metaglass', textOrTexts, 'Tools the skill depends on; without them it is not ready.'),
  field('platforms', 'hermes', textOrTexts, 'Operating systems the skill works on: linux, macos, windows.', [
    'platform',
  ]),
  field('os', 'openclaw', textOrTexts, 'Operating systems the skill works on: linux, macos, windows.'),
  field(
    'prerequisites',
    'metaglass',
    { anyOf: [text, texts, shape('requires')] },
    'Programs, variables and tools that must be there; prose is kept for readers.',
  ),
  field('requires', 'techne', shape('requires'), 'What must be there before the skill can be used.'),
  field('skills', 'techne', textOrTexts, 'Other skills this one uses.', ['depends_on', 'depends-on']),
  field(
    'dependencies',
    'common',
    anything,
    'Software packages, for readers; under `skills`, or as "skill:name", skills this one uses.',
  ),
  field('install', 'openclaw', anything, 'How to install what is missing; shown, never run.'),
  field('user-invocable', 'claude', flag, 'Whether a person may call the skill by name (default true).', [
    'user_invocable',
    'user-invokable',
    'user_invokable',
    'userInvocable',
  ]),
  field('disable-model-invocation', 'claude', flag, 'Hides the skill from the model (default false).', [
    'disable_model_invocation',
    'disableModelInvocation',
  ]),
  field('agent_ready', 'metaglass', flag, 'false means that only people may start the skill.', [
    'agent-ready',
  ]),
  field('always', 'opensquilla', flag, 'Puts the whole body into every prompt (default false).'),

  field(
    'metaskill',
    'metaskill',
    text,
    'The program file, relative to the skill folder; SKILL.star when that exists.',
    [],
    ['program'],
  ),
  field(
    'metaskill_language',
    'metaskill',
    { const: 'starlark' },
    'The language of the program.',
    ['metaskill-language'],
    ['program'],
  ),
  field(
    'kind',
    'opensquilla',
    { enum: ['meta', 'meta_sop', 'skill'] },
    '"meta" makes the skill a composition.',
    [],
    ['composition', 'instructions'],
  ),
  field(
    'composition',
    'opensquilla',
    shape('composition'),
    'The steps of a composition, a graph by depends_on.',
    [],
    ['composition'],
  ),
  field(
    'steps',
    'metaglass',
    shape('workflowSteps'),
    'The steps of a workflow, run in order.',
    [],
    ['workflow'],
  ),
  field(
    'refine',
    'techne',
    flag,
    'Whether a model goes over the result of a workflow, with the guidelines and the checklist (default false).',
    [],
    ['workflow'],
  ),
  field(
    'chain',
    'metaglass',
    shape('chain'),
    'Skills run one after another, outputs into inputs.',
    [],
    ['chain'],
  ),
  field(
    'meta_priority',
    'opensquilla',
    { type: 'integer' },
    'Breaks ties between skills that match equally well; higher wins.',
    ['meta-priority'],
  ),
  field(
    'final_text_mode',
    'opensquilla',
    { type: 'string', pattern: '^(auto|raw|step:.+)$' },
    'How the final answer is made: auto, raw or step:<id>.',
    ['final-text-mode'],
    ['composition'],
  ),
  field('entrypoint', 'opensquilla', shape('entrypoint'), 'A command that runs the skill as a subprocess.'),
  field(
    'request_template',
    'opensquilla',
    shape('requestTemplate'),
    'What is shown and asked before a composition runs.',
    [],
    ['composition'],
  ),
  field(
    'output_contract',
    'opensquilla',
    shape('outputContract'),
    'Sections and artifacts the result must have.',
    [],
    ['composition'],
  ),
  field('eval_prompts', 'opensquilla', { type: 'array' }, 'Prompts and rubrics to evaluate the skill with.'),
  field('preference_keys', 'opensquilla', texts, 'Preferences the skill reads.'),
  field('policy_tags', 'opensquilla', texts, 'Tags for policies.'),
  field(
    'provenance',
    'opensquilla',
    { type: 'object' },
    'Where the skill comes from: origin, license, upstream_url, maintained_by.',
  ),
  field('description_zh', 'opensquilla', text, 'The description in Chinese, for a user interface.', [
    'description-zh',
  ]),
  field('description_en', 'opensquilla', text, 'The description in English, for a user interface.', [
    'description-en',
  ]),
  field(
    'capabilities',
    'opensquilla',
    textOrTexts,
    'Side effects the skill has; techne reads metadata.<vendor>.capabilities.',
  ),
  field('risk', 'common', text, 'A free remark on risk; techne reads metadata.<vendor>.risk.'),

  field('node_type', 'metaglass', text, 'The type of the graph node a note skill writes.', ['node-type']),
  field('suggested_edges', 'metaglass', shape('edges'), 'The edges such a node usually has.', [
    'suggested-edges',
  ]),
  field(
    'x_techne_note',
    'techne',
    shape('note'),
    'The note that a run writes into the vault: its path, which inputs become properties, what may happen to a note that exists.',
    [],
    ['program', 'composition', 'workflow', 'chain'],
  ),

  field('when_to_use', 'claude', textOrTexts, 'When to use the skill, beside the description.', [
    'when-to-use',
    'whenToUse',
  ]),
  field('argument-hint', 'claude', text, 'What is shown as a hint for the arguments of /name.', [
    'argument_hint',
    'argumentHint',
    'argument',
  ]),
  field('arguments', 'claude', textOrTexts, 'Names for the arguments, used as $name in the body.'),
  field('disallowed-tools', 'claude', textOrTexts, 'Tools taken away while the skill is active.', [
    'disallowed_tools',
    'disallowedTools',
  ]),
  field('model', 'claude', text, 'The model to use while the skill is active.'),
  field('effort', 'claude', text, 'The reasoning effort while the skill is active.'),
  field('context', 'claude', { const: 'fork' }, '"fork" runs the skill in an agent of its own.'),
  field('agent', 'claude', text, 'The kind of agent for context: fork.'),
  field('background', 'claude', flag, 'Whether a forked agent runs in the background.'),
  field('hooks', 'claude', { type: 'object' }, 'Hooks registered while the skill is active.'),
  field('paths', 'claude', textOrTexts, 'Globs that limit when the skill is offered by itself.', ['globs']),
  field('shell', 'claude', text, 'The shell for commands in the body: bash or powershell.'),
  field('color', 'claude', text, 'A colour for a user interface.', ['colour']),

  field('homepage', 'openclaw', text, 'Where to read more.'),
  field('emoji', 'openclaw', text, 'A picture for a user interface.'),
  field('command-dispatch', 'openclaw', text, '"tool" sends /name to a tool without the model.'),
  field('command-tool', 'openclaw', text, 'The tool for command-dispatch.'),
  field('command-arg-mode', 'openclaw', text, 'How the arguments reach that tool.'),

  field(
    'required_environment_variables',
    'hermes',
    { type: 'array' },
    'Environment variables that must be set.',
    ['required-environment-variables'],
  ),
  field('required_credential_files', 'hermes', { type: 'array' }, 'Credential files the skill reads.', [
    'required-credential-files',
  ]),

  field('mode', 'copilot', text, 'The chat mode a prompt was written for.'),
  field('applyTo', 'copilot', textOrTexts, 'Globs of the files that instructions apply to.'),
  field('category', 'letta', text, 'A category for listings.', ['categories']),
  field('tags', 'letta', textOrTexts, 'Tags for listings.', ['tag']),
  field('modeSlugs', 'roo', textOrTexts, 'The modes that may use the skill.'),
  field('module', 'deepagents', text, 'A JavaScript entry module.'),
  field('references', 'voltagent', textOrTexts, 'Reference files of the skill.'),
  field('scripts', 'voltagent', textOrTexts, 'Scripts of the skill.'),
  field('assets', 'voltagent', textOrTexts, 'Assets of the skill.'),

  ...[
    ['author', 'Who wrote it.'],
    ['authors', 'Who wrote it.'],
    ['owner', 'Who looks after it.'],
    ['maintainer', 'Who looks after it.'],
    ['maintainers', 'Who look after it.'],
    ['collaborators', 'Who else works on it.'],
    ['contributors', 'Who else works on it.'],
    ['title', 'A title for people.'],
    ['displayName', 'A title for people.'],
    ['display_name', 'A title for people.'],
    ['short-description', 'A shorter description.'],
    ['short_description', 'A shorter description.'],
    ['summary', 'A shorter description.'],
    ['source', 'Where it was taken from.'],
    ['source_url', 'Where it was taken from.'],
    ['origin', 'Where it was taken from.'],
    ['repository', 'Where its source is.'],
    ['url', 'Where to read more.'],
    ['upstream', 'What it was derived from.'],
    ['docs', 'Where to read more.'],
    ['documentation', 'Where to read more.'],
    ['domain', 'The subject it belongs to.'],
    ['subdomain', 'The subject it belongs to.'],
    ['topics', 'The subjects it belongs to.'],
    ['keywords', 'Words to find it by.'],
    ['service', 'The service it is about.'],
    ['framework', 'The framework it is about.'],
    ['language', 'The language it is written in or about.'],
    ['languages', 'The languages it is written in or about.'],
    ['locale', 'The language it is written in.'],
    ['group', 'A group for listings.'],
    ['type', 'A type for listings.'],
    ['level', 'The level of difficulty.'],
    ['difficulty', 'The level of difficulty.'],
    ['audience', 'The intended audience.'],
    ['role', 'The intended audience.'],
    ['persona', 'Whom it speaks as.'],
    ['scope', 'What it covers.'],
    ['status', 'How finished it is.'],
    ['stage', 'How finished it is.'],
    ['priority', 'A free remark on priority.'],
    ['date', 'When it was written.'],
    ['date_added', 'When it was added.'],
    ['created', 'When it was written.'],
    ['created_at', 'When it was written.'],
    ['updated', 'When it was last changed.'],
    ['updated_at', 'When it was last changed.'],
    ['last_updated', 'When it was last changed.'],
    ['last-updated', 'When it was last changed.'],
    ['reviewed', 'When or by whom it was reviewed.'],
    ['id', 'An identifier of another system.'],
    ['slug', 'An identifier of another system.'],
    ['icon', 'A picture for a user interface.'],
    ['permissions', 'Permissions of another host.'],
    ['data_classification', 'How sensitive its data is.'],
    ['compatible-with', 'Hosts it was tried with.'],
    ['examples', 'Examples of its use.'],
    ['example', 'An example of its use.'],
    ['outputs', 'What it produces, for readers.'],
    ['related', 'Related skills or pages.'],
    ['related_skills', 'Related skills.'],
    ['related-skills', 'Related skills.'],
    ['config', 'Settings of another host.'],
    ['env', 'Environment variables of another host.'],
    ['mcp', 'MCP servers of another host.'],
    ['mcp-server', 'An MCP server of another host.'],
    ['notes', 'Notes for readers.'],
    ['copyright', 'Who holds the rights.'],
    ['changelog', 'What changed.'],
    ['enabled', 'A switch of another host.'],
    ['hidden', 'A switch of another host.'],
    ['deprecated', 'Whether the skill is deprecated.'],
  ].map(([name, description]) => field(name as string, 'common', anything, description as string)),
];

const byKey: ReadonlyMap<string, FrontmatterField> = new Map(
  frontmatterFields.flatMap((row) =>
    [row.name, ...row.aliases].map((key): [string, FrontmatterField] => [key, row]),
  ),
);

/** The field that `key` names, by its name or an alias. */
export function fieldOf(key: string): FrontmatterField | undefined {
  return byKey.get(key);
}

export function isExtensionKey(key: string): boolean {
  return key.startsWith('x_') || key.startsWith('x-');
}

/** Names and aliases. */
export function knownKeys(): Iterable<string> {
  return byKey.keys();
}

export const standardFields: readonly string[] = frontmatterFields
  .filter((row) => row.standard)
  .map((row) => row.name);

/** Keys of `metadata` under which a host keeps requirements, risk and flags of its own. */
export const metadataVendors: ReadonlyMap<string, string> = new Map([
  ['techne', 'techne'],
  ['openclaw', 'openclaw'],
  ['clawdbot', 'openclaw'],
  ['clawdis', 'openclaw'],
  ['moltbot', 'openclaw'],
  ['platform', 'opensquilla'],
  ['opensquilla', 'opensquilla'],
  ['hermes', 'hermes'],
  ['codex', 'codex'],
]);

/** Vendor and name of a flat key, such as `techne.risk`. */
export function vendorKey(key: string): { readonly vendor: string; readonly name: string } | null {
  const dot = key.indexOf('.');
  const vendor = key.slice(0, Math.max(0, dot));
  return metadataVendors.has(vendor) ? { vendor, name: key.slice(dot + 1) } : null;
}
