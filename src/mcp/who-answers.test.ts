import { afterEach, describe, expect, it } from 'vitest';
import type { TestService } from '../../test/support/mcp-service.ts';
import { openTestService, programSkill } from '../../test/support/mcp-service.ts';
import { createModelServer } from '../../test/support/model-server.ts';

const files = programSkill('think', '    return {"answer": ask("Why?")["answer"]}\n');
const plain = programSkill('plain', '    return {"answer": "x"}\n');
const keys = { ANTHROPIC_API_KEY: 'k', OPENAI_API_KEY: 'k' };
let opened: TestService;

afterEach(() => opened.close());

describe('who answers over MCP', () => {
  it('is the caller, although the host passes on a key', async () => {
    opened = await openTestService({ ...files, ...plain }, { variables: keys });
    const { facts, text } = await opened.connect();
    const { run, status, questions, ...rest } = await facts('run_metaskill', { name: 'think', input: {} });
    expect([status, questions[0]?.audience, rest['answerer'], rest['answered_by']]).toEqual([
      'paused',
      'caller',
      'caller',
      [],
    ]);
    const [question] = questions;
    const answer = { run, question: question?.id ?? '', nonce: question?.nonce ?? '', answer: 'Because.' };
    expect(await facts('run_answer', answer)).toMatchObject({
      status: 'completed',
      answerer: 'caller',
      answered_by: ['caller'],
    });
    expect(await text('run_status', { run })).toMatch(/\nAnswered by: caller\.$/);
    // Nobody was asked.
    expect(await text('run_metaskill', { name: 'plain', input: {} })).not.toContain('Answered by');
  });

  it.each(['model:default', 'model:anthropic'])(
    'is %s, which the configuration or the operator names',
    async (name) => {
      const server = await createModelServer({ turns: [{ text: 'Because.' }] });
      try {
        const model = { provider: 'openai-compatible', baseUrl: server.url, model: 'm' };
        opened =
          name === 'model:default'
            ? await openTestService(files, { config: { models: { default: model } }, variables: keys })
            : await openTestService(files, {
                answerer: name,
                variables: { ...keys, ANTHROPIC_BASE_URL: server.url },
              });
        const { facts, text } = await opened.connect();
        const { run, ...rest } = await facts('run_metaskill', { name: 'think', input: {} });
        expect(rest).toMatchObject({ status: 'completed', answerer: name, answered_by: [name] });
        expect(await text('run_status', { run })).toMatch(new RegExp(`\\nAnswered by: ${name}\\.$`));
      } finally {
        await server.close();
      }
    },
  );
});
