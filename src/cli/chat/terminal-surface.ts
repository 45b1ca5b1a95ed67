// What a terminal does for a conversation: events as lines, approvals and questions of runs at the prompt.
import type { ChatSurface } from '../../techne/chat/open-chat.ts';
import { defaultLimits } from '../../run/budget/limits.ts';
import type { CommandContext } from '../context.ts';
import { isAtTerminal } from '../io.ts';
import { createTerminalQuestions } from '../run/drive-run.ts';
import { createProgress } from '../run/progress.ts';
import { askChatApproval } from './ask-approval.ts';
import type { ShowChat } from './show-chat.ts';

export function terminalSurface(context: CommandContext, show: ShowChat): ChatSurface {
  return {
    onEvent: show.onEvent,
    onOutput: show.onOutput,
    onWarning: (message) => show.warn(message),
    onNote: (message) => show.note(message),
    ask: isAtTerminal(context.io)
      ? async (question, { workspace }, signal) => {
          show.endText();
          const approval = await askChatApproval(context, question, workspace, signal);
          show.wait('running');
          return approval === null ? null : { approval };
        }
      : null,
    watchRun(open) {
      const progress = createProgress(context, defaultLimits, null);
      return {
        options: {
          ...createTerminalQuestions(context, open, progress).options,
          onWait: () => context.err.line('Another process drives the run; its result is shown here, too.'),
        },
        onEvent: progress.onEvent,
        end: () => progress.end(),
      };
    },
  };
}
