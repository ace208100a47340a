import { test } from '@jest/globals';
import { flowSeed } from '../../support/random.ts';
import { playRounds } from './lastCentStage.ts';

test(
  `sixty-four concurrent calls spend exactly the balance, a thousand times (seed ${flowSeed})`,
  () => playRounds(1_000),
  900_000,
);
