// Which skills a person agreed to install on this machine, and as which content.
//
//   ~/.techne/hub/KEY/installed.json <-> Receipts
//
// The lock of a workspace is a file that others write too. A receipt is the user's own: a skill that has one and is no
// longer in the lock is not taken for local work, and content that has one is restored without another question.
import { TechneError } from '../../base/error.ts';
import { isJsonObject, jsonIn } from '../../base/json.ts';
import { isSkillName } from '../lock/lock.ts';

export interface Receipt {
  readonly source: string;
  readonly digest: string;
}

export type Receipts = ReadonlyMap<string, Receipt>;

export function renderReceipts(receipts: Receipts): string {
  const skills = Object.create(null) as { [name: string]: Receipt };
  for (const name of [...receipts.keys()].sort()) skills[name] = receipts.get(name) as Receipt;
  return `${JSON.stringify({ version: 1, skills }, null, 2)}\n`;
}

/** Throws LOCK_INVALID. */
export function parseReceipts(text: string, file: string): Receipts {
  const value = jsonIn(text);
  const skills = isJsonObject(value) && value['version'] === 1 ? value['skills'] : undefined;
  const receipts = new Map<string, Receipt>();
  for (const [name, one] of isJsonObject(skills) ? Object.entries(skills) : [['', null] as const]) {
    const { source, digest } = isJsonObject(one) ? one : {};
    if (!isSkillName(name) || typeof source !== 'string' || typeof digest !== 'string')
      throw new TechneError('LOCK_INVALID', `the record of installed skills "${file}" cannot be used`, {
        hint: `look at what is installed with "techne hub list", then remove "${file}"`,
      });
    receipts.set(name, { source, digest });
  }
  return receipts;
}
