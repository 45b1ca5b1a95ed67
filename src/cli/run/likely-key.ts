// The input that a text without a key most likely means: the first required one, or the message of a composition.
import type { Snapshot } from '../../registry/snapshot.ts';

export async function likelyKey(snapshot: Snapshot, name: string): Promise<string | null> {
  if (!snapshot.has(name)) return null;
  const { head, card } = snapshot.get(name);
  const declared = head.inputs ?? [];
  const first = declared.find(({ required }) => required) ?? declared[0];
  if (first !== undefined) return first.key;
  if (card.form === 'composition' || card.form === 'chain' || card.form === 'workflow') return 'user_message';
  return (await snapshot.readBody(name)).inputKeys[0]?.key ?? null;
}
