import { startScripted } from '../../../rules/scripted/startScripted.ts';
import { makeDatabase, openTestDatabase } from '../../support/database.ts';
import { startApi, startApiProcess, textModel } from '../../support/startApi.ts';

/** A database, an upstream and the API on it, for one test file. */
export async function setStage({ env = {} }: { env?: Record<string, string> } = {}) {
  const database = await makeDatabase();
  const upstream = await startScripted();
  const api = await startApi({ databaseUrl: database.url, upstreamUrl: upstream.url, env });
  const db = await openTestDatabase({ url: database.url });

  /** Sends a chat call with the key. Returns its request id. */
  async function chat(key: string): Promise<string> {
    const { status, text, requestId } = await ask(key, 'What is two and two?');
    if (status !== 200) throw new Error(`${status} ${text}`);
    return requestId;
  }

  /** The same for any answer, which is read to its end. */
  async function ask(key: string, content: string, more: object = {}) {
    const response = await fetch(`${api.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ model: textModel, messages: [{ role: 'user', content }], ...more }),
    });
    const text = await response.text();
    return { status: response.status, text, requestId: response.headers.get('x-request-id')! };
  }

  /** A stream that has begun and sends no more until it is ended. */
  async function startStream(key: string): Promise<{ end: () => void }> {
    const caller = new AbortController();
    const response = await fetch(`${api.url}/v1/chat/completions`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({
        model: textModel,
        messages: [{ role: 'user', content: '{"scripted":{"fault":"stall"}}' }],
        stream: true,
      }),
      signal: caller.signal,
    });
    await response.body!.getReader().read();
    return { end: () => caller.abort() };
  }

  /** Another process of the API, on the same database. */
  const startOther = () => startApiProcess({ databaseUrl: database.url, upstreamUrl: upstream.url, env });

  async function close(): Promise<void> {
    await db.close();
    await api.stop();
    await upstream.stop();
    await database.drop();
  }

  return { databaseUrl: database.url, api, db, upstream, chat, ask, startStream, startOther, close };
}
