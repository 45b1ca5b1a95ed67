// The contract of the ToolHost port.
import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../base/json.ts';
import type { CommandCaller } from './command-host.ts';
import type { ToolHost } from './tool-host.ts';

export interface ToolHostSample {
  readonly host: ToolHost;
  /** Only reads, and gives this text. */
  readonly reading: { readonly tool: string; readonly args: JsonObject; readonly text: string };
  readonly changing: { readonly tool: string; readonly args: JsonObject };
  readonly failing: { readonly tool: string; readonly args: JsonObject; readonly message: string };
}

const caller: CommandCaller = {
  run: 'R',
  key: 'step',
  skill: 'plan',
  digest: 'sha256:1',
  trusted: true,
  skillFolder: null,
};
const { signal } = new AbortController();

export function toolHostContract(name: string, sample: () => ToolHostSample): void {
  describe(`${name} keep the contract of tools`, () => {
    it('lists what it finds, and finds what it lists', async () => {
      const { host, reading, changing } = sample();
      const { tools, faults } = await host.list();
      expect(faults).toEqual([]);
      expect(new Set(tools.map((tool) => tool.name)).size).toBe(tools.length);
      for (const tool of tools) expect(await host.find(tool.name)).toEqual(tool);
      expect([(await host.find(reading.tool))?.readOnly, (await host.find(changing.tool))?.readOnly]).toEqual(
        [true, false],
      );
      expect(await host.find('no_such_tool')).toBeNull();
    });

    it('judges without doing anything: reading is allowed, changing is asked about', async () => {
      const { host, reading, changing } = sample();
      expect(await host.judge({ ...reading, timeoutMs: 1_000 }, caller, null)).toEqual({ kind: 'allow' });
      expect(await host.judge({ ...changing, timeoutMs: 1_000 }, caller, null)).toMatchObject({
        kind: 'approve',
      });
      expect(await host.judge({ ...changing, timeoutMs: 1_000 }, caller, 'once')).toEqual({ kind: 'allow' });
      expect(await host.judge({ ...changing, timeoutMs: 1_000 }, caller, 'deny')).toMatchObject({
        kind: 'deny',
      });
      expect(
        await host.judge({ tool: 'no_such_tool', args: {}, timeoutMs: 1_000 }, caller, 'always'),
      ).toMatchObject({ kind: 'deny' });
    });

    it('gives what a tool gives; a failure is an outcome', async () => {
      const { host, reading, failing } = sample();
      expect(
        await host.call({ tool: reading.tool, args: reading.args, timeoutMs: 20_000 }, caller, { signal }),
      ).toMatchObject({ ok: true, text: reading.text });
      expect(
        await host.call({ tool: failing.tool, args: failing.args, timeoutMs: 20_000 }, caller, { signal }),
      ).toMatchObject({
        ok: false,
        timedOut: false,
        message: expect.stringContaining(failing.message) as string,
      });
      expect(
        await host.call({ tool: 'no_such_tool', args: {}, timeoutMs: 1_000 }, caller, { signal }),
      ).toMatchObject({ ok: false });
    });

    it('closes, and more than once', async () => {
      const { host, reading } = sample();
      await host.find(reading.tool);
      await host.close();
      await expect(host.close()).resolves.toBeUndefined();
    });
  });
}
