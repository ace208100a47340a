import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from '@jest/globals';
import { runInTimeShare, keepUntilAnswered } from '../../../api/body/largeBodies.ts';

const MIB = 1024 * 1024;

test('parses large bodies of one workspace one after the other, those of different workspaces concurrently', async () => {
  const order: string[] = [];
  const first = Promise.withResolvers<string>();
  const inTurnOf = (workspaceId: string, name: string, fetched: string | Promise<string>) =>
    runInTimeShare(
      workspaceId,
      () => fetched,
      (text) => order.push(`${name} ${text}`),
    );
  const all = [
    inTurnOf('ws_1', 'one', first.promise),
    inTurnOf('ws_1', 'two', 'second'),
    inTurnOf('ws_2', 'three', 'other'),
  ];
  await all[2];
  expect(order).toEqual(['three other']);
  first.resolve('first');
  await Promise.all(all);
  expect(order).toEqual(['three other', 'one first', 'two second']);
});

test('a failed parse frees the queue for the next body', async () => {
  const failed = runInTimeShare(
    'ws_1',
    () => 1,
    () => {
      throw new Error('not valid');
    },
  );
  await expect(failed).rejects.toThrow('not valid');
  await expect(runInTimeShare('ws_1', () => 2, String)).resolves.toBe('2');
});

test('bodies in memory have a limit per workspace and in total', () => {
  const answers = Array.from({ length: 6 }, () => new EventEmitter() as EventEmitter & ServerResponse);
  const keep = (at: number, workspaceId: string, mib: number) => () =>
    keepUntilAnswered(answers[at]!, workspaceId, mib * MIB);
  keep(0, 'ws_1', 200)();
  expect(keep(1, 'ws_1', 64)).toThrow(expect.objectContaining({ status: 503, code: 'overloaded' }));
  keep(2, 'ws_2', 256)();
  expect(keep(3, 'ws_3', 64)).toThrow(expect.objectContaining({ code: 'overloaded' }));
  answers[0]!.emit('close');
  expect(keep(4, 'ws_1', 200)).not.toThrow();
  answers[2]!.emit('close');
  answers[4]!.emit('close');
  expect(keep(5, 'ws_3', 256)).not.toThrow();
  answers[5]!.emit('close');
});
