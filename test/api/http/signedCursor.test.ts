import { expect, test } from '@jest/globals';
import { createCursors } from '../../../api/http/signedCursor.ts';

const cursors = createCursors(() => [Buffer.from('a secret of all processes')]);

test('a cursor is accepted only for its own workspace and list', () => {
  const cursor = cursors.write('ws_1', 'ledger', '12 345678');
  expect(cursors.read('ws_1', 'ledger', cursor)).toBe('12 345678');
  for (const [workspaceId, list, text] of [
    ['ws_2', 'ledger', cursor],
    ['ws_1', 'requests', cursor],
    ['ws_1', 'ledger', cursor.slice(0, -2)],
    ['ws_1', 'ledger', 'short'],
    ['ws_1', 'ledger', ''],
  ] as const) {
    expect(() => cursors.read(workspaceId, list, text)).toThrow(expect.objectContaining({ status: 422 }));
  }
});

test('a cursor hides its position, because transaction numbers count across workspaces', () => {
  const shown = (position: string) => Buffer.from(cursors.write('ws_1', 'ledger', position), 'base64url');
  expect(shown('12 345678').toString('latin1')).not.toContain('345678');
  // It also hides the distance between two positions.
  expect(shown('12 345678').subarray(16, 24)).not.toEqual(shown('12 345679').subarray(16, 24));
});

test('while a new version of the secret replaces another, cursors of both are read and the first one writes', () => {
  const [old, current] = [Buffer.from('the old secret'), Buffer.from('the new secret')];
  const before = createCursors(() => [old]);
  const during = createCursors(() => [current, old]);
  const after = createCursors(() => [current]);
  const cursor = before.write('ws_1', 'ledger', '12');
  expect(during.read('ws_1', 'ledger', cursor)).toBe('12');
  expect(after.read('ws_1', 'ledger', during.write('ws_1', 'ledger', '13'))).toBe('13');
  expect(() => after.read('ws_1', 'ledger', cursor)).toThrow(expect.objectContaining({ status: 422 }));
});
