// What the commands about runs print as JSON, as far as tests look at it: each command prints some of it.

export interface PrintedRun {
  readonly run: string;
  readonly status: string;
  readonly input: unknown;
  readonly envelope: { readonly [field: string]: unknown };
  readonly error: { readonly code: string };
  readonly trace: readonly unknown[];
  readonly questions: readonly { readonly id: string }[];
  readonly usage: { readonly asks: number; readonly commands: number; readonly wallMs: number };
  readonly effects: readonly { readonly key: string; readonly kind: string; readonly state: string }[];
  readonly runs: readonly { readonly run: string; readonly status: string }[];
  readonly cursor: string;
  readonly removed: readonly string[];
}

export function parsePrinted(text: string): PrintedRun {
  return JSON.parse(text) as PrintedRun;
}
