import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import { setDeviceStage } from './deviceStage.ts';

const stage = await setDeviceStage();
const ada = await stage.person();
beforeEach(() => stage.db.pool.query('delete from throttles'));
afterAll(() => stage.close());

const stopped = { status: 429, body: { error: { code: 'too_many_tries' } } };
const times = async (count: number, work: () => Promise<{ status: number }>, status: number) => {
  for (let at = 0; at < count; at += 1) expect((await work()).status).toBe(status);
};

describe('tries of device logins are bounded', () => {
  test('for a person who guesses codes, whichever route answers them', async () => {
    const { user_code } = await stage.begin();
    const guess = () => ada.post('device/deny', { user_code: 'BBBB-BBBB' });
    await times(30, guess, 404);
    expect(await guess()).toMatchObject(stopped);
    expect(await ada.post('device/read', { user_code })).toMatchObject(stopped);
    expect(await stage.approve(ada, { user_code })).toMatchObject(stopped);
    const ben = await stage.person({ name: 'Ben' });
    expect((await ben.post('device/read', { user_code })).status).toBe(200);
  });

  test('for an address from which many people guess', async () => {
    const people = await Promise.all(Array.from({ length: 5 }, () => stage.person()));
    await stage.db.pool.query('delete from throttles');
    for (const person of people.slice(0, 4))
      await times(30, () => person.post('device/read', { user_code: 'BBBB-BBBB' }), 404);
    expect(await people[4]!.post('device/read', { user_code: 'BBBB-BBBB' })).toMatchObject(stopped);
  });

  test('for an address that begins many logins', async () => {
    await times(60, () => stage.send('codes', {}), 200);
    expect(await stage.send('codes', {})).toMatchObject(stopped);
  });
});
