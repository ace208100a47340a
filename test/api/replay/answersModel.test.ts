import { expect, test } from '@jest/globals';
import { flowSeed, repetitions, seededRandom } from '../../support/random.ts';
import { until } from '../../support/until.ts';
import { createPartTable, openProcesses, orderOf, readAnswer } from './answersModel.ts';
import type { StoredPart } from '../../../db/answers/readParts.ts';

const CALLS = 200;
const HEAD = '{"status":200}';
const ENDS = ['whole', 'failed', 'left'] as const;

/** One call with its readers, in an order by chance. Returns what is wrong with them. */
async function playCall(seed: number): Promise<string[]> {
  const random = seededRandom(seed);
  const any = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;
  const table = createPartTable(random);
  const processes = openProcesses(table);
  const [owner] = processes as [(typeof processes)[0]];
  const call = owner.begin(orderOf(`req_${seed}`, 10_000));
  const readers: Promise<{ from: number; isShort: boolean; got: StoredPart[] }>[] = [];
  const sent: Buffer[] = [];
  const log: string[] = [];
  let isGivenUp = false;
  let partCount = 0;
  let billing: Promise<void> | undefined;

  function add(piece: string | Buffer): void {
    log.push(`add ${piece.length}`);
    call.add(piece);
    sent.push(Buffer.from(piece));
  }

  // As a settlement stores the rest of a stream.
  async function bill(): Promise<void> {
    if (!call.isDirty) return;
    const parts = call.unstored();
    for (let tries = 0; ; tries += 1) {
      try {
        await table.store(parts);
        break;
      } catch {
        if (tries > 3) return;
      }
    }
    owner.noteStored(call, parts);
    log.push('billed');
  }

  const steps: Record<string, () => unknown> = {
    add: () => add(any(['data: {"a":1}\n\n', 'ä€😀', '', 'x'.repeat(5_000), Buffer.from([0, 255, 10])])),
    more: () => add(`data: ${random()}\n\n`),
    flush: () => owner.flush(),
    'flush in the background': () => void owner.flush(),
    hurry: () => owner.hurry(),
    bill: () => (billing ??= bill()),
    'bill in the background': () => void (billing ??= bill()),
    fail: () => table.fail(random()),
    heal: () => table.fail(0),
    'fail reads': () => table.failReads(0.3),
    'heal reads': () => table.failReads(0),
    turn: () => table.turn(),
    leave: () => call.leave(),
    pause: () => table.pause(),
    wait: () => new Promise((resolve) => setTimeout(resolve, random() * 150)),
    read: () => read({ isShort: false }),
    'read some': () => read({ isShort: true }),
    'give up': () => {
      if (random() < 0.9) return;
      isGivenUp = true;
      call.giveUp('unkept');
    },
  };

  function read({ isShort }: { isShort: boolean }): void {
    const at = any(processes);
    const from = random() < 0.5 ? 0 : Math.floor(random() * (partCount + 1));
    log.push(`read from ${from} ${at === owner ? 'here' : 'elsewhere'}`);
    const reading = readAnswer(at, call, { from, ...(isShort && { partsMax: 1 }) });
    readers.push(reading.then((got) => ({ from, isShort, got })));
  }

  call.begin(HEAD);
  sent.push(Buffer.from(`${HEAD}\n`));
  for (let step = 5 + random() * 25; step > 0; step -= 1) {
    const name = any(Object.keys(steps));
    log.push(name);
    await steps[name]!();
    partCount = table.count();
  }
  const ended = any(ENDS);
  if (ended === 'whole') {
    await (billing ??= bill());
    add('data: [DONE]\n\n');
    call.isWhole = true;
  }
  log.push(`end ${ended}`);
  owner.end(call, ended === 'left');
  if (random() < 0.3) table.fail(0.7);
  if (random() < 0.5) read({ isShort: false });
  await table.pause();
  if (random() < 0.5) table.turn();
  await new Promise((resolve) => setTimeout(resolve, random() * 300));
  table.fail(0);
  table.failReads(0);
  read({ isShort: false });
  const wrong: string[] = [];
  const say = (what: string) => wrong.push(`seed ${seed}: ${what}; ${log.join(', ')}`);
  const all = await Promise.all(readers);
  const last = await readAnswer(any(processes), call, { from: 0 });
  const text = Buffer.concat(sent);
  const places = [0];
  for (const { bytes } of last) places.push(places.at(-1)! + bytes.length);
  for (const { from, isShort, got } of [...all, { from: 0, isShort: false, got: last }]) {
    const bytes = Buffer.concat(got.map((part) => part.bytes));
    if (got.some(({ part }, at) => part !== from + at))
      say(`parts ${String(got.map(({ part }) => part))} from ${from}`);
    const begin = places[from] ?? 0;
    const wanted = text.subarray(begin, isShort || isGivenUp ? begin + bytes.length : undefined);
    if (!wanted.equals(bytes)) say(`${bytes.length} of ${wanted.length} bytes from ${from}`);
    // Readers stop at the part that says so.
    if (isShort || (isGivenUp && from >= last.length)) continue;
    if (got.at(-1)?.state !== (isGivenUp ? 'unkept' : ended)) say(`the end is ${got.at(-1)?.state}`);
  }
  await until(() => owner.find('ws_1', call.order.requestId) === undefined);
  for (const { close } of processes) await close();
  return wrong;
}

test('each reader of a kept answer gets what its client got, whatever happens meanwhile', async () => {
  const calls = Array.from({ length: repetitions(CALLS) }, (_, at) => playCall(flowSeed * 100_000 + at));
  expect((await Promise.all(calls)).flat()).toEqual([]);
});
