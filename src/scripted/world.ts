// A script -> a world for runs: its answers, the results of commands and tools, and the replies to forms. What the script
// does not mention is done by this machine as usual.
import { TechneError } from '../base/error.ts';
import type { JsonObject } from '../base/json.ts';
import type { Answerer } from '../ports/answerer.ts';
import type { Questioner } from '../run/drive/drive.ts';
import type { RunView } from '../run/history/inspect.ts';
import { createScriptAnswerer } from './answerer.ts';
import type { ScriptedCommandHost } from './commands.ts';
import { createScriptedCommands } from './commands.ts';
import { ScriptedInputs } from './inputs.ts';
import type { RefusedInput } from './inputs.ts';
import type { Script } from './script-file.ts';
import type { ScriptedToolHost } from './tools.ts';
import { createScriptedTools } from './tools.ts';

export interface ScriptedWorld {
  readonly answerer: Answerer;
  /** Instead of the commands of this machine; `null` when the script has none. */
  readonly commands: ScriptedCommandHost | null;
  /** Instead of the tools of this machine; `null` when the script has none. */
  readonly tools: ScriptedToolHost | null;
  /** Replies to forms; `null` when the script has none. */
  readonly questioner: Questioner | null;
  /** Counts as used what a run that is resumed has already used. */
  skip(run: RunView): void;
}

export function createScriptedWorld(name: string, script: Script): ScriptedWorld {
  const commands = script.commands.length === 0 ? null : createScriptedCommands(script.commands);
  const tools = script.tools.length === 0 ? null : createScriptedTools(script.tools);
  const inputs = script.inputs.length === 0 ? null : new ScriptedInputs(script.inputs);
  return {
    answerer: createScriptAnswerer(name, script.answers),
    commands,
    tools,
    questioner: inputs === null ? null : scriptQuestioner(inputs, refuse),
    skip({ effects, questions }) {
      for (const { kind, state, request } of effects) {
        if (state === 'under-way') continue;
        const {
          argv = [],
          tool = '',
          args = {},
        } = request as {
          readonly argv?: readonly string[];
          readonly tool?: string;
          readonly args?: JsonObject;
        };
        if (kind === 'command') commands?.take(argv);
        if (kind === 'tool') tools?.take(tool, args);
      }
      inputs?.skip(questions.filter(({ answer }) => answer !== null));
    },
  };
}

/** Answers forms with the replies of a script, each once. A reply that the form refuses is reported and the form stays open. */
export function scriptQuestioner(
  inputs: ScriptedInputs,
  onRefused: (refused: RefusedInput, run: string) => void,
): Questioner {
  /** By question, since several runs may ask at the same time. */
  const given = new Map<string, RefusedInput['input']>();
  return (question, { refused }) => {
    const before = given.get(question.id);
    if (refused !== null && before !== undefined) {
      onRefused({ input: before, message: refused.message }, question.run);
      return 'open';
    }
    const input = inputs.take(question);
    if (input === null) return 'open';
    given.set(question.id, input);
    return { answer: input.value };
  };
}

function refuse({ message }: RefusedInput, run: string): never {
  throw new TechneError('ANSWER_REFUSED', `a form refused the reply of the script: ${message}`, {
    hint: `fix "inputs" of the script, then: techne runs resume ${run}`,
  });
}
