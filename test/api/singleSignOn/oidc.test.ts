import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { begin, setSsoStage } from './ssoStage.ts';

let stage: Awaited<ReturnType<typeof setSsoStage>>;
beforeAll(async () => {
  stage = await setSsoStage();
});
afterAll(() => stage?.close());

describe('an identity provider of a workspace', () => {
  test('signs nobody in before its owner has tried it, and a trial opens no session', async () => {
    const ada = await stage.owner();
    const domain = await stage.prove(ada);
    const { body, status } = await stage.put<{ redirect_url: string; tested_at: null }>(ada, stage.oidc());
    expect([status, body.tested_at]).toEqual([200, null]);
    expect(JSON.stringify(body)).not.toContain('a-secret-of-the-tests');
    expect((await begin(stage.browser(), { email: `grace@${domain}` })).status).toBe(404);
  });

  test('makes people members with the role of their groups at each sign-in', async () => {
    const { ada, domain, back } = await stage.company();
    expect(back).toMatch(/^\/settings\?tab=sign-in&error=sso_trial/);
    const { body: state } = await ada.get<{ provider: object }>('single-sign-on');
    expect(state.provider).toMatchObject({
      tested_at: expect.any(String),
      last_trial: { groups: ['admins'], role: 'owner', problem: null },
    });
    const email = `grace@${domain}`;
    const subject = stage.provide({ email, groups: ['engineers', 'accounting'] });
    const { browser, next } = await stage.signIn(email, subject);
    expect(next).toBe('/sign-in?step=done');
    const { body: me } = await browser.get('me');
    expect(me).toMatchObject({
      user: { email, email_verified: true },
      role: 'developer',
      workspace: { id: ada.me.workspace.id },
      workspaces: [{ id: ada.me.workspace.id }],
      session: { is_of_provider: true, lacks: null },
    });
    stage.provider.people.get(subject)!.groups = ['accounting'];
    const again = await stage.signIn(email, subject);
    expect((await again.browser.get('me')).body).toMatchObject({ role: 'finance', user: { id: me.user.id } });
    const actions = (await stage.auditOf(ada.me.workspace.id)).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['add_mail_domain', 'verify_mail_domain', 'add_identity_provider']));
    expect(actions.slice(-2)).toEqual(['sso_add_member', 'sso_change_role']);
  });
});
