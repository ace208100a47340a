import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { answerReader, type AnswerPart } from './answerReader.ts';
import { flowSeed, seededRandom } from './random.ts';

/** Where an answer is cut. */
export type CutPlace = 'before its first byte' | 'in its headers' | 'in its middle' | 'before its last byte';

const PLACES: CutPlace[] = ['before its first byte', 'in its headers', 'in its middle', 'before its last byte'];
// Of an answer whose length is not known yet, the middle is a place in its first bytes.
const STREAM_BYTES = 1_500;

/** One cut: the request line, and the place in the answer. */
export interface Cut {
  request: string;
  place: CutPlace;
}

interface Options {
  /** Each answer of this number is cut: 3. */
  every?: number;
  seed?: number;
  /** The number of the first place: lanes that start at different places see all of them on short ways. */
  firstPlace?: number;
}

/**
 * A TCP proxy that cuts every third answer of an HTTP server, on both sides. The places walk through the answer: before its first byte, in
 * its headers, in its middle (by the seed), and one byte before its end. Requests that follow one another are cut at the same places in
 * each run; clients at once should have a proxy each. It counts over all its connections.
 */
export async function startAnswerCuts(url: string, { every = 3, seed = flowSeed, firstPlace = 0 }: Options = {}) {
  const target = new URL(url);
  const random = seededRandom(seed);
  const sockets = new Set<Socket>();
  const cuts: Cut[] = [];
  let answers = 0;

  /** Decides on an answer at its first byte. */
  function placeOfNext(): CutPlace | undefined {
    answers += 1;
    return answers % every === 0 ? PLACES[(firstPlace + answers / every - 1) % PLACES.length] : undefined;
  }

  const server = createServer((client) => {
    const upstream = connect(Number(target.port), target.hostname);
    for (const socket of [client, upstream]) {
      socket.setNoDelay(true);
      sockets.add(socket);
      socket.on('error', () => {}).once('close', () => sockets.delete(socket));
    }
    client.once('close', () => upstream.destroy());
    upstream.once('close', () => client.destroySoon());
    let request = '';
    let cutter: Cutter | undefined;
    const reader = answerReader();
    client.on('data', (bytes) => {
      const line = /^[A-Z]+ \S+ HTTP\/1\.1\r\n/.exec(bytes.toString('latin1'))?.[0].trimEnd();
      if (line) request = line;
      upstream.write(bytes);
    });
    upstream.on('data', (bytes) => {
      for (const part of reader.read(bytes, request.startsWith('HEAD '))) {
        if (part.isFirst) {
          const place = placeOfNext();
          cutter = place && createCutter(place, random);
          if (place) cuts.push({ request: request.replace(/ HTTP.*/, ''), place });
        }
        const { bytes: passed, isCut } = cutter ? cutter(part) : { bytes: part.bytes, isCut: false };
        if (client.writable) client.write(passed);
        if (!isCut) continue;
        upstream.destroy();
        client.destroySoon();
        return;
      }
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    /** The cuts so far. */
    cuts: cuts as readonly Cut[],
    answers: () => answers,
    async stop(): Promise<void> {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}

type Cutter = (part: AnswerPart) => { bytes: Buffer; isCut: boolean };

/** What passes of an answer's parts. One byte is held back, because only the next part says whether it is the last. */
function createCutter(place: CutPlace, random: () => number): Cutter {
  let held = Buffer.alloc(0);
  let left = Infinity;
  return ({ bytes, isHead, isLast, bodyBytes }) => {
    if (place === 'before its first byte') return { bytes: held, isCut: true };
    if (place === 'in its headers') return { bytes: bytes.subarray(0, Math.ceil(bytes.length / 2)), isCut: true };
    if (isHead && !isLast) {
      if (place === 'in its middle') left = 1 + Math.floor(random() * ((bodyBytes ?? STREAM_BYTES) - 1));
      return { bytes, isCut: false };
    }
    const all = Buffer.concat([held, bytes]);
    if (all.length > left) return { bytes: all.subarray(0, left), isCut: true };
    held = all.subarray(-1);
    left -= all.length - 1;
    return { bytes: all.subarray(0, -1), isCut: isLast };
  };
}
