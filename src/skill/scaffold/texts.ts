// The examples of `scaffold`: one small task for each form.
import type { Form } from '../types.ts';

interface ScaffoldText {
  /** What the example is about, as in "an example about …". */
  readonly about: string;
  readonly description: string;
  /** Frontmatter after name and description, whole lines. */
  readonly fields: string;
  /** Markdown below the title. */
  readonly body: string;
  /** Further files: relative path -> text. A .star file starts with its docstring, one line in double quotes. */
  readonly files: { readonly [path: string]: string };
  /** A message that should start the skill. */
  readonly positive: string;
  /** A message of a neighbouring domain that should not. */
  readonly neighbour: string;
  readonly rubric: readonly string[];
}

const instructions: ScaffoldText = {
  about: 'release notes',
  description:
    'Writes release notes from a list of merged changes. Use when the user prepares a release or asks what changed since the last one.',
  fields: '',
  body: `## Purpose

Turn a list of merged changes into notes that a user of the product understands.

## Guidelines

1. Collect the changes since the last release: ask for the list when it is not in the conversation.
2. Group them under Added, Changed and Fixed. Leave out what users cannot notice.
3. Write one sentence for each, starting with what the user can now do.
4. Check the result against \`references/checklist.md\` and fix what fails.

## Output Template

\`\`\`markdown
## <version> (<date>)

### Added
- …

### Changed
- …

### Fixed
- …
\`\`\`
`,
  files: {
    'references/checklist.md': `# Checklist

- Every line tells what changes for the user, not which file was edited.
- Breaking changes come first and say what to do.
- No internal names, ticket numbers or commit hashes.
`,
  },
  positive: 'Write the release notes for version 2.4 from these merged changes.',
  neighbour: 'Write a blog post that announces our new office in Lisbon.',
  rubric: [
    'Changes are grouped under Added, Changed and Fixed.',
    'Each line says what the user notices.',
    'Nothing is invented that was not in the list of changes.',
  ],
};

const program: ScaffoldText = {
  about: 'keeping a text within a word limit',
  description:
    'Drafts a text and shortens it until it keeps within a word limit. Use when the user wants a text of at most a given number of words.',
  fields: `metaskill: SKILL.star
metaskill_language: starlark
triggers:
  - write {task} in at most {max_words} words
  - write this in {max_words} words
  - keep it under the word limit
inputs:
  - name: task
    type: string
    required: true
    description: What to write.
  - name: max_words
    type: integer
    minimum: 1
    default: 120
    description: The most words the text may have.
`,
  body: `The program counts the words, which a model does badly, and asks again while the text is
too long. It gives up after three attempts and returns the last draft with a warning.
`,
  files: {
    'SKILL.star': `"Drafts a text and asks again until it keeps within a word limit."

ATTEMPTS = 3

def count_words(text):
    return len(text.split())

def run(input):
    limit = input["max_words"]
    prompt = "Write at most " + str(limit) + " words. Task:\\n" + input["task"]
    draft = ""
    for attempt in range(ATTEMPTS):
        draft = ask(prompt, {"purpose": "draft", "max_turns": 2})["answer"]
        words = count_words(draft)
        if words <= limit:
            return {"status": "accepted", "answer": draft, "words": words, "attempts": attempt + 1}
        trace("too-long", {"attempt": attempt + 1, "words": words, "limit": limit})
        prompt = "Shorten this to at most " + str(limit) + " words and keep its meaning:\\n" + draft
    return {
        "status": "exhausted",
        "answer": draft,
        "words": count_words(draft),
        "warning": "The text is still over the limit.",
    }
`,
    'tests/limit.yaml': `# techne test runs these offline, on the real engine.
tests:
  - name: takes a text within the limit
    input: {task: Greet the guests., max_words: 3}
    answers:
      - {purpose: draft, contains: at most 3 words, answer: Welcome to all}
    expect:
      status: accepted
      answer: Welcome to all
      result: {words: 3, attempts: 1}

  - name: asks for a shorter one
    input: {task: Greet the guests., max_words: 3}
    answers: [A very warm welcome to all of you, Welcome to all]
    expect:
      status: accepted
      trace: [{kind: too-long, data: {words: 8, limit: 3}}]

  - name: gives up after three attempts
    input: {task: Greet the guests., max_words: 1}
    answers: [too long, too long, too long]
    expect:
      status: exhausted
      answer: too long
      asks: 3
`,
  },
  positive: 'Write an invitation to the spring concert in at most 80 words.',
  neighbour: 'How many words does this contract have?',
  rubric: [
    'The text has at most the number of words asked for.',
    'It does the task; nothing needed was cut away.',
  ],
};

