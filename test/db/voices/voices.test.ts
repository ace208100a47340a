import { afterAll, expect, test } from '@jest/globals';
import { countVoices, createVoice } from '../../../db/voices/voices.ts';
import { makeAccount } from '../../support/account.ts';
import { setTestDatabase } from '../../support/database.ts';

const db = await setTestDatabase();
afterAll(() => db.close());

const voiceOf = (workspaceId: string, name: string) => ({
  id: `${workspaceId}-${name}`,
  name,
  description: null,
  labels: {},
  measure: {},
  samples: [],
  upstreamIds: {},
});

test("of concurrent new voices no more than the workspace's limit are stored, whatever others have", async () => {
  const [mine, other] = [await makeAccount(db), await makeAccount(db)];
  const makers = [mine, other].flatMap(({ workspaceId }) =>
    Array.from({ length: 30 }, (_, at) => createVoice(db.write(workspaceId), voiceOf(workspaceId, String(at)), 7)),
  );
  const kept = await Promise.all(makers);
  expect(kept.filter(Boolean)).toHaveLength(14);
  expect(await countVoices(db.read(mine.workspaceId))).toBe(7);
  expect(await countVoices(db.read(other.workspaceId))).toBe(7);
});
