// What a run may use, and what a caller may ask for.
//
// Every limit is finite and enforced by the engine, whatever tools are offered. A caller may set a limit up to the
// host's maximum; more is clamped, and the usage in the result reports it. A resumed run keeps its limits and what it
// has used.

/** What a run is allowed. */
export interface RunLimits {
  readonly asks: number;
  readonly commands: number;
  /** While running; time while paused is not counted. */
  readonly wallMs: number;
  readonly traceEntries: number;
  readonly traceEntryUnits: number;
  readonly answerUnits: number;
  readonly commandUnits: number;
  readonly resultUnits: number;
  readonly turnsPerAsk: number;
  readonly commandTimeoutMs: number;
  readonly commandTimeoutMaxMs: number;
  /** Shared with everything nested. */
  readonly tokens: number;
  readonly costMicros: number;
  readonly steps: number;
  readonly memoryBytes: number;
  /** Parallel effects. */
  readonly parallel: number;
  /** Depth of nested runs. */
  readonly depth: number;
  /** Nested runs, at every depth. */
  readonly runs: number;
}

/** The limits of a run, unless the caller asks for others. */
export const defaultLimits: RunLimits = {
  asks: 5,
  commands: 10,
  wallMs: 300_000,
  traceEntries: 100,
  traceEntryUnits: 4_000,
  answerUnits: 20_000,
  commandUnits: 20_000,
  resultUnits: 20_000,
  turnsPerAsk: 30,
  commandTimeoutMs: 30_000,
  commandTimeoutMaxMs: 120_000,
  tokens: 2_000_000,
  costMicros: 10_000_000,
  steps: 100_000_000,
  memoryBytes: 64 * 1024 * 1024,
  parallel: 4,
  depth: 2,
  // One for each item of the longest for_each.
  runs: 1_000,
};

export const limitNames = Object.keys(defaultLimits) as readonly (keyof RunLimits)[];

/** What a caller can raise a limit to. */
export const maximumLimits: RunLimits = {
  ...defaultLimits,
  asks: 50,
  commands: 100,
  wallMs: 3_600_000,
  tokens: 20_000_000,
  costMicros: 100_000_000,
  steps: 1_000_000_000,
  memoryBytes: 256 * 1024 * 1024,
  parallel: 100,
  runs: 10_000,
};
