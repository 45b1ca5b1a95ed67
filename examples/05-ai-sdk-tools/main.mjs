// node examples/05-ai-sdk-tools/main.mjs   skills as `system`, `tools` and messages of the AI SDK, offline
//
// A program of yours also has: import { generateText, stepCountIs } from 'ai';
import { fileURLToPath } from 'node:url';
import { aiSdkMessage, aiSdkSystem, aiSdkTools } from 'techne/ai-sdk';
import { createTechne } from 'techne';

const techne = await createTechne({
  roots: [fileURLToPath(new URL('../04-library/skills', import.meta.url))],
  cache: false,
});
const session = await techne.session({ runs: false });

const messages = [(await aiSdkMessage(session, 'when is high water tomorrow?')).message];
const { text } = await generateText({
  // model: anthropic('…'), stopWhen: stepCountIs(10),
  system: aiSdkSystem(session, 'You are a pilot on the coast. Be brief.'),
  tools: aiSdkTools(session),
  messages,
});
console.log(`\nanswer: ${text}`);
await techne.close();

/** Stands in for the SDK and a model: loads the skill, reads its text, answers. */
async function generateText({ system, tools, messages: said }) {
  console.log(`system:\n${system}\n\ntools: ${Object.keys(tools).join(', ')}\n`);
  for (const { text: part } of said.at(-1).content) console.log(`user: ${part}`);
  const input = { name: 'tides' };
  const output = await tools.skill_load.execute(input, { toolCallId: 'call-1', messages: said });
  const { type, value } = tools.skill_load.toModelOutput({ toolCallId: 'call-1', input, output });
  console.log(
    `\nskill_load ${JSON.stringify(input)} -> ${type}, ${output.metadata.load_size_tokens} tokens:\n${value}`,
  );
  return { text: 'About 7:40 in the morning; quite sure.' };
}
