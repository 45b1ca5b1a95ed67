// node examples/06-agent-loop/main.mjs   an agent loop without any framework; its own model answers what a skill asks
import { fileURLToPath } from 'node:url';
import { createTechne } from 'techne';

const folder = fileURLToPath(new URL('../04-library/skills', import.meta.url));
// `caller`: the model of the agent answers the asks of skills. A run that asks pauses, and `run_answer` resumes it.
const techne = await createTechne({ roots: [folder], trust: [folder], cache: false, answerer: 'caller' });
const session = await techne.session();

const system = `You help people travel.\n\n${session.prompt}`;
const history = [];
for (const message of ['Hello!', 'Please pack for two days in Brittany.']) {
  console.log(`\nperson: ${message}`);
  // Every turn: the block that the skills add to this message. It stays in the history with the message.
  const { block, told } = await session.enrich({ message });
  console.log(`skills for this turn: ${told.join(', ') || 'none'}`);
  history.push({ role: 'user', text: block === '' ? message : `${message}\n\n${block}` });

  for (;;) {
    const turn = await model({ system, tools: session.tools, history });
    history.push(turn);
    if (turn.call === undefined) {
      console.log(`agent: ${turn.text}`);
      break;
    }
    const { id, tool, args } = turn.call;
    const { ok, text } = await session.call(tool, args, { id });
    console.log(`${tool}: ${ok ? text.split('\n')[0] : text}`);
    history.push({ role: 'tool', id, text });
  }
  // Between turns an agent can take the skills that are on disk now, after `techne.watch()` or `techne.refresh()`.
  await session.moveOn();
}
await techne.close();

/** Stands in for a model. A real one gets system, tools and history, and returns a text or a call. */
async function model({ history: said }) {
  const { role, text } = said.at(-1);
  if (role === 'user') {
    if (!text.includes('Brittany')) return { role: 'agent', text: 'Hello! Where to?' };
    return {
      role: 'agent',
      call: {
        id: 'call-1',
        tool: 'run_metaskill',
        args: { name: 'packing-list', input: { trip: 'two days in Brittany' } },
      },
    };
  }
  const asked = /run_answer with (\{.*"nonce": "[^"]*"), "answer": …\}/.exec(text);
  if (asked !== null)
    return {
      role: 'agent',
      call: {
        id: 'call-2',
        tool: 'run_answer',
        args: { ...JSON.parse(`${asked[1]}}`), answer: 'a raincoat\nboots' },
      },
    };
  return {
    role: 'agent',
    text: `Take ${JSON.parse(text.slice(text.indexOf('{')))
      .answer.split('\n')
      .join(' and ')}.`,
  };
}