const composition: ScaffoldText = {
  about: 'replies to customers',
  description:
    'Sorts a customer message and drafts the reply that fits its kind. Use when the user pastes a message from a customer and wants an answer to it.',
  fields: `kind: meta
triggers:
  - answer this customer
  - draft a reply to this customer
  - reply to this complaint
meta_priority: 50
always: false
final_text_mode: "step:review"
metadata:
  techne.risk: low
  techne.capabilities: ""
composition:
  steps:
    - id: sort
      kind: llm_classify
      output_choices:
        - COMPLAINT
        - QUESTION
        - THANKS
      with:
        text: "{{ inputs.user_message | xml_escape | truncate(2000) }}"
    - id: draft
      kind: llm_chat
      depends_on:
        - sort
      with:
        system: "You write short, warm and honest replies to customers."
        task: |
          Kind of message: {{ outputs.sort | truncate(20) }}
          Message: {{ inputs.user_message | xml_escape | truncate(2000) }}
          Draft the reply. Promise nothing that the message does not settle.
    - id: review
      kind: llm_chat
      depends_on:
        - draft
      with:
        system: "You review replies before they are sent. Answer with the final reply only."
        task: |
          Remove promises, blame and filler; keep the tone.
          {{ outputs.draft | xml_escape | truncate(4000) }}
`,
  body: `Three steps: the message is sorted, a reply is drafted for its kind, and the draft is reviewed. The reviewed
reply is the result.

When the steps cannot run, do the same by hand: decide which kind of message it is, draft, then remove
promises, blame and filler.
`,
  files: {
    'tests/reply.yaml': `# techne test runs these offline, on the real engine.
tests:
  - name: drafts for the kind of message and reviews the draft
    input: {user_message: My cup came broken.}
    answers:
      - {purpose: sort, contains: My cup came broken., answer: COMPLAINT}
      - {purpose: draft, contains: "Kind of message: COMPLAINT", answer: We are sorry. It will never happen again.}
      - {purpose: review, contains: It will never happen again., answer: We are sorry.}
    expect:
      status: ok
      answer: We are sorry.

  - name: fails when the draft cannot be had
    input: {user_message: My cup came broken.}
    answers: [COMPLAINT, {error: no model}]
    expect:
      status: failed
      error: {code: ASK_FAILED, contains: 'step "draft" failed'}
`,
  },
  positive: 'Answer this customer: "My cup came broken, can I have a new one?"',
  neighbour: "Analyse last month's complaints and tell me which product causes most of them.",
  rubric: [
    'The reply fits the kind of message.',
    'It promises nothing the message does not settle.',
    'It reads as one finished reply, without notes on the process.',
  ],
};

