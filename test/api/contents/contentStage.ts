import { createKey } from '../../../db/keys/keyStore.ts';
import { createSealingKey } from '../../../db/sealing/sealingKeys.ts';
import { makeAccount } from '../../support/account.ts';
import { setStage } from '../platform/stage.ts';

export interface Answer {
  status: number;
  body: Record<string, unknown> & { error: { code: string; param: string } };
}

export type ContentStage = Awaited<ReturnType<typeof setContentStage>>;

/** The API with a key for contents: `keeping` keeps those of its calls for seven days, `reader` reads them. */
export async function setContentStage() {
  const contentsKey = createSealingKey();
  const stage = await setStage({ env: { CONTENTS_KEY: contentsKey } });
  const account = await makeAccount(stage.db, { creditUsd: '10' });
  const { workspaceId } = account;
  const made = (name: string, scopes: string[]) => createKey(stage.db.everywhere, { workspaceId, name, scopes });
  const manager = (await made('manager', ['manage'])).secret;
  const reader = (await made('reader', ['contents'])).secret;

  async function send(method: string, path: string, body?: object, key = manager): Promise<Answer> {
    const response = await fetch(`${stage.api.url}${path}`, {
      method,
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Answer['body'] };
  }

  const { body } = await send('POST', '/console/v1/keys', { name: 'kept', scopes: ['llm', 'voice'], log_days: 7 });
  const [keeping, keepingId] = [body.key as string, body.id as string];

  const contentOf = (requestId: string, key = reader) =>
    send('GET', `/platform/v1/requests/${requestId}/content`, undefined, key);

  /** Calls a route. Returns the request's id and the whole answer. */
  async function call(path: string, sent: object, key = keeping) {
    const response = await fetch(`${stage.api.url}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(sent),
    });
    const text = await response.text();
    return { status: response.status, text, requestId: response.headers.get('x-request-id')! };
  }

  return { ...stage, contentsKey, account, manager, reader, keeping, keepingId, send, contentOf, call };
}
