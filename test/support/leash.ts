import { spawn } from 'node:child_process';

/** A shell that runs commands when released, or when this process ends, even by SIGKILL: kernel resources outlive a test. */
export function leash(commands: string[]): () => Promise<void> {
  const script = `read -r _; ${commands.map((command) => `${command} 2>/dev/null`).join('; ')}`;
  const holder = spawn('/bin/sh', ['-c', script], { detached: true, stdio: ['pipe', 'ignore', 'ignore'] });
  const done = new Promise<void>((resolve) => holder.once('exit', () => resolve()));
  holder.unref();
  return () => {
    holder.stdin.end();
    return done;
  };
}
