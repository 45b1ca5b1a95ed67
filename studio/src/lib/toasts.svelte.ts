// Short messages about what was done, or could not be.
export interface Toast {
  readonly id: number;
  readonly kind: 'done' | 'fault';
  readonly text: string;
  readonly hint: string | null;
  readonly at: number;
}

let next = 0;
let shown = $state<readonly Toast[]>([]);

export const toasts = {
  get shown(): readonly Toast[] {
    return shown;
  },
  done(text: string): void {
    add('done', text, null, 5_000);
  },
  fault(text: string, hint: string | null = null): void {
    add('fault', text, hint, 12_000);
  },
  /** To another page: what was done on this one is known. What has only now been done led there, and faults stay. */
  leave(): void {
    shown = shown.filter(({ kind, at }) => kind === 'fault' || performance.now() - at < 1_000);
  },
  close(id: number): void {
    shown = shown.filter((one) => one.id !== id);
  },
};

function add(kind: Toast['kind'], text: string, hint: string | null, ms: number): void {
  next += 1;
  const id = next;
  shown = [...shown.slice(-3), { id, kind, text, hint, at: performance.now() }];
  setTimeout(() => toasts.close(id), ms);
}
