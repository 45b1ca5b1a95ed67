// The page of the playground. Its form is made by the browser (client/playground.ts): without scripts there is nothing to run.
import type { SourcePage } from './page.ts';

export function playgroundPage(): SourcePage {
  return {
    source: 'playground',
    path: 'playground.html',
    text: `# Playground

The interpreter of Starlark and the analysis of plans are pure: they run here, in a worker of your browser, as they run in techne. Nothing is sent anywhere. A program is held to the steps, the memory and the time that you set; **Stop**, or Escape in the text, ends it at once.

A skill program asks nobody here: its asks are answered from the lines of "Answers", and commands are denied. A plan is checked and drawn, not run. Skills and tools that a plan names are taken as there.

Read [Starlark](docs/guide/starlark.md) and [Plans](docs/guide/plans.md).
`,
  };
}
