import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TIMEOUT_MS = 120_000;

/**
 * Runs one of our own commands to its end.
 * @returns its standard output.
 * @throws its error message.
 */
export async function runCommand(args: string[], cwd: string, env: NodeJS.ProcessEnv): Promise<string> {
  try {
    const { stdout } = await run(process.execPath, args, { cwd, env, timeout: TIMEOUT_MS });
    return stdout;
  } catch (cause) {
    const { stderr = '' } = cause as { stderr?: string };
    const reason = errorLineIn(stderr.trim().split('\n')) || String(cause);
    throw new Error(`node ${args.join(' ')} failed: ${reason}`, { cause });
  }
}

/** The first workspace's key, which only the start that creates the workspace knows. */
export async function bootstrapKey(cwd: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const output = await runCommand(['admin/main.ts', 'bootstrap'], cwd, env);
  const { key } = JSON.parse(output.trim().split('\n').at(-1)!) as { key: string | null };
  return key;
}

/**
 * The line of a program's error output that explains its end. Node prints the source line first, then the error, then its cause further
 * in, and its own version last.
 */
export function errorLineIn(lines: string[]): string | undefined {
  return lines.findLast((line) => /^\S*(Error|Exception)\b/.test(line)) ?? lines.at(-1);
}
