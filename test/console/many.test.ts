import { describe, expect, test } from '@jest/globals';
import { withPlainNames } from '../../console/src/api/plainNames.ts';
import { treeOf, type Key } from '../../console/src/keys/keyTypes.ts';
import { tabOf } from '../../console/src/parts/tabOf.ts';

describe('the tree of keys', () => {
  const key = (id: string, parent: string | null = null) => ({ id, parent_id: parent }) as Key;

  test('has each key below its maker, and one whose maker is not shown at the top', () => {
    const keys = [key('c', 'b'), key('a'), key('b', 'a'), key('d', 'hidden')];
    expect(treeOf(keys).map(({ id, level }) => `${id}${level}`)).toEqual(['a0', 'b1', 'c2', 'd0']);
  });

  test('reads each of many keys a few times, not once for every other key', () => {
    let reads = 0;
    const keys = Array.from({ length: 500 }, (_, at) => ({
      id: `key_${at}`,
      get parent_id() {
        reads += 1;
        return at === 0 ? null : `key_${at - (at % 10)}`;
      },
    }));
    keys.splice(0, keys.length, ...keys.filter((_, at) => at % 10 !== 0 || at === 0));
    expect(treeOf(keys as unknown as Key[])).toHaveLength(keys.length);
    expect(reads).toBeLessThan(keys.length * 10);
  });
});

describe('names in answers', () => {
  const EVIL = 'evil\u202Egnp.exe';

  test('are shown in plain order, in rows and of people', () => {
    const answer = { data: [{ name: EVIL, filename: EVIL }], members: [{ user: { name: 'A\u2067b\u2069' } }] };
    expect(withPlainNames(answer)).toEqual({
      data: [{ name: 'evilgnp.exe', filename: 'evilgnp.exe' }],
      members: [{ user: { name: 'Ab' } }],
    });
  });

  test('of contents stay exactly as they are, and so does a name that reads from right to left', () => {
    const answer = {
      name: 'مشروع',
      draft: { name: EVIL },
      input: { data: [{ name: EVIL }] },
      data: [{ state: { title: EVIL } }],
      has_more: false,
      next_cursor: null,
    };
    expect(withPlainNames(answer)).toEqual(answer);
    expect(withPlainNames(null)).toBeNull();
    expect(withPlainNames('text')).toBe('text');
  });
});

test('a tab that the address names is shown if it is there, otherwise the first one', () => {
  const tabs = [{ value: 'a' }, { value: 'b' }];
  expect([tabOf(tabs, 'b'), tabOf(tabs, 'c'), tabOf(tabs, undefined)]).toEqual(['b', 'a', 'a']);
});
