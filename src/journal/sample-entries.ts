// Sample entries for tests.
import type { EffectEnded, EffectStarted, RunEnded, RunStarted, TraceAdded } from './entry.ts';

export function started(run: string): RunStarted {
  return {
    type: 'run.started',
    at: 1,
    run,
    skill: { name: 'tides', form: 'program', digest: `sha256:${'0'.repeat(64)}` },
    files: {},
    profile: 'starlark-1',
    input: { value: {} },
    limits: {},
    settings: {},
    parent: null,
  };
}

export function trace(kind: string): TraceAdded {
  return { type: 'trace.added', at: 2, kind, data: { value: { kind } } };
}

export function effectStarted(key: string, at = 2): EffectStarted {
  return {
    type: 'effect.started',
    at,
    key,
    kind: 'command',
    hash: `hash of ${key}`,
    request: { value: { argv: ['true'] } },
    repeatable: true,
    attempt: 1,
  };
}

export function effectEnded(key: string, at = 3): EffectEnded {
  return {
    type: 'effect.ended',
    at,
    key,
    ok: true,
    result: { value: { ok: true, exit_code: 0, result: `of ${key}` } },
    ms: 1,
  };
}

export function ended(): RunEnded {
  return {
    type: 'run.ended',
    at: 9,
    status: 'completed',
    text: { value: 'done' },
    error: null,
    usage: {},
    steps: 12,
  };
}
