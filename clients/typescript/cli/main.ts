import { add } from './commands/add.ts';
import { balance } from './commands/balance.ts';
import { batch } from './commands/batch.ts';
import { events } from './commands/events.ts';
import { explain } from './commands/explain.ts';
import { files } from './commands/files.ts';
import { keys } from './commands/keys.ts';
import { listen } from './commands/listen.ts';
import { login } from './commands/login.ts';
import { logout } from './commands/logout.ts';
import { models } from './commands/models.ts';
import { profiles } from './commands/profiles.ts';
import { publishing } from './commands/publishing.ts';
import { requests } from './commands/requests.ts';
import { run } from './commands/run.ts';
import { runs } from './commands/runs.ts';
import { usage } from './commands/usage.ts';
import { whoami } from './commands/whoami.ts';
import { chooseModel } from './models/chooseModel.ts';
import { runProgram } from './program.ts';

process.exitCode = await runProgram({
  Account: [login, logout, profiles, whoami, balance, usage, requests, explain, keys, models],
  Runs: [run, runs, add, files, batch],
  Publish: publishing({ chooseModel }),
  Events: [listen, events],
});
