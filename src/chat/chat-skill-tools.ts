// The skill tools of a conversation: skill_search, skill_load, skill_read, and run_metaskill where skills can be run.
//
// A run needs the same approval as every tool that changes something (permit.ts), besides those of its own effects. A
// run that is stopped with the turn stays resumable. Every skill whose text a result may hold is reported to the
// conversation.
import type { Abort } from '../base/abort.ts';
import { neverAborted } from '../base/abort.ts';
import type { SkillSession } from '../prompt/skill-session.ts';
import { maximumLimits } from '../run/budget/limits.ts';
import { RunDetachedError } from '../run/drive/drive.ts';
import type { RunResult } from '../run/result/result.ts';
import type { StartRequest } from '../run/runner.ts';
import { readToolArguments, runMetaskillTool } from '../run/tools/run-metaskill.ts';
import type { Tool, ToolResult, ToolUse } from '../ports/tool.ts';
import type { Permits } from './permit.ts';
import { permit, permitRefusalText } from './permit.ts';

/** Starts a run and brings it to its end as far as that is possible here: progress is shown, questions are asked. */
export interface RunHere {
  /** `onRun` is called as soon as there is a run. Rejects with a `RunDetachedError` when the signal aborts. */
  start(
    request: Omit<StartRequest, 'signal' | 'answerer'>,
    onRun: (run: string, skill: string) => Promise<void>,
    signal: Abort,
  ): Promise<RunResult>;
}

/** What `run_metaskill` needs. */
interface RunToolOptions {
  readonly runs: RunHere;
  readonly permits: Permits;
  /** Why the configuration forbids the tool, or `null`. */
  readonly denial: string | null;
  /** The skills that took part in a run, and those whose files it may hand on. */
  readonly skillsOf: (result: RunResult) => Promise<readonly string[]>;
}

/** `running` is `null` where nothing can be run. */
export function chatSkillTools(skills: SkillSession, running: RunToolOptions | null): readonly Tool[] {
  const own = skills.tools.map((tool): Tool => ({
    ...tool,
    async call(args, use = {}) {
      const result = await tool.call(args, use);
      const skill = result.metadata?.['skill_id'];
      if (typeof skill === 'string') await use.onSkill?.(skill);
      return result;
    },
  }));
  const definition = running === null ? null : runMetaskillTool(skills.runnable(), maximumLimits);
  if (running === null || definition === null) return own;
  return [
    ...own,
    {
      ...definition,
      // A missing input reaches the run, which answers with what it needs.
      parameters: { ...definition.parameters, required: ['name'] },
      async call(args, use = {}) {
        const { signal = neverAborted } = use;
        const read = readToolArguments(args, skills);
        if (!read.ok) return { ok: false, text: read.message };
        const { denial, permits } = running;
        const granted = await permit(permits, {
          scoped: { tool: definition.name },
          grantable: true,
          readOnly: false,
          signal,
          question: { kind: 'tool', tool: definition.name, args },
          ...(use.id === undefined ? {} : { call: use.id }),
          judge: async () => (denial === null ? { kind: 'allow' } : { kind: 'deny', reason: denial }),
        });
        return granted.ok
          ? runForCall(running, read.request, use)
          : { ok: false, text: permitRefusalText(granted) };
      },
    },
  ];
}

async function runForCall(
  { runs, skillsOf }: RunToolOptions,
  request: StartRequest,
  use: ToolUse,
): Promise<ToolResult> {
  const { signal = neverAborted } = use;
  const onRun = async (run: string, skill: string): Promise<void> => use.onRun?.(run, skill);
  await use.begin?.();
  try {
    const result = await runs.start(request, onRun, signal);
    if (result.run !== null) await use.onRunDetached?.(result.run, result.status, result.usage);
    for (const skill of await skillsOf(result)) await use.onSkill?.(skill);
    return { ok: result.status === 'completed', text: runText(result) };
  } catch (error) {
    if (!(error instanceof RunDetachedError)) throw error;
    if (error.run !== null) await use.onRunDetached?.(error.run, 'interrupted', error.usage);
    return {
      ok: false,
      text: `error: the person stopped it; ${error.message}`,
    };
  }
}

/** The text for the model: for a paused run also who has to act. */
export function runText({ status, text, run }: RunResult): string {
  if (status === 'paused')
    return `${text}\nThe run ${run ?? ''} waits for the person, who can answer later. Continue without it, or say that it waits.`;
  return text;
}
