// Events of a run -> progress notifications.
//
//   RunEvent -> { progress, message }
//
// `progress` grows with every message, as the protocol requires; the message has the number of finished steps. Messages never
// contain prompts, answers or commands.
import { printableLine } from '../base/printable.ts';
import type { RunEvent } from '../run/events.ts';

interface ProgressNote {
  readonly progress: number;
  readonly message: string;
}

export function createProgressNotes(): (event: RunEvent) => ProgressNote | null {
  let own: string | null = null;
  let steps = 0;
  let ended = 0;
  let progress = 0;
  const messageOf = (event: RunEvent): string | null => {
    if (event.type === 'run.started' || event.type === 'run.resumed') own ??= event.run;
    switch (event.type) {
      case 'run.started':
        return event.run === own
          ? `run ${event.run} of ${printableLine(event.skill)} started`
          : `a run of ${printableLine(event.skill)} started inside it`;
      case 'run.resumed':
        return event.run === own ? `run ${event.run} resumed` : null;
      case 'plan.opened':
        if (event.run === own) steps = event.steps.length;
        return null;
      case 'step.ended':
        if (event.run !== own) return null;
        ended += 1;
        return `step ${ended} of ${steps}, ${printableLine(event.step)}: ${event.status}`;
      case 'effect.started':
        return `${event.kind} ${printableLine(event.key)} started`;
      case 'effect.ended':
        return `${event.kind} ${printableLine(event.key)} ${event.ok ? 'is done' : 'failed'}`;
      case 'question.asked':
        return `waits for the ${event.audience}`;
      case 'run.paused':
      case 'run.ended':
      case 'effect.text':
      case 'budget.used':
      case 'trace.added':
      case 'question.answered':
      case 'answer.refused':
      case 'effect.undecided':
      case 'tool.failed':
      case 'skill.loaded':
        return null;
    }
  };
  return (event) => {
    const message = messageOf(event);
    if (message === null) return null;
    progress += 1;
    return { progress, message };
  };
}
