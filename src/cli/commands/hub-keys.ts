// techne hub keys
//
// JSON: list {own: [{name, keyId, privateFile, publicFile}], trusted: [{keyId, name, trustedAt}], hubs: [{hub, keyId, sequence}]};
// new, one of `own`; trust, one of `trusted`; forget {keys, hubs}. No option answers for the person.
import { TechneError } from '../../base/error.ts';
import { printableLine } from '../../base/printable.ts';
import { renderTable } from '../../base/render-table.ts';
import { homePath } from '../../techne/paths.ts';
import type { Hubs } from '../../techne/publish/open-hubs.ts';
import { fingerprintOf } from '../../techne/publish/open-hubs.ts';
import { askPerson, requireTerminal } from '../ask-person.ts';
import type { CommandContext } from '../context.ts';
import { exitCodes } from '../exit-code.ts';
import { openHubsOf } from '../open-hubs-of.ts';
import { openLibrary } from '../open-library.ts';

export async function runHubKeys(context: CommandContext): Promise<number> {
  const { args } = context;
  const [action = 'list', what] = args.positionals;
  if (args.flag('as') && action !== 'trust')
    throw new TechneError('USAGE', '--as is for techne hub keys trust', { hint: 'leave it out' });
  if (action === 'list' && what !== undefined)
    throw new TechneError('USAGE', 'techne hub keys list takes nothing else', { hint: 'leave it out' });
  const hubs = openHubsOf(context, await openLibrary(context));
  if (action === 'list') return listKeys(context, hubs);
  if (what === undefined || what === '')
    throw new TechneError(
      'USAGE',
      `techne hub keys ${action} needs ${action === 'new' ? 'a name' : 'a key'}`,
      {
        hint: `techne hub keys ${action} ${action === 'new' ? 'NAME' : 'WHAT'}; see techne hub keys --help`,
      },
    );
  switch (action) {
    case 'new':
      return newKey(context, hubs, what);
    case 'trust':
      return trustKey(context, hubs, what);
    default:
      return forget(context, hubs, what);
  }
}

async function newKey(
  { json, out, err, io, quiet }: CommandContext,
  hubs: Hubs,
  name: string,
): Promise<number> {
  const key = await hubs.own.create(name);
  if (json) {
    out.json(key);
    return exitCodes.fine;
  }
  out.line(`${key.name}  ${fingerprintOf(key.keyId)}`);
  if (!quiet) {
    err.line(
      `The private key is in ${printableLine(homePath(key.privateFile, io))}. Keep it to yourself, and keep a copy.`,
    );
    err.line(
      `Give others ${printableLine(homePath(key.publicFile, io))}, and tell them the fingerprint above.`,
    );
    err.line(`Sign with it: techne publish DIR --out SITE --sign ${key.name}`);
  }
  return exitCodes.fine;
}

async function trustKey(context: CommandContext, hubs: Hubs, what: string): Promise<number> {
  const { args, json, out, err, io } = context;
  requireTerminal(io, 'trusting a key', 'run it in a terminal, and compare the fingerprint there');
  const found = await hubs.findKey(what);
  const name = args.value('as') ?? found.name;
  const { keys } = await hubs.trusted.read();
  const other = keys.find((key) => key.name === name && key.keyId !== found.keyId);
  if (other !== undefined)
    throw new TechneError('TARGET_EXISTS', `you trust another key as "${name}"`, {
      hint: 'choose another name with --as, or forget the other key first',
    });
  err.line(`The key of "${printableLine(name)}" has the fingerprint\n`);
  err.line(`  ${fingerprintOf(found.keyId)}\n`);
  err.line(`  ${found.keyId}\n`);
  err.line(
    'Hubs that it signs are shown as published by this name. Compare the fingerprint with one that the publisher gave you another way, such as by telephone.',
  );
  if (!(await askPerson(context, 'Do you trust this key?'))) {
    err.line('Nothing was trusted.');
    return exitCodes.files;
  }
  const record = { keyId: found.keyId, name, trustedAt: new Date().toISOString() };
  await hubs.trusted.trust(record);
  if (json) out.json(record);
  else out.line(`Trusted: ${printableLine(name)}`);
  return exitCodes.fine;
}

async function forget({ json, out, err }: CommandContext, hubs: Hubs, what: string): Promise<number> {
  const forgotten = await hubs.forget(what);
  if (json) out.json(forgotten);
  for (const { name } of json ? [] : forgotten.keys) out.line(`No longer trusted: ${printableLine(name)}`);
  for (const { hub } of json ? [] : forgotten.hubs) out.line(`Forgotten: ${printableLine(hub)}`);
  if (forgotten.keys.length + forgotten.hubs.length > 0) return exitCodes.fine;
  err.line(`There is no trusted key and no signed hub "${printableLine(what)}"; techne hub keys lists them.`);
  return exitCodes.files;
}

async function listKeys({ json, out, err, io, quiet }: CommandContext, hubs: Hubs): Promise<number> {
  const own = await hubs.own.list();
  const { keys: trusted, hubs: seen } = await hubs.trusted.read();
  if (json) {
    out.json({ own, trusted, hubs: seen });
    return exitCodes.fine;
  }
  const nameOf = new Map(trusted.map(({ keyId, name }) => [keyId, name]));
  out.write(
    renderTable(
      [
        ...own.map(({ name, keyId, publicFile }) => [
          'yours',
          printableLine(name),
          fingerprintOf(keyId),
          printableLine(homePath(publicFile, io)),
        ]),
        ...trusted.map(({ name, keyId, trustedAt }) => [
          'trusted',
          printableLine(name),
          fingerprintOf(keyId),
          printableLine(trustedAt.slice(0, 10)),
        ]),
        ...seen.map(({ hub, keyId }) => [
          'hub',
          printableLine(hub),
          fingerprintOf(keyId),
          printableLine(nameOf.get(keyId) ?? 'not trusted'),
        ]),
      ],
      null,
    ),
  );
  if (own.length + trusted.length + seen.length === 0 && !quiet)
    err.line('There are no keys. techne hub keys new NAME makes one; techne hub keys trust WHAT trusts one.');
  return exitCodes.fine;
}
