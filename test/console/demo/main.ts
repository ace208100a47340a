import { readOptions } from '../../../base/commandLine.ts';
import { openDemo } from './openDemo.ts';
import { demoEmails, demoPassword } from './people.ts';

/**
 * `npm run demo -- [--port N] [--pages DIR] [--calls 20000] [--at TIME]`: the whole product with believable data, until it is ended. Prints
 * its address and its people. `--pages` is the folder of other built pages, `--at` the time at which it takes place.
 */
const USAGE = 'Usage: npm run demo -- [--port NUMBER] [--pages DIR] [--calls 20000] [--at TIME]';
const values = readOptions(USAGE, {
  port: { type: 'string' },
  pages: { type: 'string' },
  at: { type: 'string' },
  calls: { type: 'string', default: '20000' },
});
const print = (text: string): void => void process.stderr.write(`${performance.now().toFixed(0)} ms  ${text}\n`);
const { url, close } = await openDemo({
  port: values.port === undefined ? undefined : Number(values.port),
  pagesDir: values.pages,
  at: values.at,
  calls: Number(values.calls),
  print,
});
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void close().then(() => process.exit()));
process.stdout.write(`${url}\npassword: ${demoPassword}\n`);
for (const [role, email] of Object.entries(demoEmails)) process.stdout.write(`${role}: ${email}\n`);
print('ready');
