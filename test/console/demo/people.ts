import { setTimeout as sleep } from 'node:timers/promises';
import { until } from '../../support/until.ts';
import { createBrowser, password as demoPassword, type Browser } from '../../api/accounts/accountStage.ts';
import type { DemoStage } from './demoStage.ts';

/** A person of the demonstration, with a signed-in browser. */
export interface Person extends Browser {
  name: string;
  email: string;
  workspaceId: string;
  /** The address of the service. */
  url: string;
}

export { demoPassword };

/** The addresses of the people who sign in; all have one password. The operator is in no team. */
export const demoEmails = {
  owner: 'maya@northwind.example',
  developer: 'dana@northwind.example',
  finance: 'felix@northwind.example',
  publisher: 'priya@northwind.example',
  newcomer: 'noor@example.org',
  operator: 'olga@ledgerline.example',
};

const BUSY_TRIES = 20;
const BUSY_MS = 500;

/** Sends a request as a person's browser does; throws what is refused. */
export async function send<Body = { id: string }>(
  person: Browser,
  method: string,
  path: string,
  body?: object,
  headers: Record<string, string> = {},
): Promise<Body> {
  const answer = await untilTaken(() => person.send<Body>(method, `/console/v1/${path}`, body, headers));
  if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
}

/** Repeats what a busy machine refuses. */
async function untilTaken<Answer extends { status: number }>(ask: () => Promise<Answer>): Promise<Answer> {
  for (let left = BUSY_TRIES; ; left -= 1) {
    const answer = await ask();
    if (answer.status !== 503 || left === 0) return answer;
    await sleep(BUSY_MS);
  }
}

/** A person who has signed up and confirmed the address. */
export async function signUp(stage: DemoStage, name: string, email: string): Promise<Person> {
  const browser = createBrowser(stage.url);
  await send(browser, 'POST', 'auth/sign-up/email', { name, email, password: demoPassword });
  await browser.open(await linkIn(stage, email, 'confirm'));
  const { workspace } = await send<{ workspace: { id: string } }>(browser, 'GET', 'me');
  return { ...browser, name, email, workspaceId: workspace.id, url: stage.url };
}

/** A person's further browser. */
export async function signIn(stage: DemoStage, email: string): Promise<Person> {
  const browser = createBrowser(stage.url);
  await send(browser, 'POST', 'auth/sign-in/email', { email, password: demoPassword });
  const me = await send<{ user: { name: string }; workspace: { id: string } }>(browser, 'GET', 'me');
  return { ...browser, name: me.user.name, email, workspaceId: me.workspace.id, url: stage.url };
}

/** The link in the newest mail to an address. */
async function linkIn(stage: DemoStage, email: string, subject: string): Promise<string> {
  const sql = `select text from test_mails where recipient = $1 and subject ilike $2 order by created_at desc, id desc limit 1`;
  let text = '';
  await until(async () => {
    const { rows } = await stage.db.pool.query<{ text: string }>(sql, [email, `%${subject}%`]);
    text = rows[0]?.text ?? '';
    return text !== '';
  });
  return /https?:\/\/\S+/.exec(text)![0];
}

/** The people of Northwind Robotics by role; the owner is also an operator of the installation. A newcomer has an empty workspace. */
export async function signUpTeam(stage: DemoStage) {
  const owner = await signUp(stage, 'Maya Lindqvist', demoEmails.owner);
  await stage.owner.query('update workspaces set name = $2 where id = $1', [owner.workspaceId, 'Northwind Robotics']);
  await stage.owner.query('update users set is_operator = true where email = $1', [owner.email]);
  const join = async (name: string, email: string, role: string): Promise<Person> => {
    const person = await signUp(stage, name, email);
    const invitation = await invite(owner, email, role);
    await send(person, 'POST', 'auth/organization/accept-invitation', { invitationId: invitation.id });
    await send(person, 'POST', 'auth/organization/set-active', { organizationId: owner.workspaceId });
    return { ...person, workspaceId: owner.workspaceId };
  };
  await signUp(stage, 'Noor Haddad', demoEmails.newcomer);
  return {
    owner,
    developer: await join('Dana Okafor', demoEmails.developer, 'developer'),
    finance: await join('Felix Brandt', demoEmails.finance, 'finance'),
    publisher: await join('Priya Raman', demoEmails.publisher, 'publisher'),
  };
}

/** Invites an address to the workspace of a person. */
export const invite = (person: Person, email: string, role: string) =>
  send(person, 'POST', 'auth/organization/invite-member', { email, role });

/** Uploads a file as a person, and returns its id. */
export async function upload(
  { cookies, url }: Person,
  purpose: string,
  { name, type, bytes }: { name: string; type: string; bytes: Uint8Array<ArrayBuffer> },
): Promise<string> {
  const form = new FormData();
  form.append('purpose', purpose);
  form.append('file', new Blob([bytes], { type }), name);
  const cookie = [...cookies].map(([key, value]) => `${key}=${value}`).join('; ');
  const headers = { cookie, 'x-ledgerline-csrf': '1', 'sec-fetch-site': 'same-origin' };
  const response = await fetch(`${url}/console/v1/files`, { method: 'POST', headers, body: form });
  if (!response.ok) throw new Error(`uploading ${name} answered ${response.status}: ${await response.text()}`);
  return ((await response.json()) as { id: string }).id;
}
