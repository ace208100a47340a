// Bills calls in the database of the first argument, one after another, until it is killed. Prints the id of each billed call.
import { openDatabase } from '../../../db/database.ts';
import { newId } from '../../../db/ids.ts';
import { makeAccount } from '../../support/account.ts';

const db = await openDatabase({ url: process.argv[2]!, spends: true, onError: () => {} });
const { keyId, accountId, workspaceId } = await makeAccount(db, { creditUsd: '100' });
const spender = { keyId, accountId, workspaceId };

for (;;) {
  const requestId = newId('req');
  await db.ledger.settle(await db.ledger.hold(spender, 5_000n), {
    requestId,
    spender,
    costNanos: 1_000n,
    route: '/v1/chat/completions',
    model: 'ledgerline-text-1',
    status: 200,
    cancelled: false,
    usage: { input_tokens: 10, output_tokens: 5 },
    startedAtMs: Date.now(),
    firstByteMs: null,
    durationMs: 12,
    streamBytes: 0,
    upstream: 'scripted',
    attempts: 1,
    finishReason: 'stop',
    cachedTokens: null,
    reasoningTokens: null,
    priceId: null,
    product: 'text',
  });
  process.stdout.write(`${requestId}\n`);
}
