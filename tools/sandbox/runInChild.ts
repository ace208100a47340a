import { isFilePath } from './files.ts';
import { decodeFile, encodeFile, encodeFrame, FRAME_KINDS, type Frame } from './frames.ts';
import type { Limits } from './limits.ts';
import { watchMemory } from './processes.ts';
import type { Child } from './startChild.ts';
import type { Ending, Outcome, Program } from './types.ts';

const FILES_MAX = 1_000;
const ENDINGS: Ending[] = ['ok', 'error', 'out_of_memory', 'disk_limit'];

/**
 * Sends a child its program and collects the result. From then on the child counts as hostile: everything it sends is limited and checked,
 * and it is killed once it reports its end, exceeds a limit, or violates the protocol. Resolves when all its processes and files are
 * removed.
 */
export async function runInChild(
  child: Child,
  { language, code, files, wallMs: ownMs = Infinity }: Program,
  { limits, overheadBytes, signal }: { limits: Limits; overheadBytes: number; signal: AbortSignal },
): Promise<Outcome> {
  const startedAtMs = performance.now();
  const wallMs = Math.min(ownMs, limits.wallMs);
  const collected = collect(limits);
  let verdict: { ending: Ending; note?: string; durationMs: number } | undefined;
  const stop = (ending: Ending, note?: string) => {
    verdict ??= { ending, note, durationMs: performance.now() - startedAtMs };
    child.kill();
  };

  child.listen(
    (frame) => {
      if (verdict) return;
      const ending = collected.take(frame);
      if (ending) stop(ending.ending, ending.note);
    },
    () => stop('error', BROKEN),
  );
  const timer = setTimeout(() => stop('timed_out', `It ran for ${wallMs} ms, the longest allowed.`), wallMs);
  const memory = watchMemory(child.pid, limits.memoryBytes + overheadBytes, () =>
    stop('out_of_memory', outOfMemory(limits)),
  );
  const onAbort = () => stop('cancelled');
  signal.addEventListener('abort', onAbort, { once: true });
  if (signal.aborted) onAbort();

  for (const file of files) child.send(encodeFile(file));
  child.send(encodeFrame(FRAME_KINDS.program, JSON.stringify({ language, code })));
  const status = await child.ended;
  clearTimeout(timer);
  memory.stop();
  signal.removeEventListener('abort', onAbort);

  const { ending, note, durationMs } = verdict ?? {
    ...explainDeath(status, limits),
    durationMs: performance.now() - startedAtMs,
  };
  return collected.outcome(ending, durationMs, note);
}

const BROKEN = 'The program broke the process that ran it.';
const outOfMemory = ({ memoryBytes }: Limits) => `It used more than ${memoryBytes} bytes of memory.`;

// The worker did not end it: the kernel did, or the program crashed the interpreter.
function explainDeath({ code, signal }: Awaited<Child['ended']>, limits: Limits): { ending: Ending; note: string } {
  if (signal === 'SIGXCPU' || code === 128 + 24) {
    return { ending: 'timed_out', note: `It used ${limits.cpuMs} ms of processor time, the most allowed.` };
  }
  const isKilled = signal === 'SIGKILL' || code === 128 + 9;
  return isKilled ? { ending: 'out_of_memory', note: outOfMemory(limits) } : { ending: 'error', note: BROKEN };
}

function collect({ outputBytes, diskBytes }: Limits) {
  const output = { [FRAME_KINDS.stdout]: [] as Buffer[], [FRAME_KINDS.stderr]: [] as Buffer[] };
  const files = new Map<string, Uint8Array>();
  let result: string | null = null;
  let printedBytes = 0;
  let fileBytes = 0;

  function print(kind: typeof FRAME_KINDS.stdout | typeof FRAME_KINDS.stderr, payload: Buffer) {
    output[kind].push(payload.subarray(0, Math.max(0, outputBytes - printedBytes)));
    printedBytes += payload.length;
    return printedBytes > outputBytes ? tooMuchOutput : null;
  }

  function keep(payload: Buffer) {
    const { path, bytes } = decodeFile(payload);
    fileBytes += bytes.length;
    if (!isFilePath(path) || files.size >= FILES_MAX || fileBytes > diskBytes) throw new Error('an impossible file');
    files.set(path, Uint8Array.from(bytes));
    return null;
  }

  function finish(payload: Buffer) {
    const end = JSON.parse(payload.toString()) as { ending?: unknown; result?: unknown };
    const ending = ENDINGS.find((known) => known === end.ending);
    if (!ending) throw new Error('an unknown ending');
    if (typeof end.result === 'string') {
      if (printedBytes + Buffer.byteLength(end.result) > outputBytes) return tooMuchOutput;
      result = end.result;
    }
    return { ending, note: undefined };
  }

  const tooMuchOutput = { ending: 'output_limit' as Ending, note: `It gave more than ${outputBytes} bytes of output.` };

  /** Handles a frame; returns its ending, or null while the program runs. Throws on frames that no child sends. */
  function take({ kind, payload }: Frame): { ending: Ending; note?: string } | null {
    switch (kind) {
      case FRAME_KINDS.stdout:
      case FRAME_KINDS.stderr:
        return print(kind, payload);
      case FRAME_KINDS.file:
        return keep(payload);
      case FRAME_KINDS.end:
        return finish(payload);
      default:
        throw new Error('a frame of an unknown kind');
    }
  }

  function outcome(ending: Ending, durationMs: number, note?: string): Outcome {
    const isItsOwnEnd = ENDINGS.includes(ending) && !note;
    const stderr = textOf(output[FRAME_KINDS.stderr]);
    return {
      ending,
      stdout: textOf(output[FRAME_KINDS.stdout]),
      stderr: note ? `${stderr}${stderr && !stderr.endsWith('\n') ? '\n' : ''}${note}\n` : stderr,
      result: isItsOwnEnd ? result : null,
      files: isItsOwnEnd ? [...files].map(([path, bytes]) => ({ path, bytes })) : [],
      durationMs,
    };
  }

  return { take, outcome };
}

const textOf = (chunks: Buffer[]) => Buffer.concat(chunks).toString();
