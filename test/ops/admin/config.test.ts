import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readAdminConfig } from '../../../ops/admin/config.ts';
import { type TestFolder, makeFolder } from '../../support/folder.ts';

const DATABASE_URL = 'postgres://127.0.0.1/installed';
const installed = `DATABASE_URL=${DATABASE_URL}\nTEMPORAL_ADDRESS=127.0.0.1:1\nTEMPORAL_NAMESPACE=ours\n`;

let folder: TestFolder;
beforeEach(async () => {
  folder = await makeFolder();
  await writeFile(join(folder.path, 'stack.env'), installed);
});
afterEach(() => folder.remove());

test.each([
  [{}, { address: '127.0.0.1:1', namespace: 'ours' }],
  [
    { TEMPORAL_ADDRESS: '', TEMPORAL_NAMESPACE: '' },
    { address: '127.0.0.1:1', namespace: 'ours' },
  ],
  [{ TEMPORAL_NAMESPACE: 'other' }, { address: '127.0.0.1:1', namespace: 'other' }],
  [{ TEMPORAL_ADDRESS: 'elsewhere:7233' }, { address: 'elsewhere:7233', namespace: 'default' }],
])("uses the installation's Temporal and namespace, unless %j overrides them", (env, temporal) => {
  expect(readAdminConfig({ ...env, DATA_DIR: folder.path })).toMatchObject({ databaseUrl: DATABASE_URL, temporal });
});
