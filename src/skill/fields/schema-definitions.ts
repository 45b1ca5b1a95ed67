// The larger shapes of a frontmatter, as JSON Schema definitions that the field table points to.
import type { JsonObject } from '../../base/json.ts';
import { jsonTypes } from '../../base/schema/schema.ts';

const text: JsonObject = { type: 'string' };
const texts: JsonObject = { type: 'array', items: text };
const textOrTexts: JsonObject = { anyOf: [text, texts] };
const condition: JsonObject = { type: 'string', minLength: 1 };

function described(schema: JsonObject, description: string): JsonObject {
  return { ...schema, description };
}

const requirements: JsonObject = {
  bins: described(textOrTexts, 'Programs that must be on PATH.'),
  anyBins: described(
    { anyOf: [textOrTexts, { type: 'array', items: texts }] },
    'Programs of which one must be on PATH; a list of lists for several groups.',
  ),
  env: described({ anyOf: [text, { type: 'array' }] }, 'Environment variables that must be set.'),
  anyEnv: described(
    { anyOf: [textOrTexts, { type: 'array', items: texts }] },
    'Environment variables of which one must be set.',
  ),
  config: described(
    { anyOf: [text, { type: 'array' }] },
    'Settings that must be configured, or paths of files that must be there.',
  ),
  os: described(textOrTexts, 'Operating systems: linux, macos, windows.'),
  tools: described(textOrTexts, 'Tools the host must offer.'),
  toolsets: described(textOrTexts, 'Tool sets the host must offer.'),
  skills: described(textOrTexts, 'Skills that must be there.'),
  install: { description: 'How to install what is missing; shown, never run.' },
};

const runRules: JsonObject = {
  timeout: {
    type: ['number', 'string'],
    description: 'Seconds after which the step fails, or a text such as 500ms, 30s or 2m.',
  },
  retry: { $ref: '#/$defs/retry' },
  for_each: {
    description:
      'A list, an expression for one, or a mapping with items, as, concurrency and merge; the step runs once for each item.',
  },
  as: described(text, 'The name of an item of for_each (default item).'),
  concurrency: {
    type: 'integer',
    minimum: 1,
    maximum: 100,
    description: 'How many items of for_each run at the same time (default 4).',
  },
  merge: {
    enum: ['list', 'concat', 'first', 'last'],
    description: 'What becomes of the outputs of for_each (default list).',
  },
  output_schema: { type: 'object', description: 'A JSON Schema the output must fit.' },
  model: described(text, 'The model for this step.'),
  tools: described(textOrTexts, 'The tools an agent gets in this step.'),
  max_turns: { type: 'integer', minimum: 1, description: 'The maximum number of turns of an agent.' },
  idempotent: {
    type: 'boolean',
    description: 'Whether it may be repeated when its outcome is unknown.',
  },
};

const retry: JsonObject = {
  type: ['object', 'integer'],
  properties: { max_attempts: { type: 'integer', minimum: 1 }, backoff_ms: { type: 'integer', minimum: 0 } },
  additionalProperties: false,
  description: 'How often a failed step is tried again.',
};

const clarifyField: JsonObject = {
  type: 'object',
  required: ['name'],
  properties: {
    name: { type: 'string', pattern: '^[a-z][a-z0-9_]{0,31}$', description: 'The key of the answer.' },
    type: {
      enum: ['string', 'enum', 'int', 'bool'],
      description: 'The type of the answer (default string).',
    },
    required: { type: 'boolean', description: 'Whether an answer is needed; excludes default.' },
    default: { description: 'The answer when none is given.' },
    choices: described(texts, 'The choices of an enum.'),
    min: { type: 'integer', description: 'The least int.' },
    max: { type: 'integer', description: 'The greatest int.' },
    max_chars: { type: 'integer', minimum: 1, maximum: 4000, description: 'The longest string.' },
    prompt: described(text, 'The question.'),
    prompt_zh: text,
    prompt_en: text,
  },
};

const clarify: JsonObject = {
  type: 'object',
  required: ['fields'],
  description: 'What a user_input step asks.',
  properties: {
    mode: { enum: ['form', 'chat'], description: 'How it is asked (default form).' },
    fields: { type: 'array', minItems: 1, items: clarifyField },
    skip_if: described(condition, 'An expression that skips the question.'),
    cancel_keywords: described(texts, 'Replies that cancel the run.'),
    timeout_hours: {
      type: 'integer',
      minimum: 1,
      maximum: 168,
      description: 'How long the question stays open (default 24).',
    },
    intro: described(text, 'The text before the questions.'),
    intro_zh: text,
    intro_en: text,
    nl_extract: { type: 'boolean', description: 'Reads the fields from a free reply.' },
    nl_extract_tier: text,
  },
};

