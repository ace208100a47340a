import type { ServerResponse } from 'node:http';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Json } from '../../providers/provider.ts';
import type { Call } from './callLog.ts';
import { breakOff } from './performStream.ts';
import type { Fault } from './script.ts';

const ERROR_FRAME = { error: { message: 'The engine broke.', type: 'server_error', param: null, code: 'broken' } };

/** Sends one JSON answer, or what the fault makes of it. */
export async function performAnswer(response: ServerResponse, answer: Json, fault: Fault | undefined, call: Call) {
  if (fault === 'stall') return;
  const text = JSON.stringify(fault === 'errorFrame' ? ERROR_FRAME : answer);
  const bytes = Buffer.from(fault === 'malformed' ? text.slice(0, text.length / 2) : text);
  response.writeHead(200, {
    'content-type': 'application/json',
    ...(fault !== 'endless' && { 'content-length': bytes.length }),
  });
  if (fault === 'byByte') for (const byte of bytes) await sendPart(response, Buffer.of(byte));
  else if (fault === 'endless') while (!response.destroyed) await sendPart(response, Buffer.from(' '));
  else if (fault === 'halfClose' || fault === 'reset' || fault === 'endEarly') {
    await sendPart(response, bytes.subarray(0, bytes.length / 2));
    breakOff(response, fault === 'reset' ? 'reset' : 'halfClose', call);
  } else response.write(bytes);
  response.end();
}

async function sendPart(response: ServerResponse, part: Buffer): Promise<void> {
  response.write(part);
  await nextTurn();
}