const workflow: ScaffoldText = {
  about: 'reading notes',
  description:
    'Turns a text file into a reading note with a fixed layout. Use when the user wants a note on a document in the workspace.',
  fields: `triggers:
  - make a reading note of {path}
  - take notes on {path}
inputs:
  - path|required|The file to read
  - title|optional|The title of the note
output: assets/template.md
node_type: reading
suggested_edges:
  - part_of
  - similar_to
steps:
  - id: source
    tool: read_file
    params:
      path: "{{ inputs.path | truncate(400) }}"
`,
  body: `The file is read, and the note is made from \`assets/template.md\`.

## Guidelines

- Keep the note short: the source stays where it is.
- Write in your own words; quote only what has to be exact.

## Quality Checklist

- The note names its source.
- Someone who has not read the source understands it.
`,
  files: {
    'assets/template.md': `# {{ inputs.title | default(inputs.path) }}

Source: {{ inputs.path }}

## What it says

{{ source | truncate(2000) }}

## What I take from it

-
`,
    'tests/note.yaml': `# techne test runs these offline, on the real engine.
tests:
  - name: makes the note from the file
    input: {path: docs/tides.md, title: Tides}
    tools:
      - {tool: read_file, args: {path: docs/tides.md}, result: The moon pulls.}
    expect:
      status: ok
      answer_contains: ["# Tides", "Source: docs/tides.md", The moon pulls.]
      result: {node_type: reading}

  - name: asks for the file
    input: {user_message: take some notes}
    inputs: {inputs: {path: docs/tides.md}}
    tools: [{tool: read_file, result: The moon pulls.}]
    expect: {answer_contains: "# docs/tides.md"}

  - name: fails when the file cannot be read
    input: {path: nowhere.md}
    tools: [{tool: read_file, error: there is no such file}]
    expect: {status: failed, error: {code: TOOL_FAILED, contains: no such file}}
`,
  },
  positive: 'Make a reading note of docs/architecture.md',
  neighbour: 'Fix the broken links in docs/architecture.md.',
  rubric: ['The note names its source.', 'It follows the template.'],
};

const chain: ScaffoldText = {
  about: 'a review that ends in a note on risks',
  description:
    'Reviews the changes of a repository and writes a note on their risks. Use before a release, when the user wants to know what could go wrong.',
  fields: `triggers:
  - write down the risks of this change
  - review {base} and note the risks
inputs:
  - base|optional|What to compare with, for instance the last tag
metadata:
  techne.risk: high
chain:
  - id: review
    skill: diff-review
    inputs:
      base: "{{ inputs.base | default('') | truncate(200) }}"
  - id: note
    skill: require-heading
    inputs:
      task: "Sum up this review in a few lines: {{ review.answer | truncate(4000) }}"
      heading: Risks
    condition: "review.status == 'ok' and 'nothing to review' not in review.answer"
    continueOnError: true
`,
  body: `Two skills in a row, both shipped with techne: \`diff-review\` reads the changes, and \`require-heading\` sums its review
up under the heading "Risks". When there is nothing to review, or git cannot compare, the second one is skipped; when
it fails the review is kept.
`,
  files: {
    'tests/risks.yaml': `# techne test runs these offline, on the real engine.
tests:
  - name: sums the review up under the heading
    input: {base: v2.3}
    commands: [{argv: [git, diff, --no-color, v2.3, --], stdout: "+x = 1 / 0"}]
    answers:
      - {purpose: review, match: true, contains: x = 1 / 0, answer: It divides by zero.}
      - {purpose: draft, match: true, contains: It divides by zero., answer: "## Risks\\nIt fails."}
    expect:
      status: ok
      answer: "## Risks\\nIt fails."

  - name: writes no note when there is nothing to review
    commands: [{argv: [git, diff, "..."], stdout: ""}]
    expect:
      status: ok
      answer_contains: nothing to review
      trace: [step.skipped]

  - name: writes no note on what git said
    input: {base: nowhere}
    commands: [{argv: [git, diff, "..."], exit_code: 128, stderr: "fatal: bad revision 'nowhere'"}]
    expect:
      answer_contains: bad revision
      trace: [step.skipped]
      asks: 0
`,
  },
  positive: 'We release tomorrow: review what changed since v2.3 and write down the risks.',
  neighbour: 'Write a risk assessment for the move to our new office.',
  rubric: [
    'Every finding of the review is in the note or is left out for a reason.',
    'The note has the heading "Risks".',
  ],
};

export const scaffoldTexts: { readonly [form in Form]: ScaffoldText } = {
  instructions,
  program,
  composition,
  workflow,
  chain,
};
