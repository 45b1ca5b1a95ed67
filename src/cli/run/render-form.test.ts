import { describe, expect, it } from 'vitest';
import type { FormField } from '../../run/clarify/form.ts';
import { renderField } from './render-form.ts';

const field = (more: Partial<FormField>): FormField => ({
  name: 'count',
  type: 'string',
  required: false,
  prompt: '',
  choices: null,
  min: null,
  max: null,
  minChars: null,
  maxChars: null,
  default: undefined,
  suggested: null,
  ...more,
});

describe('describeField', () => {
  it('says what an empty default is, and nothing where the prompt is only the name', () => {
    expect(renderField(field({ default: '' }))).toBe('text; default: nothing');
    expect(renderField(field({ required: true, prompt: 'count' }))).toBe('text; required');
    expect(renderField(field({ required: true, prompt: 'How many' }))).toBe('text; required. How many');
  });

  it('tells the default and what is suggested', () => {
    expect(
      renderField(field({ type: 'bool', default: false, suggested: { value: true, from: 'page' } })),
    ).toBe('yes or no; default: no; yes is suggested by "page"');
  });
});
