import { describe, expect, it } from 'vitest';
import { checkProgram, programLimitBytes } from './form.ts';

describe('checkProgram', () => {
  it('passes a program', () => {
    expect(checkProgram('def run(input):\n    return "---"\n', 40)).toBeNull();
    expect(checkProgram('', programLimitBytes)).toBeNull();
  });
  it('bars a program over 64 KiB', () => {
    expect(checkProgram('', programLimitBytes + 1)).toEqual({
      code: 'PROGRAM_TOO_LARGE',
      message: 'the program has 65537 bytes, over 65536',
    });
  });
  it.each(['---\nname: x\n---\n', '\uFEFF--- \r\nx', '---'])('bars frontmatter in a program: %j', (text) => {
    expect(checkProgram(text, text.length)?.code).toBe('PROGRAM_FRONTMATTER');
  });
});
