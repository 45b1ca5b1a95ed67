// node examples/01-list-skills/main.mjs   lists the skills beside this file and says which are ready
import { fileURLToPath } from 'node:url';
import { openSkills } from 'techne';

const library = await openSkills({
  roots: [fileURLToPath(new URL('skills', import.meta.url))],
  cache: false,
});
const snapshot = await library.load();

for (const skill of snapshot.skills) {
  const { ready } = snapshot.facts(skill);
  console.log(`${skill.name} (${skill.card.form}): ${skill.description}`);
  console.log(
    ready.ok ? '  ready' : `  not ready: ${ready.reasons.map(({ message }) => message).join('; ')}`,
  );
}

const body = await snapshot.readBody('tides');
console.log(`\n${body.text.trim()}`);
