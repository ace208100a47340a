import { expect } from '@jest/globals';
import { startRealtimeUpstream } from '../../support/realtimeUpstream.ts';
import { socketAt, type SocketEvent, type TestSocket } from '../../support/webSocket.ts';
import { setMoneyStage, sumOf } from '../stages/moneyStage.ts';

const CREDIT_NANOS = 10_000_000_000n;

type Response = Record<string, unknown> & {
  status: string;
  status_details: { error?: object; reason?: string } | null;
  output: { id: string; name?: string; arguments?: string; content?: { text?: string; transcript?: string }[] }[];
  usage: Record<string, number>;
};

export type TestSocketStage = Awaited<ReturnType<typeof setTestSocketStage>>;

/** APIs, accounts of test workspaces with their sockets, and a vendor's upstream that none of them may call. */
export async function setTestSocketStage() {
  const vendor = await startRealtimeUpstream('sk-vendor');
  const usdPerMillion = { input_tokens: 4 };
  const stage = await setMoneyStage({ realtime: { url: vendor.url, apiKey: 'sk-vendor', usdPerMillion } });
  const url = stage.urls()[0]!;

  /** An account with test money. */
  async function tester() {
    const account = await stage.account({ isTest: true, balanceNanos: 0n });
    const headers = { authorization: `Bearer ${account.secret}`, 'content-type': 'application/json' };
    const post = (path: string, body: object) =>
      fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    expect((await post('/platform/v1/billing/checkout', { amount: 10 })).status).toBe(200);
    return { ...account, post };
  }

  type Tester = Awaited<ReturnType<typeof tester>>;

  async function begin(path: string, { fault, by }: { fault?: string; by?: Tester } = {}) {
    const account = by ?? (await tester());
    const headers = fault === undefined ? undefined : { 'x-test-fault': fault };
    const socket = await socketAt(url, path, { key: account.secret, headers });
    await socket.next('session.created');
    return { ...socket, ...account };
  }

  /** The bills of an account without open sockets: test money has paid them, and no upstream of the catalogue was called. */
  async function billsOf({ workspaceId, accountId, keyId }: Pick<Tester, 'workspaceId' | 'accountId' | 'keyId'>) {
    await stage.quiet(accountId);
    const { rows } = await stage.db.pool.query(
      'select status, upstream, usage, cost_nanos from requests where key_id = $1 order by started_at, id',
      [keyId],
    );
    const bills = rows as { status: number; upstream: string; usage: Record<string, number>; cost_nanos: string }[];
    const paidNanos = sumOf(bills.map((bill) => BigInt(bill.cost_nanos)));
    expect(await stage.balance({ workspaceId, accountId, keyId, secret: '' })).toBe(CREDIT_NANOS - paidNanos);
    expect([vendor.asked, stage.upstream.calls()]).toEqual([[], []]);
    return bills;
  }

  const close = async () => {
    await stage.close();
    await vendor.stop();
  };
  return { db: stage.db, account: stage.account, url, tester, begin, billsOf, close };
}

export async function end(socket: TestSocket): Promise<void> {
  socket.ws.close();
  await socket.closed;
}

/** Adds a message of the user. */
export const say = (socket: TestSocket, text: string): void =>
  socket.send({
    type: 'conversation.item.create',
    item: { type: 'message', role: 'user', content: [{ type: 'input_text', text }] },
  });

export async function update(socket: TestSocket, session: object): Promise<void> {
  socket.send({ type: 'session.update', session: { type: 'realtime', ...session } });
  await socket.next('session.updated');
}

export const nextResponse = async (socket: TestSocket): Promise<Response> =>
  (await socket.next('response.done')).response as Response;

export function answered(socket: TestSocket, response: object = {}): Promise<Response> {
  socket.send({ type: 'response.create', response });
  return nextResponse(socket);
}

/** The text of an answer, written or spoken. */
export const textIn = ({ output }: Response): string | undefined =>
  output[0]?.content?.[0]?.text ?? output[0]?.content?.[0]?.transcript;

/** The sound of all answers. */
const soundIn = (events: SocketEvent[]): Buffer =>
  Buffer.concat(
    events
      .filter(({ type }) => type === 'response.output_audio.delta')
      .map(({ delta }) => Buffer.from(String(delta), 'base64')),
  );

// A tone and a second of silence after it: 24 kHz.
const SPOKEN = Buffer.concat([
  Buffer.from(Int16Array.from({ length: 24_000 }, (_, at) => 9_000 * Math.sin(at / 10)).buffer),
  Buffer.alloc(48_000),
]);
const TENTH_BYTES = 4_800;

/** Sends two seconds of audio, the first of them loud, or a part of it. */
export function speak(socket: TestSocket, seconds = 2): void {
  for (let at = 0; at < seconds * 10 * TENTH_BYTES; at += TENTH_BYTES) {
    const audio = SPOKEN.subarray(at, at + TENTH_BYTES).toString('base64');
    socket.send({ type: 'input_audio_buffer.append', audio });
  }
}

/** One question and its spoken answer. */
export async function talkOnce(stage: TestSocketStage, path: string) {
  const socket = await stage.begin(path);
  say(socket, 'How much is a call?');
  const response = await answered(socket);
  const { cost, ...usage } = response.usage;
  await end(socket);
  return { socket, cost, said: { text: textIn(response), usage, sound: soundIn(socket.events).toString('base64') } };
}

/** One turn on a socket that only transcribes. */
export async function hearOnce(stage: TestSocketStage, fault?: string, ending = 'completed') {
  const socket = await stage.begin('/v1/realtime?intent=transcription', { fault });
  const input = { transcription: { model: 'whisper-1' }, turn_detection: null };
  await update(socket, { type: 'transcription', audio: { input } });
  speak(socket, 1);
  socket.send({ type: 'input_audio_buffer.commit' });
  const heard = await socket.next(`conversation.item.input_audio_transcription.${ending}`);
  await end(socket);
  return { heard, bills: await stage.billsOf(socket) };
}
