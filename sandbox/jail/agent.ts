import { mkdirSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { readFrames, sendBytes, sendFrame } from '../childStdio.ts';
import { decodeFile, encodeFile, FRAME_KINDS } from '../frames.ts';
import type { Limits } from '../limits.ts';
import type { Program } from '../types.ts';
import { changedFiles, UNTOUCHED } from './changedFiles.ts';
import { runLanguage } from './runLanguage.ts';

// The first process in a jail: writes the files, runs the one program as a child, and sends its output and files. It shares the jail with
// the program, so the worker trusts it no more than the program.
const limits = JSON.parse(process.argv[2]!) as Limits;
sendFrame(FRAME_KINDS.ready);
const program = receiveProgram();
// The worker sends nothing more: its pipe closes when the worker ends, and then the program is no longer needed.
process.stdin.on('end', () => process.exit(1)).resume();
const { ending, result } = await runLanguage(program, limits, (stream, bytes) => sendFrame(FRAME_KINDS[stream], bytes));
for (const file of changedFiles(process.cwd(), limits.diskBytes)) sendBytes(encodeFile(file));
sendFrame(FRAME_KINDS.end, JSON.stringify({ ending, result }));
process.exit(0);

function receiveProgram(): Pick<Program, 'language' | 'code'> {
  let received: Pick<Program, 'language' | 'code'> | undefined;
  readFrames(limits.diskBytes * 2, ({ kind, payload }) => {
    if (kind === FRAME_KINDS.program) received = JSON.parse(payload.toString()) as Pick<Program, 'language' | 'code'>;
    else store(decodeFile(payload));
    return received !== undefined;
  });
  return received!;
}

function store({ path, bytes }: { path: string; bytes: Uint8Array }): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, bytes);
  utimesSync(path, UNTOUCHED, UNTOUCHED);
}
