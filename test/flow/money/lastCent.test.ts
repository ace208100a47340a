import { testLastCent } from './lastCentRounds.ts';

// `lastCent.drill` uses three.
testLastCent({ accounts: 2 });
