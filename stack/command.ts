import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TIMEOUT_MS = 120_000;

/**
 * Runs one of our own commands to its end.
 * @returns its standard output.
 * @throws what it complained about.
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

/** The first workspace's key, which is known only to the start that makes the workspace. */
export async function bootstrapKey(cwd: string, env: NodeJS.ProcessEnv): Promise<string | null> {
  const output = await runCommand(['admin/main.ts', 'bootstrap'], cwd, env);
  const { key } = JSON.parse(output.trim().split('\n').at(-1)!) as { key: string | null };
  return key;
}

/**
 * The line of what a program complained about that tells why it ended. Node prints the line of the source first, then the error, then its
 * cause further in, and its own version last.
 */
export function errorLineIn(lines: string[]): string | undefined {
  return lines.findLast((line) => /^\S*(Error|Exception)\b/.test(line)) ?? lines.at(-1);
}
