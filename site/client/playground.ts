// The form of the playground, and the worker that it starts for each run.
import type { Asked, Outcome } from './evaluate.ts';
import { examples } from './examples.ts';
import type { FromWorker } from './playground-worker.ts';

/** A program that hangs between two looks at the clock is ended by the page, this much later. */
const graceMs = 500;

const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  properties: Partial<HTMLElementTagNameMap[Name]> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] => {
  const made = Object.assign(document.createElement(name), properties);
  made.append(...children);
  return made;
};
const labelled = (text: string, control: HTMLElement): HTMLLabelElement =>
  element('label', {}, element('span', { textContent: text }), control);
const number = (value: number, max: number): HTMLInputElement =>
  element('input', { type: 'number', min: '1', max: String(max), value: String(value), required: true });

const example = element(
  'select',
  {},
  ...examples.map(({ title }) => element('option', { textContent: title })),
);
const kind = element(
  'select',
  {},
  element('option', { value: 'starlark', textContent: 'Starlark' }),
  element('option', { value: 'program', textContent: 'Skill program (SKILL.star)' }),
  element('option', { value: 'plan', textContent: 'Plan (SKILL.md)' }),
);
/** More would leave no room for the result below it. */
const mostRows = 20;
const source = element('textarea', { id: 'source', rows: mostRows, spellcheck: false, wrap: 'off' });
const input = element('textarea', { rows: 3, spellcheck: false });
const answers = element('textarea', { rows: 3, spellcheck: false });
const steps = number(10_000_000, 1_000_000_000);
const megabytes = number(64, 512);
const seconds = number(5, 60);
const run = element('button', { type: 'submit', textContent: 'Run', className: 'run' });
const stop = element('button', { type: 'button', textContent: 'Stop', disabled: true });
const status = element('p', { className: 'status' });
status.setAttribute('role', 'status');
const output = element('pre', { className: 'output', tabIndex: 0 });
output.setAttribute('role', 'group');
output.setAttribute('aria-label', 'Output');
const drawing = element('div', { className: 'drawing' });
const inputLabel = labelled('Input, as JSON', input);
const answersLabel = labelled('Answers, one a line', answers);
const form = element(
  'form',
  { className: 'playground' },
  element('div', { className: 'row' }, labelled('Example', example), labelled('What it is', kind)),
  labelled('Text', source),
  element('div', { className: 'row given' }, inputLabel, answersLabel),
  element(
    'div',
    { className: 'row' },
    labelled('Steps at most', steps),
    labelled('Memory, MiB', megabytes),
    labelled('Seconds', seconds),
    run,
    stop,
  ),
);

let worker: Worker | null = null;
let deadline = 0;

function take(at: number): void {
  const chosen = examples[at];
  if (chosen === undefined) return;
  kind.value = chosen.kind;
  source.value = chosen.source;
  source.rows = Math.min(mostRows, chosen.source.split('\n').length);
  input.value = chosen.input ?? '{}';
  answers.value = (chosen.answers ?? []).join('\n');
  showKind();
}

function showKind(): void {
  const isProgram = kind.value === 'program';
  inputLabel.hidden = !isProgram;
  answersLabel.hidden = !isProgram;
  run.textContent = kind.value === 'plan' ? 'Check' : 'Run';
}

function end(said: string): void {
  worker?.terminate();
  worker = null;
  clearTimeout(deadline);
  run.disabled = false;
  stop.disabled = true;
  status.textContent = said;
}

function begin(): void {
  end('Running…');
  run.disabled = true;
  stop.disabled = false;
  output.replaceChildren();
  drawing.replaceChildren();
  const asked: Asked = {
    kind: kind.value as Asked['kind'],
    source: source.value,
    input: input.value,
    answers: answers.value.split('\n').filter((line) => line !== ''),
    maxSteps: steps.valueAsNumber,
    maxMemoryBytes: megabytes.valueAsNumber * 1024 * 1024,
    maxMs: seconds.valueAsNumber * 1_000,
  };
  const started = new Worker(new URL('./playground-worker.js', import.meta.url), { type: 'module' });
  worker = started;
  started.addEventListener('message', ({ data }: MessageEvent<FromWorker>) => {
    if (worker !== started) return;
    if (data.type === 'ready') {
      started.postMessage(asked);
      deadline = setTimeout(
        () => end(`Stopped after ${seconds.value} s.`),
        asked.maxMs + graceMs,
      ) as unknown as number;
    } else if (data.type === 'line') addLine(data.text, data.kind);
    else finish(data.outcome);
  });
  started.addEventListener('error', ({ message }) => {
    if (worker === started) end(`The worker failed: ${message}`);
  });
}

function addLine(text: string, className: string): void {
  output.append(element('span', { className, textContent: `${text}\n` }));
}

function finish(outcome: Outcome): void {
  for (const diagnostic of outcome.diagnostics)
    output.append(element('span', { className: 'diagnostic', textContent: `${diagnostic}\n\n` }));
  output.append(element('span', { className: outcome.ok ? 'value' : 'failed', textContent: outcome.text }));
  if (outcome.svg !== null) {
    // Parsed as a picture: nothing in it can run.
    const svg = new DOMParser().parseFromString(outcome.svg, 'image/svg+xml').documentElement;
    drawing.append(document.adoptNode(svg));
  }
  const used =
    outcome.steps === 0
      ? ''
      : ` ${outcome.steps.toLocaleString('en')} steps, ${(outcome.memoryBytes / 1024).toFixed(0)} KiB.`;
  end(`${outcome.ok ? 'Done.' : 'Not done.'}${used}`);
  output.scrollIntoView({ block: 'nearest' });
}

example.addEventListener('change', () => {
  if (worker !== null) end('Stopped.');
  take(example.selectedIndex);
});
kind.addEventListener('change', showKind);
stop.addEventListener('click', () => end('Stopped.'));
form.addEventListener('submit', (event) => {
  event.preventDefault();
  begin();
});
form.addEventListener('keydown', (event) => {
  if (event.key === 'Escape' && worker !== null) end('Stopped.');
  if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit();
});
document.querySelector('article h1')?.after(form, status, output, drawing);
take(0);
