/** A part of an answer on the wire; the first holds its whole head. */
export interface AnswerPart {
  bytes: Buffer;
  isFirst: boolean;
  /** Only the head; the body follows, if there is one. */
  isHead: boolean;
  isLast: boolean;
  /** The length of the body where the head says it. */
  bodyBytes: number | undefined;
}

const BLANK_LINE = '\r\n\r\n';
// The final answer follows; 101 is final.
const INTERIM = /^HTTP\/1\.1 1(?!01)/;

/** Finds the beginning and the end of each HTTP/1.1 answer in the bytes of one connection. Answers without a length end with it. */
export function answerReader() {
  let head = Buffer.alloc(0);
  let body: BodyReader | undefined;
  let bodyBytes: number | undefined;

  /** The parts of the answers in these bytes. */
  function* read(bytes: Buffer, isForHead: boolean): Generator<AnswerPart> {
    let rest = bytes;
    while (rest.length > 0) {
      if (body) {
        const { taken, isLast } = body(rest);
        yield { bytes: rest.subarray(0, taken), isFirst: false, isHead: false, isLast, bodyBytes };
        rest = rest.subarray(taken);
        if (isLast) body = undefined;
        continue;
      }
      head = Buffer.concat([head, rest]);
      const end = head.indexOf(BLANK_LINE);
      if (end < 0) return;
      const whole = head.subarray(0, end + BLANK_LINE.length);
      rest = head.subarray(whole.length);
      head = Buffer.alloc(0);
      ({ body, bodyBytes } = bodyOf(whole.toString('latin1'), isForHead));
      const isInterim = INTERIM.test(whole.toString('latin1', 0, 16));
      yield { bytes: whole, isFirst: !isInterim, isHead: true, isLast: !body, bodyBytes };
    }
  }

  return { read };
}

/** How many of the given bytes belong to the body, and whether it ends there. */
type BodyReader = (bytes: Buffer) => { taken: number; isLast: boolean };

function bodyOf(head: string, isForHead: boolean): { body: BodyReader | undefined; bodyBytes: number | undefined } {
  const length = /^content-length: *(\d+)/im.exec(head)?.[1];
  const hasNone = isForHead || length === '0' || /^HTTP\/1\.1 (1(?!01)|204|304)/.test(head);
  if (hasNone) return { body: undefined, bodyBytes: 0 };
  if (length !== undefined) return { body: countedBody(Number(length)), bodyBytes: Number(length) };
  const isChunked = /^transfer-encoding: *chunked/im.test(head);
  return { body: isChunked ? chunkedBody() : openBody, bodyBytes: undefined };
}

function countedBody(length: number): BodyReader {
  let left = length;
  return (bytes) => {
    const taken = Math.min(left, bytes.length);
    left -= taken;
    return { taken, isLast: left === 0 };
  };
}

const openBody: BodyReader = (bytes) => ({ taken: bytes.length, isLast: false });

/** Chunks: a line with the size in hexadecimal, the bytes, and an empty line; the last one has no bytes. */
function chunkedBody(): BodyReader {
  let line = '';
  let left = 0;
  let isEnding = false;
  return (bytes) => {
    let at = 0;
    while (at < bytes.length) {
      if (left > 0) {
        const taken = Math.min(left, bytes.length - at);
        left -= taken;
        at += taken;
        continue;
      }
      line += String.fromCharCode(bytes[at++]!);
      if (!line.endsWith('\r\n')) continue;
      if (isEnding && line === '\r\n') return { taken: at, isLast: true };
      const size = parseInt(line, 16);
      line = '';
      isEnding ||= size === 0;
      // With the line's end behind the bytes.
      if (size > 0) left = size + 2;
    }
    return { taken: at, isLast: false };
  };
}
