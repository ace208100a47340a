import { expect, test } from '@jest/globals';
import type { Context } from '../../../api/context.ts';
import { checkReadiness } from '../../../api/platform/health.ts';

type Services = Parameters<typeof checkReadiness>[0];

test('concurrent readiness checks share one query; later ones use another', async () => {
  const looks: PromiseWithResolvers<string[]>[] = [];
  const findFaults = () => {
    looks.push(Promise.withResolvers());
    return looks.at(-1)!.promise;
  };
  const services = {
    db: { findFaults },
    temporal: { state: async () => 'reachable' },
    shutdown: { hasBegun: () => false },
  } as unknown as Services;
  const answer = checkReadiness(services);
  const ask = async () => {
    const ctx = {} as Context;
    await answer(ctx);
    return ctx.body;
  };

  const asked = Array.from({ length: 100 }, ask);
  expect(looks).toHaveLength(1);
  looks[0]!.resolve([]);
  const ready = { status: 'ready', temporal: 'reachable' };
  expect(await Promise.all(asked)).toEqual(asked.map(() => ready));

  const later = ask();
  expect(looks).toHaveLength(2);
  looks[1]!.resolve(['database: reading']);
  await expect(later).rejects.toMatchObject({
    status: 503,
    code: 'overloaded',
    message: expect.stringContaining('(database: reading)') as unknown,
  });
});
