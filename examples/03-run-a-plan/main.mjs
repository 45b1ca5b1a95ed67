// node examples/03-run-a-plan/main.mjs   runs a composition that ships with techne, offline: it asks a person and resumes
import { fileURLToPath } from 'node:url';
import { openSkills } from 'techne';
import { openRuns } from 'techne/runs';

const answerer = `script:${fileURLToPath(new URL('answers.yaml', import.meta.url))}`;
const open = async () => openRuns({ library: await openSkills({ cache: false }), answerer });

const first = await open();
const paused = await first.runner.start({
  skill: 'incident-brief',
  input: { user_message: '14:05 search is slow, 14:20 we restarted a node' },
});
await first.close();
const [form] = paused.questions;
console.log(
  `${paused.status}: ${form.key} asks for ${form.question.fields.map(({ name, type }) => `${name} (${type})`).join(', ')}`,
);
console.log(form.question.prompt);

// This could be another process, after a restart: only the journal is needed.
const { runner, close } = await open();
await runner.answer(paused.run, {
  question: form.id,
  nonce: form.nonce,
  value: { decision: 'approve' },
  from: 'person',
});
const result = await runner.resume(paused.run);
console.log(`\n${result.status}: ${result.envelope.answer}`);
for (const [id, { status, reason }] of Object.entries(result.envelope.steps))
  console.log(`  ${id}: ${status}${reason === undefined ? '' : ` (${reason})`}`);

const replayed = await runner.replay(paused.run);
console.log(
  `\nreplayed: ${replayed.same ? 'the same' : 'something else'}, from ${replayed.effects} outcomes`,
);
await close();
