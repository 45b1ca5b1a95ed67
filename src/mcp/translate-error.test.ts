import { ProtocolError } from '@modelcontextprotocol/server';
import { describe, expect, it } from 'vitest';
import type { ErrorCode } from '../base/error.ts';
import { TechneError, errorCodes } from '../base/error.ts';
import { DetachSignal, Stopping } from '../run/effect/effect-context.ts';
import { failedTool } from './tool-result.ts';
import { protocolError } from './translate-error.ts';

const noBug = (error: unknown): never => {
  throw error;
};

describe('protocolError', () => {
  it('has a number for every code, and says which it is', () => {
    for (const code of Object.keys(errorCodes) as ErrorCode[]) {
      const told = protocolError(new TechneError(code, 'no', { hint: 'try' }), noBug);
      expect([-32602, -32603]).toContain(told.code);
      expect(told.data).toEqual({ code, hint: 'try' });
    }
    expect(protocolError(new TechneError('SKILL_UNKNOWN', 'no'), noBug).code).toBe(-32602);
    expect(protocolError(new TechneError('JOURNAL_FULL', 'no'), noBug).code).toBe(-32603);
  });

  it('is bounded, whatever it is about (translate-error#X2)', () => {
    const { message, data } = protocolError(
      new TechneError('USAGE', '🌊'.repeat(9_000), { hint: '\u0001'.repeat(9_000) }),
      noBug,
    );
    expect([message.length, (data as { readonly hint: string }).hint.length]).toEqual([4_000, 4_000]);
  });

  it('gives errors of the protocol on as they are', () => {
    const error = new ProtocolError(-32601, 'unknown');
    expect(protocolError(error, noBug)).toBe(error);
  });

  it('says nothing of our own mistakes but that there was one', () => {
    const bugs: unknown[] = [];
    const bug = new Error('/home/me/secret');
    const told = protocolError(bug, (error) => bugs.push(error));
    expect([told.code, told.message, told.data]).toEqual([
      -32603,
      'internal error in techne; see the log of the server',
      { code: 'INTERNAL', hint: null },
    ]);
    expect(bugs).toEqual([bug]);
  });
});

describe('failedTool', () => {
  it.each([new Stopping(), new DetachSignal()])('does not take a detached run for a mistake', (error) => {
    expect(failedTool(error, noBug)).toMatchObject({
      isError: true,
      structuredContent: {
        error: { code: 'RUN_UNFINISHED', message: 'the run was stopped and can be resumed' },
      },
    });
  });

  it('is a result that a model can act on, in both of its parts', () => {
    expect(
      failedTool(new TechneError('RUN_UNKNOWN', 'there is no run "x\u001b[2J"', { hint: 'look' }), noBug),
    ).toEqual({
      isError: true,
      content: [{ type: 'text', text: 'error: there is no run "x\\u{1B}[2J"\nlook' }],
      structuredContent: {
        error: { code: 'RUN_UNKNOWN', message: 'there is no run "x\\u{1B}[2J"', hint: 'look' },
      },
    });
  });
});
