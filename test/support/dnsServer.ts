import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const TXT = 16;
const HEADER_BYTES = 12;

/**
 * A name server on the loopback interface that answers TXT records alone. `records` are texts by name; `before.answer` is awaited before
 * each answer.
 */
export async function startDnsServer() {
  const records = new Map<string, string>();
  const before: { answer?: () => Promise<unknown> } = {};
  const socket = createSocket('udp4');
  socket.on('message', (asked, from) => {
    const answer = () => socket.send(answerTo(asked, records), from.port, from.address);
    if (before.answer) void before.answer().then(answer);
    else answer();
  });
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    before,
    stop: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

/** The question again, and its record; without one the code of a name that does not exist. */
function answerTo(asked: Buffer, records: ReadonlyMap<string, string>): Buffer {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = asked[at]!; length > 0; length = asked[at]!) {
    labels.push(asked.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const isText = asked.readUInt16BE(at + 1) === TXT;
  const question = asked.subarray(HEADER_BYTES, at + 5);
  const text = isText ? records.get(labels.join('.').toLowerCase()) : undefined;
  const header = Buffer.alloc(HEADER_BYTES);
  asked.copy(header, 0, 0, 2);
  header.writeUInt16BE(text === undefined ? 0x81_83 : 0x81_80, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(text === undefined ? 0 : 1, 6);
  return text === undefined ? Buffer.concat([header, question]) : Buffer.concat([header, question, recordOf(text)]);
}

function recordOf(text: string): Buffer {
  const data = Buffer.from(text);
  const head = Buffer.alloc(13);
  head.writeUInt16BE(0xc0_0c, 0);
  head.writeUInt16BE(TXT, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length + 1, 10);
  head.writeUInt8(data.length, 12);
  return Buffer.concat([head, data]);
}
