// Signatures against the example of the Standard Webhooks specification, and against a computation of their own.
import { describe, expect, it } from 'vitest';
import { newWebhookSecret, signPayload } from './signature.ts';

describe('signPayload', () => {
  it('signs as the specification shows it', () => {
    const headers = signPayload(
      {
        id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
        body: '{"test": 2432232314}',
        secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
      },
      1_614_265_330_000,
    );
    expect(headers).toEqual({
      'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      'webhook-timestamp': '1614265330',
      'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
    });
  });

  it('has a signature for each secret while one is rotated', () => {
    const [first, second] = [newWebhookSecret(), newWebhookSecret()];
    const given = { id: 'msg_1', body: '{}' };
    const both = signPayload({ ...given, secrets: [first, second] }, 1_000)['webhook-signature'];
    expect(both.split(' ')).toEqual(
      [first, second].map(
        (secret) => signPayload({ ...given, secrets: [secret] }, 1_000)['webhook-signature'],
      ),
    );
    expect(first).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(first).not.toBe(second);
  });
});
