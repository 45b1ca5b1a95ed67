// A model that thinks for as long as its prompt says, and notes when it was asked: an effect that waits and takes no processor.
//
//   node bench/postgres/model.mjs LOG     prints its address
import { appendFileSync } from 'node:fs';
import { createServer } from 'node:http';

const [log] = process.argv.slice(2);
const event = (delta, reason = null) =>
  `data: ${JSON.stringify({ id: 'c', object: 'chat.completion.chunk', created: 1, model: 'm', choices: [{ index: 0, delta, finish_reason: reason }], usage: { prompt_tokens: 9, completion_tokens: 1 } })}\n\n`;
const answer = `${event({ role: 'assistant', content: 'ok' })}${event({}, 'stop')}data: [DONE]\n\n`;

const server = createServer(async (request, response) => {
  let body = '';
  for await (const piece of request.setEncoding('utf8')) body += piece;
  const [, id, step, seconds] = /effect (\S+) (\d+) ([\d.]+)/.exec(body) ?? [];
  appendFileSync(log, `${id} ${step} ${(performance.timeOrigin + performance.now()) / 1000}\n`);
  setTimeout(
    () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      response.end(answer);
    },
    Number(seconds) * 1000,
  );
});
server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}/v1`));
