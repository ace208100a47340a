import type { Writable } from 'node:stream';

/** Resolves when a stream that was full takes more, or when it never will. */
export function drained(output: Writable): Promise<void> {
  return new Promise((resolve) => {
    const go = () => {
      output.off('drain', go).off('close', go);
      resolve();
    };
    output.on('drain', go).on('close', go);
    if (output.closed) go();
  });
}
