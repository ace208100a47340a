import type { IncomingHttpHeaders } from 'node:http';
import { gunzipSync } from 'node:zlib';
import { listen } from '../../rules/scripted/startScripted.ts';

/** A span as it was received. */
export interface ReceivedSpan {
  service: string;
  traceId: string;
  spanId: string;
  /** Empty for the first span of a trace. */
  parentSpanId: string;
  name: string;
  kind: number;
  attributes: Record<string, unknown>;
  /** Ids of linked spans. */
  links: string[];
  isFailed: boolean;
  startNanos: bigint;
  endNanos: bigint;
}

export type OtlpReceiver = Awaited<ReturnType<typeof startOtlpReceiver>>;

/** A receiver of OpenTelemetry's traces over HTTP, in protobuf. */
export async function startOtlpReceiver() {
  const spans: ReceivedSpan[] = [];
  const requests: { path: string; headers: IncomingHttpHeaders }[] = [];
  const { url, stop } = await listen(0, (request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      requests.push({ path: request.url!, headers: request.headers });
      const body = Buffer.concat(parts);
      spans.push(...spansIn(request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  return { url, spans, requests, stop };
}

type Fields = Map<number, (Buffer | bigint)[]>;

/** The fields of a protobuf message: bytes, or numbers of a fixed or a variable length. */
function fieldsOf(message: Buffer): Fields {
  const fields: Fields = new Map();
  let at = 0;
  const number = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]!;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (length: number): Buffer => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = Number(number());
    const values = fields.get(tag >> 3) ?? [];
    fields.set(tag >> 3, values);
    const wire = tag & 7;
    if (wire === 0) values.push(number());
    else if (wire === 1) values.push(bytes(8).readBigUInt64LE());
    else if (wire === 2) values.push(bytes(Number(number())));
    else values.push(BigInt(bytes(4).readUInt32LE()));
  }
  return fields;
}

const messages = (fields: Fields, field: number): Fields[] =>
  (fields.get(field) ?? []).map((bytes) => fieldsOf(bytes as Buffer));
const bytesIn = (fields: Fields, field: number): Buffer =>
  (fields.get(field)?.[0] as Buffer | undefined) ?? Buffer.of();
const numberIn = (fields: Fields, field: number): bigint => (fields.get(field)?.[0] as bigint | undefined) ?? 0n;

// The numbers are those of opentelemetry-proto's trace.proto.
function spansIn(request: Buffer): ReceivedSpan[] {
  return messages(fieldsOf(request), 1).flatMap((resourceSpans) => {
    const resource = attributesOf(messages(resourceSpans, 1)[0]!, 1);
    return messages(resourceSpans, 2).flatMap((scopeSpans) =>
      messages(scopeSpans, 2).map((span) => spanOf(span, String(resource['service.name']))),
    );
  });
}

const spanOf = (span: Fields, service: string): ReceivedSpan => ({
  service,
  traceId: bytesIn(span, 1).toString('hex'),
  spanId: bytesIn(span, 2).toString('hex'),
  parentSpanId: bytesIn(span, 4).toString('hex'),
  name: bytesIn(span, 5).toString(),
  kind: Number(numberIn(span, 6)),
  startNanos: numberIn(span, 7),
  endNanos: numberIn(span, 8),
  attributes: attributesOf(span, 9),
  links: messages(span, 13).map((link) => bytesIn(link, 2).toString('hex')),
  isFailed: messages(span, 15).some((status) => numberIn(status, 3) === 2n),
});

const attributesOf = (fields: Fields, field: number): Record<string, unknown> =>
  Object.fromEntries(
    messages(fields, field).map((pair) => [bytesIn(pair, 1).toString(), valueOf(messages(pair, 2)[0]!)]),
  );

function valueOf(value: Fields): unknown {
  if (value.has(1)) return bytesIn(value, 1).toString();
  if (value.has(2)) return numberIn(value, 2) === 1n;
  if (value.has(3)) return Number(numberIn(value, 3));
  return undefined;
}
