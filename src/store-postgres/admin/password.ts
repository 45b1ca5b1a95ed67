// A password -> what the server keeps of it (SCRAM-SHA-256, RFC 5802).
//
// The server gets no password: statements that make a role may be in its log.
import { createHash, createHmac, pbkdf2Sync, randomBytes } from 'node:crypto';
import { TechneError } from '../../base/error.ts';

const iterations = 4096;

export function newPassword(): string {
  return randomBytes(24).toString('base64url');
}

/** Throws USAGE for a password that is too short, or not of plain characters. */
export function scramVerifier(password: string): string {
  // Others would have to be normalised by both sides in the same way.
  if (!/^[\x21-\x7e]{12,128}$/.test(password))
    throw new TechneError('USAGE', 'the password has fewer than 12 characters, or others than plain ones', {
      hint: '12 to 128 characters of ASCII without spaces; without --password-file techne makes one',
    });
  const salt = randomBytes(16);
  const salted = pbkdf2Sync(password, salt, iterations, 32, 'sha256');
  const keyed = (text: string): Buffer => createHmac('sha256', salted).update(text).digest();
  const stored = createHash('sha256').update(keyed('Client Key')).digest('base64');
  return `SCRAM-SHA-256$${iterations}:${salt.toString('base64')}$${stored}:${keyed('Server Key').toString('base64')}`;
}
