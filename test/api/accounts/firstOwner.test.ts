import { afterAll, expect, test } from '@jest/globals';
import { runAdmin } from '../../ops/admin/runAdmin.ts';
import { setAccountStage } from './accountStage.ts';

const stage = await setAccountStage();
afterAll(() => stage.close());

const email = 'owner@ledgerline.local';
const admin = (...args: string[]) =>
  runAdmin(args, { DATABASE_URL: stage.addresses.databaseUrl, PUBLIC_URL: stage.api.url });
const bootstrap = async () =>
  JSON.parse((await admin('bootstrap')).stdout) as { workspaceId: string; signInPath: string | null };

test('the link of the first start signs in the first owner, an operator, once; later starts print no link', async () => {
  const { workspaceId, signInPath } = await bootstrap();
  const [browser, thief] = [stage.browser(), stage.browser()];
  const opened = await browser.open(stage.api.url + signInPath!);
  expect(opened).toMatchObject({ status: 200, body: { next: '/' } });
  expect((await browser.get('me')).body).toMatchObject({
    user: { email },
    workspace: { id: workspaceId },
    role: 'owner',
    is_operator: true,
  });
  await thief.open(stage.api.url + signInPath!);
  expect((await thief.get('me')).status).toBe(401);
  expect((await bootstrap()).signInPath).toBeNull();
});

test("only an operator's session gives access to the operators' routes", async () => {
  const [operator, ada] = [stage.browser(), await stage.person()];
  await operator.open((await admin('sign-in-link', email)).stdout.trim());
  expect((await operator.get('reviews')).status).toBe(200);
  expect(await ada.get('reviews')).toMatchObject({ status: 403, body: { error: { code: 'role_not_allowed' } } });

  expect((await admin('operator', ada.email)).stdout).toContain('is an operator');
  expect((await ada.get('reviews')).status).toBe(200);
  await admin('operator', ada.email, '--withdraw');
  expect((await ada.get('reviews')).status).toBe(403);
  const sql = `select action, subject_id = $1 as "isAda" from audit_entries
    where workspace_id is null and subject_type = 'user' and action <> 'sign_in' order by created_at desc limit 3`;
  expect((await stage.db.pool.query(sql, [ada.me.user.id])).rows).toEqual([
    { action: 'withdraw_operator', isAda: true },
    { action: 'grant_operator', isAda: true },
    { action: 'make_sign_in_link', isAda: false },
  ]);
});

test('an unknown address cannot sign in', async () => {
  for (const command of ['sign-in-link', 'operator'])
    expect(await admin(command, 'nobody@example.com')).toMatchObject({
      exitCode: 1,
      stderr: expect.stringMatching(
        /^No person has the address nobody@example\.com\. They sign up first: http.*\/sign-up\n$/,
      ),
    });
});
