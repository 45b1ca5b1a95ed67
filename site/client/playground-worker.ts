// The worker of the playground: a request -> lines as they come, then the outcome. The page ends it to stop a program.
import type { Asked, Outcome } from './evaluate.ts';
import { evaluateProgram } from './evaluate.ts';

export type FromWorker =
  | { readonly type: 'ready' }
  | { readonly type: 'line'; readonly kind: 'print' | 'call'; readonly text: string }
  | { readonly type: 'outcome'; readonly outcome: Outcome };

const scope = globalThis as unknown as {
  addEventListener(type: 'message', listen: (event: { readonly data: Asked }) => void): void;
  postMessage(message: FromWorker): void;
};

scope.addEventListener('message', ({ data }) => void answer(data));
scope.postMessage({ type: 'ready' });

async function answer(asked: Asked): Promise<void> {
  const outcome =
    asked.kind === 'plan'
      ? (await import('./evaluate-plan.ts')).evaluatePlan(asked.source)
      : evaluateProgram(
          asked,
          (kind, text) => scope.postMessage({ type: 'line', kind, text }),
          () => performance.now(),
        );
  scope.postMessage({ type: 'outcome', outcome });
}
