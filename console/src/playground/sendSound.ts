import { send } from '../api/client.ts';
import { fetchInTime, fetchOnce } from '../api/once.ts';

// Longer than the longest recording takes.
const UPLOAD_MS = 300_000;

/** Orders speech. Sent again after a lost answer, it is the same order, so that nothing is paid twice. */
export const sendText = (body: object): Promise<Response> =>
  send(
    '/v1/audio/speech',
    { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) },
    fetchOnce,
  );

/** Orders a transcript. A connection that says nothing for five minutes is given up. */
export const sendSound = (body: FormData): Promise<Response> =>
  send('/v1/audio/transcriptions', { method: 'POST', body }, (request) => fetchInTime(request, UPLOAD_MS));
