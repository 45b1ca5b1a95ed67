// Submits runs of the program of a team from this process, over the store, with everything open.
import { openTechne } from '../../src/techne/create-techne.ts';
import { defaultOrder, openDispatcherOf, submitRun } from '../../src/techne/serving.ts';

/** Must be closed. */
export async function openSubmitter({ home, workspace, env, store, answerer }) {
  const techne = await openTechne({
    homeFolder: home,
    cwd: workspace,
    variables: env,
    store,
    answerer,
  });
  const held = await techne.runs.hold(techne.snapshot);
  const dispatcher = await openDispatcherOf(held.runs.serving, () => undefined);
  return {
    runs: held.runs,
    /** The id of the run. */
    async submit(input) {
      const { travelling, store: kept, serving } = held.runs;
      const made = await submitRun(
        { travelling, store: kept, serving, dispatcher },
        { skill: 'steps', input, limits: { asks: 1_000 } },
        defaultOrder,
      );
      if (!made.ok) throw new Error(made.result.text);
      return made.run;
    },
    async close() {
      await dispatcher.close();
      await held.release();
      await techne.close();
    },
  };
}