/** `if test, then result`. */
export function conditional(test: JsonObject, result: JsonObject): JsonObject {
  // oxlint-disable-next-line unicorn/no-thenable -- a JSON Schema keyword
  return { if: test, then: result };
}

function needs(kind: string, ...required: readonly string[]): JsonObject {
  const isDefault = kind === 'agent';
  const test: JsonObject = isDefault
    ? { anyOf: [{ not: { required: ['kind'] } }, { properties: { kind: { const: kind } } }] }
    : { properties: { kind: { const: kind } }, required: ['kind'] };
  return conditional(test, { required: [...required] });
}

const compositionStep: JsonObject = {
  type: 'object',
  required: ['id'],
  properties: {
    id: { type: 'string', minLength: 1, description: 'The name of the step; its output is outputs.<id>.' },
    kind: {
      enum: ['agent', 'llm_chat', 'llm_classify', 'user_input', 'tool_call', 'skill_exec'],
      description: 'What the step does (default agent).',
    },
    skill: described(text, 'The skill of an agent or skill_exec step.'),
    depends_on: described(texts, 'Steps that must be finished before.'),
    with: { type: 'object', description: 'Arguments; texts in it are templates.' },
    when: described(condition, 'An expression; the step is skipped when it is false.'),
    route: {
      type: 'array',
      description: 'Chooses the skill by the first expression that holds; skill is for when none does.',
      items: {
        type: 'object',
        required: ['when', 'to'],
        properties: { when: condition, to: text },
        additionalProperties: false,
      },
    },
    on_failure: described(text, 'The step that replaces this one when it fails.'),
    output_choices: {
      type: 'array',
      items: { type: 'string', minLength: 1 },
      minItems: 1,
      uniqueItems: true,
      description: 'The closed set an llm_classify step answers with.',
    },
    clarify: { $ref: '#/$defs/clarify' },
    tool: described(text, 'The tool of a tool_call step.'),
    tool_args: { type: 'object', description: 'Its arguments; texts in it are templates.' },
    tool_allowlist: described(texts, 'Tools the step may call; must hold tool.'),
    side_effect: { const: 'external_paid_submit', description: 'Marks a skill_exec step that spends money.' },
    label: described(text, 'A label for people.'),
    label_zh: text,
    label_en: text,
    progress_emits: { type: 'boolean', description: 'Whether progress is shown.' },
    continue_on_error: { type: 'boolean', description: 'Whether the run continues when this step fails.' },
    ...runRules,
  },
  allOf: [
    needs('agent', 'skill'),
    needs('skill_exec', 'skill'),
    needs('llm_classify', 'output_choices'),
    needs('user_input', 'clarify'),
    needs('tool_call', 'tool'),
    needs('llm_chat', 'with'),
  ],
  examples: [
    {
      id: 'draft',
      kind: 'llm_chat',
      with: { task: '{{ inputs.user_message | xml_escape | truncate(1000) }}' },
    },
  ],
};

const inputSchema: JsonObject = {
  type: 'object',
  description: 'A JSON Schema for the value, with required and description beside.',
  properties: {
    type: { anyOf: [{ enum: [...jsonTypes] }, { type: 'array', items: { enum: [...jsonTypes] } }] },
    description: text,
    required: { type: 'boolean' },
    default: {},
    enum: { type: 'array' },
  },
};

const listedInput: JsonObject = {
  ...inputSchema,
  properties: {
    name: described(text, 'The key of the input.'),
    ...(inputSchema['properties'] as JsonObject),
  },
};

/** A text, or one for each language. */
const localText: JsonObject = {
  anyOf: [text, { type: 'object', properties: { default: text, en: text, zh: text } }],
};
const localTexts: JsonObject = { anyOf: [textOrTexts, { type: 'object' }] };

const requestTemplate: JsonObject = {
  type: 'object',
  properties: {
    mode: {
      enum: ['confirm', 'preview'],
      description:
        'confirm asks a person before anything is spent; preview (default) only shows what will be done.',
    },
    title: described(localText, 'The head line.'),
    intro: described(localText, 'The text below it.'),
    outcome: described(localText, 'What will have been reached.'),
    deliverable: described(localText, 'What will be handed over.'),
    assumptions: described(localTexts, 'What is taken for granted.'),
    fields: {
      type: 'array',
      description: 'What is asked beside the yes; answers are inputs.preflight.<name>.',
      items: {
        type: 'object',
        required: ['name'],
        properties: { name: text, label: localText, required: { type: 'boolean' }, default: {} },
      },
    },
    preflight_required: { type: 'boolean', description: 'As mode: confirm.' },
    requires_confirmation: { type: 'boolean', description: 'As mode: confirm.' },
  },
  examples: [
    {
      mode: 'confirm',
      title: 'Weekly report',
      outcome: 'A page on what changed',
      assumptions: ['It may take ten minutes'],
    },
  ],
};

