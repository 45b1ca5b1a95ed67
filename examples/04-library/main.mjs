// node examples/04-library/main.mjs   the skills beside this file: list, match, load and run them with one object
import { fileURLToPath } from 'node:url';
import { createTechne } from 'techne';

const folder = fileURLToPath(new URL('skills', import.meta.url));
const techne = await createTechne({
  roots: [folder],
  trust: [folder], // their programs may run
  cache: false,
  // Answers the asks of skills. A real program sends `prompt` to its model.
  answerer: ({ prompt }) => (prompt.includes('Brittany') ? 'a raincoat\nboots' : 'nothing'),
});

console.log((await techne.index()).text);

for (const message of ['when is high water tomorrow?', 'pack for two days in Brittany', 'thank you']) {
  const { matches } = await techne.match(message);
  const found = matches.map(({ skill, variables }) =>
    [skill, ...Object.entries(variables).map(([name, value]) => `${name} = ${value}`)].join(', '),
  );
  console.log(`\n"${message}" asks for: ${found.join('; ') || 'no skill'}`);
}

const result = await techne.run('packing-list', { trip: 'two days in Brittany' });
console.log(`\n${result.status}, ${result.envelope.items} items:\n${result.envelope.answer}`);
await techne.close();
