import { readOptions } from '../../base/commandLine.ts';
import { stackConfigOf } from './config.ts';
import { Stack } from './stack.ts';
import { summaryOf, createTerminal } from './terminal.ts';

const USAGE = `Usage: npm start, or npm run dev
  --watch  restarts parts whose sources change
  --json   one line for other programs when parts are up
docs/operate/first-start.md has the variables.`;
const isFlag = { type: 'boolean', default: false } as const;
const { watch: isWatched, json: isJson } = readOptions(USAGE, { watch: isFlag, json: isFlag });
const PARENT_CHECK_MS = 500;
const terminal = createTerminal((text) => process.stdout.write(text));
let stack: Stack | undefined;
let stopped: Promise<void> | undefined;
// Whoever read the output has gone, as in `npm start | head`: everything ends in order, and nothing more can be said.
process.stdout.on('error', () => void (stopped ?? stop(1)));

try {
  const config = stackConfigOf(process);
  stack = new Stack(config, terminal, { isWatched });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void stop(0));
  if (config.isUnderNpm) stopWithParent();
  const { installation, complete } = await stack.start();
  terminal.print(summaryOf(installation, process.uptime()));
  report({ event: 'up', ...installation });
  terminal.say((await complete) ?? 'Everything is up');
  report({ event: 'complete' });
} catch (error) {
  if (!stopped) terminal.say(error instanceof Error ? error.message : String(error));
  await stop(1);
}

/** With `--json`: one line for other programs. */
function report(event: object): void {
  if (isJson) terminal.print(JSON.stringify(event));
}

function stop(exitCode: number): Promise<void> {
  if (stopped) terminal.say('Still ending: requests in progress may finish');
  stopped ??= end(exitCode);
  return stopped;
}

async function end(exitCode: number): Promise<void> {
  if (exitCode === 0) terminal.say('Ending: requests in progress may finish');
  await stack?.stop();
  if (exitCode === 0) terminal.say('Everything has ended');
  process.exit(exitCode);
}

/** npm starts this program through a shell that does not forward signals: the end of that shell is the only signal. */
function stopWithParent(): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    void stop(0);
  }, PARENT_CHECK_MS);
}
