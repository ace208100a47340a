import { test } from '@jest/globals';
import { flowSeed } from '../../support/random.ts';
import { playRounds } from './lastCentStage.ts';

test(
  `a thousand times over, sixty-four calls at once spend what there is and no further (seed ${flowSeed})`,
  () => playRounds(1_000),
  900_000,
);
