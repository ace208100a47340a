import { run } from './run.ts';

const { stdout, stderr, exitCode } = await run(process.argv.slice(2), process.env);
process.stdout.write(stdout);
process.stderr.write(stderr);
process.exitCode = exitCode;
