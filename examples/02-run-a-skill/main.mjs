// node examples/02-run-a-skill/main.mjs   runs a skill that ships with techne, offline, then replays it from its journal
import { fileURLToPath } from 'node:url';
import { openSkills } from 'techne';
import { openRuns } from 'techne/runs';

const library = await openSkills({ cache: false });
const answers = fileURLToPath(new URL('answers.yaml', import.meta.url));
const runs = await openRuns({
  library,
  answerer: `script:${answers}`,
  onEvent: (event) => {
    if (event.type === 'effect.started') console.log(`${event.key}: ${event.kind} ${event.request.purpose}`);
    if (event.type === 'trace.added') console.log(`   ${event.kind} ${JSON.stringify(event.data)}`);
  },
});

const result = await runs.runner.start({
  skill: 'checklist',
  input: { task: 'Deploy the shop.', required: ['backup', 'rollback'] },
});
console.log(
  `\n${result.status}, ${result.envelope.status} after ${result.envelope.rounds} rounds:\n${result.envelope.answer}`,
);

const replayed = await runs.runner.replay(result.run);
console.log(
  `\nreplayed: ${replayed.same ? 'the same' : 'something else'}, from ${replayed.effects} outcomes`,
);
await runs.close();
