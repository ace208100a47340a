import { expect, test } from '@jest/globals';
import { OpenList, type Listed } from '../../base/openList.ts';

interface Call extends Listed {
  name: string;
}

const calls = (...names: string[]): Call[] => names.map((name) => ({ name }));

function listOf(members: Call[]): OpenList<Call> {
  const list = new OpenList<Call>();
  for (const member of members) list.add(member);
  return list;
}

const namesIn = (list: OpenList<Call>) => [...list].map(({ name }) => name).toSorted();

test('a member leaves, wherever it stands', () => {
  for (const leaving of [0, 1, 2]) {
    const members = calls('a', 'b', 'c');
    const list = listOf(members);
    expect(list.delete(members[leaving]!)).toBe(true);
    expect(list.size).toBe(2);
    expect(namesIn(list)).toEqual(['a', 'b', 'c'].toSpliced(leaving, 1));
    expect(members.map((member) => list.has(member))).toEqual([0, 1, 2].map((at) => at !== leaving));
  }
});

test('a member that has left does not take another one with it', () => {
  const [a, b, c] = calls('a', 'b', 'c') as [Call, Call, Call];
  const list = listOf([a, b, c]);
  list.delete(a);
  expect(list.delete(a)).toBe(false);
  list.delete(c);
  expect(list.delete(c)).toBe(false);
  expect(namesIn(list)).toEqual(['b']);
  list.add(a);
  expect(namesIn(list)).toEqual(['a', 'b']);
});

test('it is read as it was, while members leave', () => {
  const members = calls('a', 'b', 'c');
  const list = listOf(members);
  const seen: string[] = [];
  for (const member of list) {
    seen.push(member.name);
    for (const one of members) list.delete(one);
  }
  expect(seen).toEqual(['a', 'b', 'c']);
  expect(list.size).toBe(0);
});
