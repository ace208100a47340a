import { afterAll } from '@jest/globals';
import { createSealingKey, parseSealingKeys } from '../../db/sealing/sealingKeys.ts';
import { openSecretBox } from '../../db/sealing/secretBox.ts';
import { watchCommits } from '../support/failAfterCommit.ts';
import { setPublishedStage } from './publishedRuns/publishedStage.ts';

/** An API with a published agent and secrets, whose database fails after chosen commits. Both end with the file. */
export async function setCommitStage() {
  const commits = watchCommits();
  const stage = await setPublishedStage();
  afterAll(async () => {
    await stage.close();
    commits.end();
  });
  await openSecretBox(stage.db.everywhere, parseSealingKeys(createSealingKey()));
  return { commits, stage };
}
