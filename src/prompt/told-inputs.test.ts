import { describe, expect, it } from 'vitest';
import type { InputKey } from '../skill/types.ts';
import { toldInputs } from './told-inputs.ts';

const reading = {
  composition: { steps: [{ id: 'one', with: { text: 'Read\n{{ inputs.user_message | truncate(20) }}' } }] },
};
const blind = {
  composition: { steps: [{ id: 'one', with: { text: '{{ inputs.city }} for {{ user_message }}' } }] },
};
const city: InputKey = { key: 'city', required: true, description: null, schema: null };

describe('toldInputs', () => {
  it('has the message of a composition, needed where its steps read it (told-inputs#N1)', () => {
    const [told] = toldInputs({ form: 'composition', inputs: null, frontmatter: reading }) ?? [];
    expect(told).toEqual({
      key: 'user_message',
      required: true,
      description: 'What is wanted, in the words of the user.',
      schema: { type: 'string' },
    });
    expect(toldInputs({ form: 'composition', inputs: [], frontmatter: blind })).toEqual([
      { ...told, required: false },
    ]);
  });

  it('puts it before keys that are declared, and leaves one that is declared alone', () => {
    expect(
      toldInputs({ form: 'composition', inputs: [city], frontmatter: reading })?.map(({ key, required }) => [
        key,
        required,
      ]),
    ).toEqual([
      ['user_message', false],
      ['city', true],
    ]);
    const own = { ...city, key: 'user_message' };
    expect(toldInputs({ form: 'composition', inputs: [own], frontmatter: reading })).toEqual([own]);
  });

  it('has it of a workflow or chain only where that reads it, and never of a program', () => {
    expect(
      toldInputs({ form: 'workflow', inputs: [city], frontmatter: reading })?.map(({ key, required }) => [
        key,
        required,
      ]),
    ).toEqual([
      ['user_message', false],
      ['city', true],
    ]);
    expect(toldInputs({ form: 'chain', inputs: null, frontmatter: blind })).toBeNull();
    expect(toldInputs({ form: 'program', inputs: null, frontmatter: reading })).toBeNull();
    expect(toldInputs({ form: 'program', inputs: [city], frontmatter: reading })).toEqual([city]);
  });
});
