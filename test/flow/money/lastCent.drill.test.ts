import { testLastCent } from './lastCentRounds.ts';

testLastCent({ accounts: 3 });
