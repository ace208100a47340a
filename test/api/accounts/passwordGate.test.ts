import { afterAll, describe, expect, test } from '@jest/globals';
import { createPasswordGate } from '../../../api/accounts/passwordGate.ts';
import { hashPassword, verifyPassword, withHash } from '../../../api/accounts/passwords.ts';
import { chatBody, chatPath } from '../../support/guardStage.ts';
import { password, setAccountStage } from './accountStage.ts';

describe('the gate of passwords', () => {
  /** Work that ends when the test decides. */
  function startWork(gate: ReturnType<typeof createPasswordGate>, count: number) {
    const running: (() => void)[] = [];
    const works = Array.from({ length: count }, () => gate(() => new Promise<void>((end) => running.push(end))));
    return { running, works };
  }
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  test('runs two at once and lets twenty wait, in order; more are refused with a time to retry after', async () => {
    const { running, works } = startWork(createPasswordGate(), 30);
    const ends = Promise.allSettled(works);
    for (let ended = 0; ended < 22; ended += 1) {
      await settled();
      expect(running.length - ended).toBe(Math.min(2, 22 - ended));
      running[ended]!();
    }
    const refused = (await ends).filter((end) => end.status === 'rejected').map(({ reason }) => reason as object);
    expect(refused).toHaveLength(8);
    for (const error of refused)
      expect(error).toMatchObject({ status: 503, code: 'overloaded', headers: { 'retry-after': '1' } });
  });

  test('has its places again after work that failed', async () => {
    const gate = createPasswordGate();
    const failing = Array.from({ length: 22 }, () => gate(() => Promise.reject(new Error('the work failed'))));
    expect((await Promise.allSettled(failing)).map(({ status }) => status)).toEqual(Array(22).fill('rejected'));
    expect(await gate(() => Promise.resolve('done'))).toBe('done');
  });
});

test('a hash that was made before a transaction is the one that its work gets, for the same password alone', async () => {
  await withHash('correct horse', async () => {
    const [one, same, other] = [
      await hashPassword('correct horse'),
      await hashPassword('correct horse'),
      await hashPassword('another horse'),
    ];
    expect(same).toBe(one);
    expect(other).not.toBe(one);
    expect(await verifyPassword({ hash: one, password: 'correct horse' })).toBe(true);
  });
  expect(await hashPassword('correct horse')).not.toBe(await hashPassword('correct horse'));
});

const stage = await setAccountStage({ env: { TRUSTED_PROXIES: '127.0.0.1', PUBLIC_URL: 'http://localhost:4000' } });
afterAll(() => stage.close());

describe('sign-ups of strangers at once', () => {
  test('answer 200, or 503 with a time to retry after; other people are served', async () => {
    const { secret } = await stage.account();
    await stage.person();
    const signUps = Array.from({ length: 200 }, (_, nth) =>
      stage
        .browser()
        .send(
          'POST',
          '/console/v1/auth/sign-up/email',
          { name: 'Eve', email: stage.newEmail('stranger'), password },
          { 'x-forwarded-for': `203.0.113.${nth}` },
        ),
    );
    const calls = Array.from({ length: 10 }, () =>
      stage.ask(chatPath, { headers: { authorization: `Bearer ${secret}` }, body: chatBody() }),
    );
    expect((await Promise.all(calls)).map(({ status }) => status)).toEqual(Array(10).fill(200));
    const answers = await Promise.all(signUps);
    const statuses = answers.map(({ status }) => status);
    expect(new Set(statuses)).toEqual(new Set([200, 503]));
    expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(22);
    for (const { status, headers, body } of answers)
      if (status === 503) expect([headers.get('retry-after'), body.error.code]).toEqual(['1', 'overloaded']);
  });
});
