// The output template goes with the body, however that comes before the model.
import { describe, expect, it } from 'vitest';
import { matchOf, openSession, scriptedMatcher } from '../../test/support/session.ts';

const report = {
  fields: 'output: assets/report.md\n',
  files: { 'assets/report.md': '# The report of {{ title }}\n' },
};
const matcher = scriptedMatcher({
  write: { matches: [matchOf('report')] },
  named: { matches: [matchOf('report', 'explicit')] },
});
const expected =
  'The body of report.\n\n#### Output template (assets/report.md)\n\n# The report of {{ title }}\n';

describe('the output template of a skill', () => {
  it('is given on demand, and counted', async () => {
    const { call, session } = await openSession({ report });
    const { text, metadata } = await call('skill_load', { name: 'report' });
    expect(text).toContain(expected);
    const size = metadata['load_size_tokens'] as number;
    expect(session.ledger.state().tokens).toBeGreaterThan(size);
    expect(session.reattach().text).toContain(expected.trimEnd());
  });

  it('is given by a mention, and in eager mode', async () => {
    const mentioned = (await openSession({ report }, { matcher })).session;
    expect((await mentioned.enrich({ message: 'named' })).block).toContain(expected.trimEnd());
    const eager = (await openSession({ report }, { matcher, settings: { disclosure: 'eager' } })).session;
    expect((await eager.enrich({ message: 'write' })).block).toContain(expected.trimEnd());
  });

  it('is given by a slash command and by a prompt', async () => {
    const { session } = await openSession({ report });
    expect(await session.slash('/report')).toMatchObject({ body: expected });
    expect(await session.invoke('report', '')).toMatchObject({ body: expected });
  });

  it('is preloaded, and loaded by a fork', async () => {
    const { session } = await openSession({ report }, { settings: { preload: ['report'] } });
    expect(session.prefix).toContain(expected.trimEnd());
    const [, load] = (await (await openSession({ report })).session.fork()).tools;
    expect((await load?.call({ name: 'report' }))?.text).toContain(expected);
  });

  it('is said to be missing where it is', async () => {
    const { call } = await openSession({ report: { fields: 'output: assets/none.md\n' } });
    expect((await call('skill_load', { name: 'report' })).text).toContain(
      '#### Output template (assets/none.md)\n\n(it cannot be read: the skill "report" has no file "assets/none.md")\n',
    );
  });
});
