// Where webhooks may be sent: not to private addresses, whatever a name stands for, unless the operator names the host.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Receiver } from '../../../test/support/webhook-receiver.ts';
import { openReceiver } from '../../../test/support/webhook-receiver.ts';
import { parseReceiver, parseServer, postWebhook } from './receiver.ts';

const never = new AbortController().signal;
const payload = { headers: { 'webhook-id': 'msg_1' }, body: '{}' };

describe('parseReceiver', () => {
  it.each([
    ['not an address', 'that is no address'],
    [`https://a.example/${'x'.repeat(2_048)}`, 'that is no address'],
    ['ftp://a.example/', 'only https is allowed'],
    ['file:///etc/passwd', 'only https is allowed'],
    ['https://me:secret@a.example/', 'it holds a user name or a password'],
    ['http://a.example/', 'plain http can be read on its way'],
    ['http://127.0.0.1/', 'plain http can be read on its way'],
  ])('refuses %s', (text, why) => {
    expect(() => parseReceiver(text, [])).toThrow(why);
  });

  it('takes https, and plain http to a host that is named', () => {
    expect(parseReceiver('https://a.example/x?y=1', []).href).toBe('https://a.example/x?y=1');
    expect(parseReceiver('http://Hooks.corp/x', ['hooks.CORP']).host).toBe('hooks.corp');
  });

  it('takes the address of a server without more', () => {
    expect(parseServer('https://runs.example.org/base').pathname).toBe('/base');
    for (const wrong of ['x', 'ftp://a', 'https://a/?q=1', 'https://a/#h', 'https://me@a/'])
      expect(() => parseServer(wrong)).toThrow('cannot be the address of a server');
  });
});

describe('postWebhook', () => {
  let receiver: Receiver;
  beforeAll(async () => {
    receiver = await openReceiver();
  });
  afterAll(() => receiver.close());

  it.each([
    'https://127.0.0.1/',
    'https://[::1]/',
    'https://10.1.2.3/',
    'https://169.254.169.254/latest/meta-data',
    'https://[::ffff:127.0.0.1]/',
    'https://0x7f000001/',
    'https://2130706433/',
  ])('refuses the private address %s', async (url) => {
    expect(await postWebhook(url, payload, { allowHosts: [], signal: never })).toMatchObject({
      fault: expect.stringContaining('is not a public one') as string,
    });
  });

  it('refuses a name that stands for a private address, also among public ones', async () => {
    const to = (...addresses: readonly string[]) =>
      postWebhook('https://hook.example/', payload, {
        allowHosts: [],
        signal: never,
        resolveHost: async () => addresses,
      });
    expect(await to('127.0.0.1')).toMatchObject({ fault: expect.stringContaining('127.0.0.1') as string });
    expect(await to('93.184.216.34', '10.0.0.8')).toMatchObject({
      fault: expect.stringContaining('10.0.0.8 is not a public one') as string,
    });
  });

  it('connects to the address that was checked: the name is asked for once', async () => {
    const { port } = new URL(receiver.url);
    const answers = [['127.0.0.1'], ['127.0.0.2']];
    const asked: string[] = [];
    const outcome = await postWebhook(`http://hook.example:${port}/a?b=c`, payload, {
      allowHosts: ['hook.example'],
      signal: never,
      async resolveHost(host) {
        asked.push(host);
        return answers.shift() as string[];
      },
    });
    expect(outcome).toEqual({ status: 204, retryAfterMs: null });
    expect(asked).toEqual(['hook.example']);
    expect(receiver.received.at(-1)).toMatchObject({
      path: '/a?b=c',
      headers: {
        host: `hook.example:${port}`,
        'webhook-id': 'msg_1',
        'content-type': 'application/json; charset=utf-8',
      },
    });
  });

  it('says how long it is asked to wait, and ends when it is told to', async () => {
    receiver.answer = (response) => response.writeHead(429, { 'retry-after': '120' }).end();
    const options = { allowHosts: ['127.0.0.1'], signal: never };
    expect(await postWebhook(receiver.url, payload, options)).toEqual({ status: 429, retryAfterMs: 120_000 });
    const stop = new AbortController();
    receiver.answer = () => stop.abort(new Error('stopping'));
    await expect(postWebhook(receiver.url, payload, { ...options, signal: stop.signal })).rejects.toThrow(
      'stopping',
    );
  });
});
