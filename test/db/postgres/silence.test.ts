import { expect, test } from '@jest/globals';
import { createSilenceWatch } from '../../../db/postgres/silence.ts';
import { until } from '../../support/until.ts';

/** A part that answers, pauses or fails as told, and a clock that a test moves. */
function makePart() {
  let nowMs = 0;
  let state: 'works' | 'pauses' | 'fails' = 'works';
  let goOn = Promise.withResolvers<boolean>();
  let questions = 0;
  const part = async (): Promise<boolean> => {
    questions += 1;
    if (state === 'fails') throw new Error('Connection terminated');
    return state === 'works' || goOn.promise;
  };
  const watch = createSilenceWatch({ main: part }, () => nowMs);
  return {
    watch,
    questions: () => questions,
    move: (ms: number) => void (nowMs += ms),
    set: (to: typeof state) => {
      state = to;
      goOn.resolve(true);
      goOn = Promise.withResolvers();
    },
  };
}

test('a pause of one second leaves a part ready, at each of many looks', async () => {
  const { watch, set, move } = makePart();
  for (let pauses = 0; pauses < 3; pauses += 1) {
    set('pauses');
    expect(await watch.find()).toEqual([]);
    move(1_000);
    expect(await watch.find()).toEqual([]);
    set('works');
    await until(async () => (await watch.find()).length === 0);
    // The next look comes long after the part has answered.
    move(60_000);
  }
  watch.close();
});

test.each(['pauses', 'fails'] as const)('a part that %s for five seconds is silent until it answers', async (how) => {
  const { watch, set, move } = makePart();
  set(how);
  expect(await watch.find()).toEqual([]);
  move(4_999);
  expect(await watch.find()).toEqual([]);
  move(1);
  expect(await watch.find()).toEqual(['main']);
  move(600_000);
  expect(await watch.find()).toEqual(['main']);
  set('works');
  await until(async () => (await watch.find()).length === 0);
  watch.close();
});

test('a part that failed at a look and recovered unseen is not silent at the next failure', async () => {
  const { watch, set, move, questions } = makePart();
  set('fails');
  expect(await watch.find()).toEqual([]);
  set('works');
  const before = questions();
  // It is asked again although nobody looks.
  await until(() => questions() > before);
  move(60_000);
  set('fails');
  expect(await watch.find()).toEqual([]);
  watch.close();
});
