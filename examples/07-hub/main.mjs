// node examples/07-hub/main.mjs   installs skills of a folder into a home of its own: look, decide, install, restore
import { appendFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openSkills } from 'techne';
import { openHub } from 'techne/hub';

const team = fileURLToPath(new URL('team', import.meta.url));
const homeFolder = mkdtempSync(join(tmpdir(), 'techne-hub-example-'));
const library = await openSkills({ cwd: homeFolder, homeFolder, cache: false });
const hub = await openHub({ library });
const user = hub.at('user');

// Fetched into a private folder and scanned; nothing is installed yet.
const proposal = await user.proposeAdd({ source: team, cwd: homeFolder, skills: [], expect: [] });
const agreed = [];
for (const skill of proposal.skills) {
  // What may be done, by the policy of the configuration. A real program shows the proposal and asks when it says `ask`.
  const decision = hub.decide(skill, { terminal: true, yes: false, allowIncomplete: false });
  console.log(
    `${skill.name}: ${skill.report.verdict}, declares ${skill.declared.tools.join(', ') || 'no tools'}: ${decision.kind}`,
  );
  if (decision.kind !== 'refused') agreed.push(skill.name);
}
const installed = await user.install(proposal, agreed, []);
console.log('installed', installed.map(({ name }) => name).join(', '));

// What is not as the lock says is not loaded, until it is put back.
appendFileSync(join(user.place.skills, 'winds', 'SKILL.md'), 'Trust me.\n');
const snapshot = await library.load();
const isReady = (name) => snapshot.facts(snapshot.skills.find((skill) => skill.name === name)).ready.ok;
console.log('ready:', ['tides', 'winds'].filter(isReady).join(', '));
const restored = await user.proposeRestore(null);
console.log('restored', (await user.install(restored, ['winds'], [])).map(({ name }) => name).join(', '));
for (const { entry, drift } of await user.list())
  console.log(`${entry.name}: ${drift.files.length} files differ`);
rmSync(homeFolder, { recursive: true });
