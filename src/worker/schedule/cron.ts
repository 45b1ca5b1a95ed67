// A cron expression and a time zone -> the times that it names.
//
// Five fields (minute, hour, day, month, day of the week), names, ranges, steps and @daily and the like. A day and a day of the week
// that are both given are alternatives, as in every cron. Where clocks are put forward, a time that does not exist is the first
// moment after the gap; where they are put back, a fixed time counts once, and "every so many minutes" goes through the hour twice.
import { Cron } from 'croner';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';

export interface CronTimes {
  /** The first time after this one; `null`: there is none. */
  after(ms: number): number | null;
}

/** Throws USAGE with the fault. */
export function parseCron(expression: string, timezone: string): CronTimes {
  if (!isTimeZone(timezone))
    throw new TechneError('USAGE', `"${printableLine(timezone.slice(0, 80))}" is not a time zone`, {
      hint: 'an IANA name, such as Europe/Berlin, America/New_York or UTC',
    });
  let cron: Cron;
  try {
    cron = new Cron(expression, { timezone, mode: '5-part', paused: true });
  } catch (error) {
    if (!(error instanceof Error)) throw error;
    throw new TechneError(
      'USAGE',
      `"${printableLine(expression.slice(0, 120))}" is not a cron expression: ${printableLine(reasonOf(error))}`,
      {
        hint: 'minute hour day month weekday, such as "0 3 * * *" (at 3:00), "*/15 9-17 * * MON-FRI" or @daily',
        cause: error,
      },
    );
  }
  return {
    after(ms) {
      const found = cron.nextRun(new Date(ms))?.getTime() ?? null;
      // A library that stands still must not make us fire for ever.
      if (found !== null && found <= ms) throw new Error(`the cron expression "${expression}" stands still`);
      return found;
    },
  };
}

function reasonOf({ message }: Error): string {
  if (/exactly five, six, or seven|requires exactly 5 parts/.test(message))
    return 'it needs five fields, or a word such as @daily';
  return message.replace(/^CronPattern: /, '').replace(/\.$/, '');
}

function isTimeZone(name: string): boolean {
  // Offsets such as +01:00 have no daylight saving; names do.
  if (!/^[A-Za-z]/.test(name)) return false;
  try {
    Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}
