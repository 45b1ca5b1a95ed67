import { describe, expect, it } from 'vitest';
import { chat, compileSkill, composition, faults } from '../../../test/support/plan-texts.ts';
import { planHost, resultOf } from '../../../test/support/plan-host.ts';

const withArtifacts = (list: string): string =>
  composition(chat('a'), `final_text_mode: raw\noutput_contract: {artifacts: ${list}}\n`);

describe('an artifact that is written as a text', () => {
  it('is the path of a file that must be there', async () => {
    const host = planHost({
      sample: withArtifacts('[nothere.md, "out/{{ inputs.user_message | slugify }}.md"]'),
    });
    const missing = await host.start('sample');
    expect([missing.status, missing.error]).toMatchObject([
      'partial',
      {
        code: 'OUTPUT_CONTRACT',
        message:
          'the output contract is not kept: the artifact "nothere.md" does not exist; the artifact "out/{{ inputs.user_message | slugify }}.md" (out/do-it.md) does not exist',
      },
    ]);
    expect(resultOf(missing)).toMatchObject({
      status: 'partial',
      answer: expect.stringContaining('- Artifact: nothere.md (missing)') as string,
    });
    host.artifacts.add('nothere.md').add('out/do-it.md');
    expect((await host.start('sample')).status).toBe('completed');
  });

  it('is reported as not checked where it is not a path', async () => {
    const text = withArtifacts('[a short summary]');
    expect(faults(compileSkill(text), 'PLAN_UNREACHABLE')).toEqual(['PLAN_UNREACHABLE "a short summary"']);
    const result = await planHost({ sample: text }).start('sample');
    expect([result.status, resultOf(result)['answer']]).toEqual([
      'completed',
      expect.stringContaining('- Artifact: a short summary (not looked for)'),
    ]);
  });
});
