import { storeResults, type LineResult } from '../../db/batches/batchResults.ts';
import type { Rows } from '../../db/postgres/rows.ts';

const RESULTS_MAX = 64;
const CHARACTERS_MAX = 8_000_000;

/**
 * Stores the results of a batch's lines: one statement at a time, with all results that arrived during the last one, so that lines that end
 * together cost one write to the disk and never wait for each other's lock. `add` resolves with whether the line had no result before.
 */
export function createResultWriter(everywhere: Rows<undefined>, batch: { batchId: string; workspaceId: string }) {
  const waiting: Waiting[] = [];
  let running: Promise<void> | undefined;

  function add(result: LineResult): Promise<boolean> {
    return new Promise((resolve, reject) => {
      waiting.push({ result, resolve, reject });
      running ??= run();
    });
  }

  async function run(): Promise<void> {
    // Results of one turn of the event loop are stored together.
    await new Promise(setImmediate);
    while (waiting.length > 0) await store(takeSome());
    running = undefined;
  }

  function takeSome(): Waiting[] {
    let characters = 0;
    const end = waiting.findIndex(({ result }) => (characters += result.output.length) > CHARACTERS_MAX);
    const count = Math.min(RESULTS_MAX, end === -1 ? Infinity : Math.max(1, end));
    return waiting.splice(0, count);
  }

  async function store(some: Waiting[]): Promise<void> {
    try {
      const stored = await storeResults(
        everywhere,
        batch,
        some.map(({ result }) => result),
      );
      for (const { result, resolve } of some) resolve(stored.has(result.line));
    } catch (error) {
      for (const { reject } of some) reject(error);
    }
  }

  return { add };
}

interface Waiting {
  result: LineResult;
  resolve: (isStored: boolean) => void;
  reject: (error: unknown) => void;
}
