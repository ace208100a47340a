import { balance } from './commands/balance.ts';
import { whoami } from './commands/whoami.ts';
import { runProgram } from './program.ts';

process.exitCode = await runProgram({
  Account: [whoami, balance],
  Runs: [],
  Publish: [],
  Events: [],
});
