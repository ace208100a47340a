import { ExitCode } from '../exitCodes.ts';
import { say } from '../output.ts';

export interface Interrupts {
  /** The same as Ctrl-C, which a prompt takes for itself. */
  interrupt(): void;
  wasInterrupted(): boolean;
  /** Ctrl-C is what it was before. */
  release(): void;
}

/** The first Ctrl-C calls `stop`; the second leaves at once. */
export function onInterrupt(stop: () => void, farewell: () => string): Interrupts {
  let count = 0;
  const interrupt = () => {
    count += 1;
    if (count === 1) return stop();
    say(`\n${farewell()}`);
    process.exit(ExitCode.interrupted);
  };
  process.on('SIGINT', interrupt);
  return { interrupt, wasInterrupted: () => count > 0, release: () => void process.off('SIGINT', interrupt) };
}
