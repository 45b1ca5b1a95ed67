// What the playground begins with.
import type { Asked } from './evaluate.ts';

export interface Example {
  readonly title: string;
  readonly kind: Asked['kind'];
  readonly source: string;
  readonly input?: string;
  readonly answers?: readonly string[];
}

export const examples: readonly Example[] = [
  {
    title: 'Starlark: count words',
    kind: 'starlark',
    source: `# Starlark is a small, deterministic dialect of Python. It has no clock, no files and no network.
text = "the tide comes in twice a day, and the tide goes out twice a day"

def count(words):
    counts = {}
    for word in words:
        counts[word] = counts.get(word, 0) + 1
    return counts

def longest_first(entry):
    return (-entry[1], entry[0])

ranking = sorted(count(text.replace(",", "").split(" ")).items(), key = longest_first)
print("\\n".join(["%d  %s" % (n, word) for word, n in ranking]))
`,
  },
  {
    title: 'Starlark: a program that never ends',
    kind: 'starlark',
    source: `# Every step is counted: this is stopped by the limit on steps, or by you.
def spin(n):
    total = 0
    for i in range(n):
        total += i % 7
    return total

print(spin(1000000000))
`,
  },
  {
    title: 'Skill program: ask until it is short enough',
    kind: 'program',
    source: `def run(input):
    for attempt in range(3):
        line = ask("Sum up in one line of at most 80 characters:\\n" + input["text"])["answer"]
        if len(line) <= 80:
            return {"status": "accepted", "answer": line, "attempts": attempt + 1}
        trace("too-long", {"characters": len(line)})
    return {"status": "exhausted", "answer": line}
`,
    input: '{"text": "We ship on Friday at ten. Sessions stay open."}',
    answers: [
      'The release ships on Friday at ten, and everybody stays logged in, so that nobody has to do anything.',
      'The release ships on Friday at ten; nobody has to log in again.',
    ],
  },
  {
    title: 'Plan: a composition',
    kind: 'plan',
    source: `---
name: trip
description: Plans a trip to a city that a person names. Use when a trip is to be planned.
kind: meta
triggers: [plan my trip, plan a trip to a city]
final_text_mode: "step:plan"
composition:
  steps:
    - id: where
      kind: user_input
      clarify:
        mode: form
        fields:
          - {name: city, type: string, prompt: Where to?, required: true}
    - id: sights
      kind: llm_chat
      depends_on: [where]
      with:
        task: "Three sights of {{ outputs.where | tojson | xml_escape | truncate(200) }}"
    - id: food
      kind: llm_chat
      depends_on: [where]
      with:
        task: "Three things to eat in {{ outputs.where | tojson | xml_escape | truncate(200) }}"
    - id: plan
      kind: llm_chat
      depends_on: [sights, food]
      with:
        task: "A day from these: {{ outputs.sights | xml_escape | truncate(2000) }} {{ outputs.food | xml_escape | truncate(2000) }}"
---

Plans a trip.
`,
  },
  {
    title: 'Plan: what is wrong with it?',
    kind: 'plan',
    source: `---
name: loop
description: A plan with mistakes. Use when you want to see diagnostics.
kind: meta
triggers: [show mistakes, what is wrong with a plan]
composition:
  steps:
    - id: first
      kind: llm_chat
      depends_on: [second]
      with:
        task: "Read {{ outputs.secnd }}"
    - id: second
      kind: llm_chat
      dependson: [first]
      with:
        task: "Say {{ inputs.user_message }}"
---

Body.
`,
  },
];
