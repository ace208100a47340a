import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import Koa from 'koa';
import { expect, test } from '@jest/globals';
import { errors } from '../../../api/guard/errors.ts';
import type { Limits } from '../../../api/guard/rate.ts';

/** An app that sends a part of an answer, and then does this. */
async function startHalf(then: () => void) {
  const app = new Koa<{ log: object; requestId: string }>();
  app.use((ctx, next) => {
    Object.assign(ctx.state, { log: {}, requestId: 'req_1' });
    return errors({} as Limits)(ctx as never, next);
  });
  app.use((ctx) => {
    ctx.respond = false;
    ctx.res.writeHead(200);
    ctx.res.write('half');
    then();
    ctx.res.end(' and half');
  });
  const handle = app.callback();
  const server = createServer((req, res) => void handle(req, res)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, server };
}

test('an answer that fails after its head is cut off: its client does not wait for the rest', async () => {
  const half = await startHalf(() => {
    throw new Error('away');
  });
  const answer = await fetch(half.url);
  await expect(answer.text()).rejects.toThrow('terminated');
  half.server.close();
});

test('an answer that does not fail is whole', async () => {
  const whole = await startHalf(() => {});
  expect(await (await fetch(whole.url)).text()).toBe('half and half');
  whole.server.closeAllConnections();
  whole.server.close();
});