const outputContract: JsonObject = {
  type: 'object',
  properties: {
    required_sections: described(localTexts, 'Texts that the answer must contain, in any case.'),
    forbidden_terms: described(
      localTexts,
      'Texts that it must not hold; also written do_not or must_not_include.',
    ),
    artifacts: {
      type: 'array',
      description:
        'Files that must be there: a path, or a mapping with name and path. Paths are templates, in the workspace.',
      items: {
        anyOf: [
          text,
          {
            type: 'object',
            properties: {
              name: text,
              path: text,
              required: { type: 'boolean', description: 'Whether its absence counts (default true).' },
              description: text,
            },
          },
        ],
      },
    },
    assumptions: described(localTexts, 'Shown below the answer.'),
    unverified: described(localTexts, 'Shown below the answer: what was not verified.'),
    append_to_final_text: {
      type: 'boolean',
      description:
        'Whether assumptions, what is unverified and artifacts are shown below the answer (default true).',
    },
  },
  examples: [
    {
      required_sections: ['Risks'],
      forbidden_terms: ['TODO'],
      artifacts: [{ name: 'report', path: 'out/report.md' }],
    },
  ],
};

export const schemaDefinitions: JsonObject = {
  name: {
    type: 'string',
    minLength: 1,
    maxLength: 64,
    pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
    examples: ['release-notes'],
  },
  metadata: {
    type: 'object',
    additionalProperties: { type: ['string', 'number', 'boolean', 'object', 'array', 'null'] },
    properties: {
      ...Object.fromEntries(
        ['techne', 'openclaw', 'opensquilla', 'hermes'].map((vendor) => [vendor, { $ref: '#/$defs/vendor' }]),
      ),
      'techne.risk': { enum: ['low', 'medium', 'high'], description: 'The highest risk the skill needs.' },
      'techne.capabilities': {
        type: 'string',
        description: 'Its side effects, such as "filesystem-write network-read"; empty for none.',
      },
      'techne.limits.asks': { type: 'string', description: 'How many calls of a model a run needs.' },
      'techne.limits.commands': { type: 'string', description: 'How many commands a run needs.' },
      'techne.limits.time': { type: 'string', description: 'How long a run takes: 90s, 10m, 1h.' },
    },
    examples: [{ author: 'Ada', version: '1.0' }],
  },
  vendor: {
    type: 'object',
    description: 'What one host keeps for itself.',
    properties: {
      risk: { enum: ['low', 'medium', 'high'], description: 'The highest risk the skill needs.' },
      capabilities: described(
        textOrTexts,
        'Its side effects, such as filesystem-write, network-read, shell.',
      ),
      limits: {
        type: 'object',
        description: 'What a run needs; the host caps it.',
        properties: {
          asks: { type: ['integer', 'string'], description: 'Calls of a model.' },
          commands: { type: ['integer', 'string'], description: 'Commands.' },
          time: { type: ['number', 'string'], description: 'Seconds, or a text such as 90s, 10m or 1h.' },
        },
        additionalProperties: false,
      },
      requires: { $ref: '#/$defs/requires' },
      os: described(textOrTexts, 'Operating systems: linux, macos, windows.'),
      install: { description: 'How to install what is missing; shown, never run.' },
      always: { type: 'boolean', description: 'Puts the whole body into every prompt.' },
      requires_tools: described(textOrTexts, 'Tools the host must offer.'),
      requires_toolsets: described(textOrTexts, 'Tool sets the host must offer.'),
    },
  },
  triggers: { anyOf: [texts, text], examples: [['review my changes', 'explain {concept}']] },
  inputs: {
    anyOf: [
      {
        type: 'array',
        items: {
          anyOf: [{ type: 'string', pattern: '^[^|]+([|](required|optional)([|].*)?)?$' }, listedInput],
        },
      },
      {
        type: 'object',
        additionalProperties: { anyOf: [text, { type: 'null' }, inputSchema, { type: 'array' }] },
      },
    ],
    examples: [['title|required', 'tone|optional']],
  },
  requires: {
    type: 'object',
    properties: requirements,
    additionalProperties: true,
    examples: [{ bins: ['ffmpeg'], env: ['GITHUB_TOKEN'], os: ['linux', 'macos'] }],
  },
  edges: {
    anyOf: [
      text,
      {
        type: 'array',
        items: { anyOf: [text, { type: 'object', properties: { type: text, target: text } }] },
      },
      { type: 'object' },
    ],
    examples: [['prerequisite', 'leads_to']],
  },
  note: {
    type: 'object',
    required: ['path'],
    properties: {
      path: {
        type: 'string',
        minLength: 1,
        description: 'A template over inputs, relative to the vault. Values cannot add folders.',
      },
      properties: {
        anyOf: [texts, { type: 'object', additionalProperties: text }],
        description: 'Inputs that become properties of the note, or property: template.',
      },
      update: { ...texts, description: 'Those of them that a later run may change in a note that exists.' },
      dangling: { ...texts, description: 'Edges that may lead to notes that do not exist yet.' },
      existing: {
        enum: ['merge', 'refuse'],
        description:
          'merge (the default) adds to the sections of a note that exists; refuse leaves it alone.',
      },
    },
    additionalProperties: false,
    examples: [{ path: '{{ inputs.title }}.md', properties: ['source'] }],
  },
  composition: {
    type: 'object',
    required: ['steps'],
    properties: {
      steps: { type: 'array', minItems: 1, items: { $ref: '#/$defs/compositionStep' } },
      parallel: {
        type: 'integer',
        minimum: 1,
        maximum: 100,
        description: 'The most steps that run at the same time (default 4).',
      },
    },
  },
  compositionStep,
  retry,
  clarify,
  workflowSteps: { type: 'array', minItems: 1, items: { $ref: '#/$defs/workflowStep' } },
  workflowStep: {
    type: 'object',
    required: ['id'],
    properties: {
      id: { type: 'string', minLength: 1, description: 'The name of the step; its output is {{ <id> }}.' },
      tool: described(text, 'The tool to call.'),
      skill: described(text, 'A skill to run instead of a tool.'),
      params: { type: 'object', description: 'Arguments; texts in it are templates.' },
      condition: described(condition, 'An expression; the step is skipped when it is false.'),
      depends_on: described(texts, 'Steps that must be finished before (default the one above).'),
      on_failure: described(text, 'The step that replaces this one when it fails.'),
      output_choices: {
        type: 'array',
        items: { type: 'string', minLength: 1 },
        minItems: 1,
        uniqueItems: true,
        description: 'The choices of classify; also params.choices.',
      },
      continueOnError: { type: 'boolean', description: 'Whether the run continues when this step fails.' },
      continue_on_error: { type: 'boolean', description: 'As continueOnError.' },
      ...runRules,
    },
    anyOf: [{ required: ['tool'] }, { required: ['skill'] }],
    examples: [{ id: 'source', tool: 'read_file', params: { path: '{{ inputs.path }}' } }],
  },
  chain: {
    anyOf: [
      { type: 'array', minItems: 1, items: { $ref: '#/$defs/chainStep' } },
      {
        type: 'object',
        required: ['steps'],
        properties: { steps: { type: 'array', minItems: 1, items: { $ref: '#/$defs/chainStep' } } },
      },
    ],
  },
  chainStep: {
    anyOf: [
      text,
      {
        type: 'object',
        required: ['skill'],
        properties: {
          id: {
            type: 'string',
            description:
              'The name of the step (default the skill, and from its second use on with _2, _3 …).',
          },
          skill: described(text, 'The skill to run.'),
          inputs: { type: 'object', description: 'Its inputs; texts in it are templates.' },
          condition: described(condition, 'An expression; the step is skipped when it is false.'),
          depends_on: described(texts, 'Steps that must be finished before (default the one above).'),
          on_failure: described(text, 'The step that replaces this one when it fails.'),
          continueOnError: {
            type: 'boolean',
            description: 'Whether the run continues when this step fails.',
          },
          continue_on_error: { type: 'boolean', description: 'As continueOnError.' },
          ...runRules,
        },
      },
    ],
  },
  requestTemplate,
  outputContract,
  entrypoint: {
    type: 'object',
    required: ['command'],
    properties: {
      command: described(
        text,
        'The program and its first words; {baseDir} is the folder of the skill. Never a shell, and no values in it.',
      ),
      args: described(texts, 'Its further arguments, each a template and one word.'),
      env: {
        type: 'object',
        additionalProperties: text,
        description: 'Environment variables, each a template; one that is empty is not set.',
      },
      stdin: described(text, 'What it reads, a template.'),
      assemble: {
        type: 'array',
        description:
          'Files that are written before it starts: into is the path, from_template the text; both are templates.',
        items: {
          type: 'object',
          required: ['into', 'from_template'],
          properties: { into: text, from_template: text },
        },
      },
      cwd: described(text, 'The folder it starts in, inside the workspace.'),
      parse: {
        enum: ['text', 'json', 'lines'],
        description: 'How what it prints is read: text (default), json or lines.',
      },
      timeout: { type: 'number', minimum: 0, description: 'Seconds after which it is stopped (default 60).' },
    },
  },
};
