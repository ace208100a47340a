import { createSocket } from 'node:dgram';
import { once } from 'node:events';

const [A, TXT] = [1, 16];
const HEADER_BYTES = 12;

/**
 * A name server on the loopback interface. `records` are texts by name, for TXT, and `addresses` by name, for A; a name in `silent` gets no
 * answer. `before.answer` is awaited before each answer.
 */
export async function startDnsServer() {
  const records = new Map<string, string>();
  const addresses = new Map<string, string>();
  const silent = new Set<string>();
  const before: { answer?: () => Promise<unknown> } = {};
  const socket = createSocket('udp4');
  socket.on('message', (asked, from) => {
    const { name, type, question } = questionIn(asked);
    if (silent.has(`${type === A ? 'A' : 'AAAA'} ${name}`)) return;
    const data = dataOf(type, name);
    const answer = () => socket.send(answerTo(asked, question, data && recordOf(type, data)), from.port, from.address);
    if (before.answer) void before.answer().then(answer);
    else answer();
  });
  function dataOf(type: number, name: string): Buffer | undefined {
    const text = type === TXT ? records.get(name) : undefined;
    if (text !== undefined) return Buffer.concat([Buffer.from([Buffer.byteLength(text)]), Buffer.from(text)]);
    const address = type === A ? addresses.get(name) : undefined;
    return address === undefined ? undefined : Buffer.from(address.split('.').map(Number));
  }
  socket.bind(0, '127.0.0.1');
  await once(socket, 'listening');
  return {
    address: `127.0.0.1:${socket.address().port}`,
    records,
    addresses,
    silent,
    before,
    stop: async () => {
      socket.close();
      await once(socket, 'close');
    },
  };
}

function questionIn(asked: Buffer): { name: string; type: number; question: Buffer } {
  const labels: string[] = [];
  let at = HEADER_BYTES;
  for (let length = asked[at]!; length > 0; length = asked[at]!) {
    labels.push(asked.toString('latin1', at + 1, at + 1 + length));
    at += length + 1;
  }
  const question = asked.subarray(HEADER_BYTES, at + 5);
  return { name: labels.join('.').toLowerCase(), type: asked.readUInt16BE(at + 1), question };
}

/** The question again, and its record; without one the code of a name that does not exist. */
function answerTo(asked: Buffer, question: Buffer, record: Buffer | undefined): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  asked.copy(header, 0, 0, 2);
  header.writeUInt16BE(record ? 0x81_80 : 0x81_83, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(record ? 1 : 0, 6);
  return Buffer.concat([header, question, ...(record ? [record] : [])]);
}

function recordOf(type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(12);
  head.writeUInt16BE(0xc0_0c, 0);
  head.writeUInt16BE(type, 2);
  head.writeUInt16BE(1, 4);
  head.writeUInt32BE(60, 6);
  head.writeUInt16BE(data.length, 10);
  return Buffer.concat([head, data]);
}
