import { afterAll, beforeEach } from '@jest/globals';
import { chatPath, setGuardStage, type ErrorBody } from '../../support/guardStage.ts';
import { startApiProcess } from '../../support/startApi.ts';

/** The API as a process, and a caller of chat. It is closed after the file's tests. */
export async function setBodyStage() {
  const stage = await setGuardStage({ start: startApiProcess });
  const headers = { 'x-api-key': (await stage.account({ creditUsd: '1000' })).secret };
  beforeEach(() => stage.upstream.reset());
  afterAll(() => stage.close());

  async function send(body: string | Uint8Array<ArrayBuffer>, more: Record<string, string> = {}) {
    const response = await stage.ask(chatPath, { headers: { ...headers, ...more }, body });
    const answer = (await response.json()) as Partial<ErrorBody>;
    return { status: response.status, code: answer.error?.code, param: answer.error?.param };
  }

  /** The body that the upstream got last. */
  const lastSent = () => stage.upstream.calls().at(-1)!.body as Record<string, unknown>;

  return { ...stage, headers, send, lastSent };
}
