// compose.yaml and the Dockerfile name commands, options, services and folders that exist. No engine is needed for that.
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { parseArguments } from '../src/cli/parse-arguments.ts';
import { parseStoreAddress } from '../src/store-postgres/address.ts';

interface Service {
  readonly command?: string;
  readonly image?: string;
  readonly build?: string;
  readonly depends_on?: { readonly [service: string]: { readonly condition: string } };
  readonly volumes?: readonly string[];
  readonly ports?: readonly string[];
  readonly stop_grace_period?: string;
  readonly deploy?: { readonly replicas: number };
  readonly healthcheck?: object;
}

const read = (name: string): string => readFileSync(new URL(`../${name}`, import.meta.url), 'utf8');
const text = read('compose.yaml');
const { services, volumes } = parse(text, { merge: true }) as {
  readonly services: { readonly [name: string]: Service };
  readonly volumes: object;
};
const dockerfile = read('Dockerfile');
/** As the comments and the guide say what to type: `docker compose run --rm SERVICE COMMAND`. */
const typed = [text, read('docs/guide/operating.md')].flatMap((one) => [
  ...one.matchAll(/^(?:#|\s)*docker compose run --rm (?:--build )?(\S+) (.+)$/gm),
]);

describe('compose.yaml', () => {
  it('has Postgres, a migration, a server and two workers', () => {
    expect(Object.keys(services)).toEqual(
      expect.arrayContaining(['postgres', 'migrate', 'server', 'worker']),
    );
    expect(services['worker']?.deploy?.replicas).toBe(2);
    expect(services['postgres']?.image).toMatch(/^postgres:1[4-8]$/);
  });

  it.each([
    ...Object.entries(services).flatMap(([name, { command }]) =>
      command === undefined ? [] : [[name, command] as const],
    ),
    ...typed.map(([, name = '', command = '']) => [name, command] as const),
  ])('%s: techne %s is a command with options that exist', (name, command) => {
    expect(services[name]).toBeDefined();
    const args = parseArguments(command.trim().split(/\s+/));
    expect(args.command).not.toBe(null);
    // The host of the address is a service, and its user that of the service.
    const { host, user } = parseStoreAddress(args.value('store') ?? 'postgres://techne@postgres/techne');
    expect([host, user]).toEqual(['postgres', 'techne']);
  });

  it('serves the studio, with tokens that the command of the guide makes where the server reads them', () => {
    const server = parseArguments((services['server']?.command ?? '').trim().split(/\s+/));
    expect(server.flag('studio')).toBe(true);
    expect(server.values('allow-host')).toContain('localhost');
    expect(services['server']?.ports).toEqual(['127.0.0.1:8486:8486']);
    const made = typed.map(([, name, command = '']) => ({
      name,
      args: parseArguments(command.split(/\s+/)),
    }));
    const tokens = made.filter(({ args }) => args.command?.name === 'serve token');
    expect(tokens.length).toBe(2);
    for (const { name, args } of tokens)
      expect([name, args.value('token-file')]).toEqual(['server', server.value('token-file')]);
    // On a volume, so that a new container has them.
    const folders = services['server']?.volumes?.map((mount) => mount.split(':')[1]) ?? [];
    expect(folders).toContain(dirname(server.value('token-file') ?? ''));
  });

  it('waits for the database to answer and for its tables, and names services that exist', () => {
    for (const [name, { depends_on: given = {} }] of Object.entries(services)) {
      for (const service of Object.keys(given)) expect(services[service]).toBeDefined();
      if (name === 'postgres') continue;
      expect(given['postgres']).toEqual({ condition: 'service_healthy' });
      expect(given['migrate']).toEqual(
        name === 'migrate' ? undefined : { condition: 'service_completed_successfully' },
      );
    }
    expect(services['postgres']?.healthcheck).toBeDefined();
  });

  it('gives processes more time to stop than they take', () => {
    for (const [name, fallback] of [
      ['server', 30],
      ['worker', 20],
    ] as const) {
      const { command = '', stop_grace_period: period = '10s' } = services[name] ?? {};
      const grace = Number(parseArguments(command.trim().split(/\s+/)).value('grace') ?? fallback);
      expect(Number.parseInt(period, 10)).toBeGreaterThan(grace);
    }
  });

  it('mounts volumes that exist, at folders that the user of the image may write', () => {
    const mounts = Object.values(services).flatMap(({ volumes: mounted = [], build }) =>
      mounted.map((mount) => {
        const [source = '', folder = ''] = mount.replace(/\$\{[^}]*\}/, '.').split(':');
        return { source, folder, isOurs: build !== undefined };
      }),
    );
    const named = mounts.map(({ source }) => source).filter((source) => /^\w/.test(source));
    expect([...new Set(named)].toSorted()).toEqual(Object.keys(volumes).toSorted());
    const ours = mounts.filter(({ isOurs }) => isOurs).map(({ folder }) => folder);
    const made = /mkdir ([^\n&]+) && chown node ([^\n]+)/.exec(dockerfile) ?? [];
    expect(made[1]).toBe(made[2]);
    expect([...new Set(ours)].toSorted()).toEqual(made[1]?.split(' ').toSorted());
  });
});

describe('the Dockerfile', () => {
  it('installs the versions of optional packages that techne is tested with', () => {
    const { devDependencies } = JSON.parse(read('package.json')) as {
      readonly devDependencies: { readonly [name: string]: string };
    };
    for (const name of ['pg', '@dbos-inc/dbos-sdk'])
      expect(dockerfile).toContain(`${name}@${devDependencies[name]}`);
  });
});
