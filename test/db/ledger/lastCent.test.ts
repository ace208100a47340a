import { test } from '@jest/globals';
import { flowSeed } from '../../support/random.ts';
import { playRounds } from './lastCentStage.ts';

test(
  `a hundred times over, sixty-four calls at once spend what there is and no further (seed ${flowSeed})`,
  () => playRounds(100),
  900_000,
);
