import { test } from '@jest/globals';
import { flowSeed, repetitions } from '../../support/random.ts';
import { playRounds } from './lastCentStage.ts';

const rounds = repetitions(1_000);

test(
  `sixty-four concurrent calls spend exactly the balance, ${rounds} times (seed ${flowSeed})`,
  () => playRounds(rounds),
  900_000,
);
