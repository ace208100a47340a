import { test } from '@jest/globals';
import { flowSeed } from '../../support/random.ts';
import { playRounds } from './lastCentStage.ts';

test(
  `sixty-four concurrent calls spend exactly the balance, thirty times (seed ${flowSeed})`,
  () => playRounds(30),
  900_000,
);
