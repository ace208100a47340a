import { afterAll, afterEach } from '@jest/globals';
import OpenAI from 'openai';
import { revokeKey } from '../../db/keys/keyStore.ts';
import { startScripted } from '../../rules/scripted/startScripted.ts';
import { balanceOf, makeAccount } from '../support/account.ts';
import { makeDatabase, openTestDatabase } from '../support/database.ts';
import { startApi } from '../support/startApi.ts';

export type ClientStage = Awaited<ReturnType<typeof startClientStage>>;

/** The platform as a process, the scripted model behind it, and a key for each situation of a client. */
export async function startClientStage() {
  const database = await makeDatabase();
  const db = await openTestDatabase({ url: database.url, spends: false });
  const upstream = await startScripted();
  const api = await startApi({ databaseUrl: database.url, upstreamUrl: upstream.url });

  const keyOf = async (options: Parameters<typeof makeAccount>[1] = {}) => (await makeAccount(db, options)).secret;
  const funded = await makeAccount(db, { creditUsd: '100' });
  const revoked = await makeAccount(db);
  await revokeKey(db, revoked.keyId);
  const keys = {
    funded: funded.secret,
    broke: await keyOf({ balanceNanos: 0n }),
    spent: await keyOf({ spendLimitNanos: 0n, spendLimitPeriod: 'daily' }),
    voiceOnly: await keyOf({ scopes: ['voice'] }),
    onePerMinute: await keyOf({ rpmLimit: 1 }),
    revoked: revoked.secret,
  };

  return {
    baseUrl: `${api.url}/textapi/v1`,
    keys,
    upstream,
    /** A new key with a limit of one call a minute. */
    newLimitedKey: () => keyOf({ rpmLimit: 1 }),
    /** The balance of the funded key's account. */
    balanceNanos: () => balanceOf(db, funded.workspaceId),
    async stop() {
      await api.stop();
      await upstream.stop();
      await db.close();
      await database.drop();
    },
  };
}

/** That stage and OpenAI's client with the funded key for the tests of a file. Ends with the file. */
export async function openClientStage() {
  const stage = await startClientStage();
  afterEach(() => stage.upstream.reset());
  afterAll(() => stage.stop());
  const client = new OpenAI({ baseURL: stage.baseUrl, apiKey: stage.keys.funded, maxRetries: 0 });
  return { stage, client };
}
