import type { ComparedStep } from './readSteps.ts';

/** A row of a comparison: matching steps of two runs, or a step of only one of them. */
export interface StepPair {
  state: 'same' | 'changed' | 'only_first' | 'only_second';
  first: ComparedStep | null;
  second: ComparedStep | null;
}

/** Puts the steps of two runs side by side: pairs the longest common sequence of models and tools. */
export function pairSteps(first: ComparedStep[], second: ComparedStep[]): StepPair[] {
  const lengths = commonLengths(first, second);
  const pairs: StepPair[] = [];
  let [at, other] = [0, 0];
  while (at < first.length || other < second.length) {
    const [one, two] = [first[at] ?? null, second[other] ?? null];
    if (one && two && isSameWork(one, two)) {
      pairs.push({ state: isSame(one, two) ? 'same' : 'changed', first: one, second: two });
      [at, other] = [at + 1, other + 1];
    } else if (one && (!two || lengths[at + 1]![other]! >= lengths[at]![other + 1]!)) {
      pairs.push({ state: 'only_first', first: one, second: null });
      at += 1;
    } else {
      pairs.push({ state: 'only_second', first: null, second: two });
      other += 1;
    }
  }
  return pairs;
}

/** The length of the longest common sequence of the rests after each two positions. */
function commonLengths(first: ComparedStep[], second: ComparedStep[]): number[][] {
  const lengths = Array.from({ length: first.length + 1 }, () => Array.from({ length: second.length + 1 }, () => 0));
  for (let at = first.length - 1; at >= 0; at -= 1)
    for (let other = second.length - 1; other >= 0; other -= 1) {
      const row = lengths[at]!;
      const next = lengths[at + 1]!;
      row[other] = isSameWork(first[at]!, second[other]!)
        ? next[other + 1]! + 1
        : Math.max(next[other]!, row[other + 1]!);
    }
  return lengths;
}

// Another version may use another model.
const isSameWork = (one: ComparedStep, two: ComparedStep) =>
  one.kind === two.kind && (one.kind === 'model' || one.name === two.name);

const isSame = (one: ComparedStep, two: ComparedStep) =>
  one.name === two.name &&
  one.state === two.state &&
  one.arguments === two.arguments &&
  one.resultHash === two.resultHash &&
  one.errorCode === two.errorCode;
