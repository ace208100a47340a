import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { createResponseItems } from '../../../db/answers/responseItems.ts';

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

const MIB = 1024 * 1024;
const itemOf = (id: string, text: string) => ({ id, text });

/** Items without a database: what is written is noted, unless it is down. */
function setItems() {
  const database = { isDown: false };
  const written: string[][] = [];
  const errors: unknown[] = [];
  const query = async ({ values }: { values: [string[]] }) => {
    if (database.isDown) throw new Error('down');
    written.push(values[0]);
  };
  const read = () => ({ statement: async () => [] });
  const onError = (error: unknown) => void errors.push(error);
  const items = createResponseItems({ pool: { query } as never, read: read as never, onError });
  return { items, database, written, errors };
}

test('items are found at once by their workspace, and written together 50 ms later', async () => {
  const { items, written } = setItems();
  items.keep('ws_1', [itemOf('msg_1', 'one')]);
  items.keep('ws_2', [itemOf('msg_2', 'two')]);
  expect([...(await items.find('ws_1', ['msg_1']))]).toEqual([['msg_1', '{"id":"msg_1","text":"one"}']]);
  const foreign = items.find('ws_1', ['msg_2']);
  await jest.advanceTimersByTimeAsync(49);
  expect(written).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(written).toEqual([['msg_1', 'msg_2']]);
  await jest.advanceTimersByTimeAsync(200);
  expect((await foreign).size).toBe(0);
});

test('while the database is down, 32 MiB wait: further items are dropped, and those that wait are written', async () => {
  const { items, database, written, errors } = setItems();
  database.isDown = true;
  items.keep('ws_1', [itemOf('msg_1', 'x'.repeat(16 * MIB)), itemOf('msg_2', 'x'.repeat(17 * MIB))]);
  items.keep('ws_1', [itemOf('msg_3', 'x'.repeat(15 * MIB))]);
  await jest.advanceTimersByTimeAsync(50);
  expect(errors).toHaveLength(1);
  database.isDown = false;
  await jest.advanceTimersByTimeAsync(249);
  expect(written).toEqual([]);
  await jest.advanceTimersByTimeAsync(1);
  expect(written).toEqual([['msg_1', 'msg_3']]);
  // What is written makes room.
  items.keep('ws_1', [itemOf('msg_4', 'x'.repeat(2 * MIB))]);
  await items.close();
  // A timer that is set after the end would keep the process alive.
  items.keep('ws_1', [itemOf('msg_5', 'late')]);
  await jest.advanceTimersByTimeAsync(10_000);
  expect(written.at(-1)).toEqual(['msg_4']);
});
