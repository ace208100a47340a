import { describe, expect, test } from '@jest/globals';
import { readSources, type Source } from './support/sources.ts';

const product = readSources().filter(({ folder }) => folder !== 'test' && folder !== 'console');

/** Which rooms of one folder import which: its files, and its folders with everything in them. */
type Plan = Map<string, Set<string>>;

/** The plan of every folder, by its path. */
function plansOf(sources: Source[]): Map<string, Plan> {
  const plans = new Map<string, Plan>();
  for (const { path, imports } of sources) {
    for (const { isOwn, target } of imports) {
      if (!isOwn) continue;
      const [from, to] = [path.split('/'), target.split('/')];
      const shared = from.findIndex((room, at) => room !== to[at]);
      const plan = plans.get(from.slice(0, shared).join('/')) ?? new Map<string, Set<string>>();
      plans.set(from.slice(0, shared).join('/'), plan);
      plan.set(from[shared]!, (plan.get(from[shared]!) ?? new Set()).add(to[shared]!));
    }
  }
  return plans;
}

/** Rooms that lead back to themselves. */
function knotOf(plan: Plan): string[] {
  const reached = (room: string, seen = new Set<string>()): Set<string> => {
    for (const next of plan.get(room) ?? []) if (!seen.has(next)) reached(next, seen.add(next));
    return seen;
  };
  return [...plan.keys()].filter((room) => reached(room).has(room)).toSorted();
}

describe('rooms', () => {
  test('of each folder import each other without circles, types included', () => {
    const knots = [...plansOf(product)].map(([folder, plan]) => [folder, knotOf(plan)] as const);
    expect(knots.filter(([, knot]) => knot.length > 0)).toEqual([]);
  });

  test('are found: a circle through two folders counts, one between two files of a folder is seen in that folder', () => {
    const source = (path: string, target: string) =>
      ({ path, imports: [{ isOwn: true, target }] }) as unknown as Source;
    const plans = plansOf([
      source('a/one.ts', 'b/c/two.ts'),
      source('b/three.ts', 'a/d/four.ts'),
      source('b/c/two.ts', 'b/x.ts'),
    ]);
    expect(knotOf(plans.get('')!)).toEqual(['a', 'b']);
    expect(knotOf(plans.get('b')!)).toEqual([]);
  });
});
