import { join } from 'node:path';
import type { Terminal } from '../terminal.ts';
import type { LineLog } from './child.ts';
import { noticeIn, openLogFile } from './logFile.ts';
import { createRepeats } from './repeats.ts';

/** The log of a part: a file in the data folder. Its warnings, and the progress of its downloads, are also for the operator. */
export function openPartLog(name: string, { dataDir, terminal }: { dataDir: string; terminal: Terminal }): LineLog {
  const write = openLogFile(join(dataDir, 'logs', `${name}.log`));
  const warn = createRepeats((text) => terminal.say(`[${name}] ${text}`));
  return (line) => {
    write(line);
    const notice = noticeIn(line);
    if (notice) (notice.kind === 'warning' ? warn : terminal.progress)(notice.text);
  };
}
