// techne serve token
//
// JSON: create: {name, role, expiresAt, token}; list: [{name, role, createdAt, expiresAt, revokedAt, state}]; revoke: {name, revokedAt}.
import { join, resolve } from 'node:path';
import { isRole, roles } from '../../api/role.ts';
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import { createNodeFiles } from '../../node/files/files.ts';
import { localTime } from '../../techne/local-time.ts';
import type { TokenRecord } from '../../techne/tokens/token-file.ts';
import { TokenFile } from '../../techne/tokens/token-file.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { parseAge } from './runs-prune.ts';

export function tokenFilePath({ args, io }: CommandContext): string {
  const named = args.value('token-file');
  return named === null ? join(io.homeFolder, '.techne', 'tokens.json') : resolve(io.cwd, named);
}

export async function runServeToken(context: CommandContext): Promise<number> {
  const { args } = context;
  const [action = 'list', name] = args.positionals;
  const tokens = new TokenFile({ file: tokenFilePath(context), files: createNodeFiles(), nowMs: Date.now });
  if (action === 'list') {
    if (name !== undefined) throw new TechneError('USAGE', 'techne serve token list takes no name');
    return list(context, tokens);
  }
  if (name === undefined)
    throw new TechneError('USAGE', `techne serve token ${action} needs the name of the token`, {
      hint: `techne serve token ${action} ci`,
    });
  return action === 'create' ? create(context, tokens, name) : revoke(context, tokens, name);
}

async function create({ args, json, out, err, quiet }: CommandContext, tokens: TokenFile, name: string) {
  const role = args.value('role');
  if (role === null || !isRole(role))
    throw new TechneError('USAGE', '--role is missing: what may the token do?', {
      hint: `--role ${roles.join(', --role ')}`,
    });
  const age = args.value('expires');
  const expiresAt = age === null ? null : Date.now() + parseAge(age, 'expires');
  const token = await tokens.create(name, role, expiresAt);
  if (json) out.json({ name, role, expiresAt, token });
  else {
    out.line(token);
    if (!quiet) err.line(`This is shown only once. Use it as: Authorization: Bearer TOKEN`);
  }
  return exitCodes.fine;
}

function list({ json, out, columns }: CommandContext, tokens: TokenFile): number {
  const nowMs = Date.now();
  const found = tokens
    .list()
    .map(({ hash: _hash, ...record }) => ({ ...record, state: stateOf(record, nowMs) }));
  if (json) out.json(found);
  else if (found.length === 0)
    out.line('There is no token yet. "techne serve token create NAME --role ROLE" makes one.');
  else
    out.write(
      renderTable(
        [
          ['NAME', 'ROLE', 'STATE', 'CREATED', 'EXPIRES'],
          ...found.map(({ name, role, state, createdAt, expiresAt }) => [
            printableLine(name),
            role,
            state,
            timeText(createdAt),
            expiresAt === null ? 'never' : timeText(expiresAt),
          ]),
        ],
        columns,
      ),
    );
  return exitCodes.fine;
}

async function revoke({ json, out }: CommandContext, tokens: TokenFile, name: string): Promise<number> {
  const { revokedAt } = await tokens.revoke(name);
  if (json) out.json({ name, revokedAt });
  else out.line(`The token "${printableLine(name)}" is refused from now on.`);
  return exitCodes.fine;
}

function stateOf(
  { revokedAt, expiresAt }: Pick<TokenRecord, 'revokedAt' | 'expiresAt'>,
  nowMs: number,
): string {
  if (revokedAt !== null) return 'revoked';
  return expiresAt !== null && expiresAt <= nowMs ? 'expired' : 'valid';
}

function timeText(ms: number): string {
  return localTime(new Date(ms).toISOString());
}
