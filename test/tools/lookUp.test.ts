import { afterAll, expect, test } from '@jest/globals';
import { lookUpBy } from '../../tools/lookUp.ts';
import { startDnsServer } from '../support/dnsServer.ts';

const dns = await startDnsServer();
const lookUp = lookUpBy([dns.address]);
afterAll(() => dns.stop());

const silence = (name: string) => dns.silent.add(`A ${name}`).add(`AAAA ${name}`);
const faultOf = (looking: Promise<unknown>) =>
  looking.then(
    () => undefined,
    (error: unknown) => error,
  );

test('names whose server is silent hold up no other name, and end', async () => {
  dns.addresses.set('quick.test', '1.1.1.1');
  const names = Array.from({ length: 20 }, (_, at) => `silent${at}.test`);
  names.forEach(silence);
  let ended = 0;
  const waiting = names.map((name) => faultOf(lookUp(name)).finally(() => (ended += 1)));
  expect(await lookUp('quick.test')).toEqual([{ address: '1.1.1.1', family: 4 }]);
  expect(ended).toBe(0);
  expect(await Promise.all(waiting)).toEqual(
    names.map((hostname) => expect.objectContaining({ code: 'EAI_AGAIN', hostname })),
  );
});

test('a name server that never answers for one family is enough', async () => {
  dns.addresses.set('half.test', '1.0.0.1');
  dns.silent.add('AAAA half.test');
  expect(await lookUp('half.test')).toEqual([{ address: '1.0.0.1', family: 4 }]);
});

test.each(['unknown.test', 'localhost.test', `${'a'.repeat(64)}.test`])('%s is unknown', async (hostname) => {
  expect(await faultOf(lookUp(hostname))).toMatchObject({ code: 'ENOTFOUND', hostname });
});
