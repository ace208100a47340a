import { run } from './run.ts';

try {
  const { stdout, exitCode } = await run(process.argv.slice(2), process.env);
  process.stdout.write(`${stdout}\n`);
  process.exitCode = exitCode;
} catch (error) {
  const { name, message } = error as Error;
  process.stderr.write(`${message}\n`);
  process.exitCode = name === 'UsageError' ? 2 : 1;
}
