import { Agent, fetch } from 'undici';
import { newId } from '../../../db/ids.ts';
import { nanosOfUsd } from '../../../db/money.ts';
import { setGuardStage, type GuardStage } from '../../support/guardStage.ts';
import { until } from '../../support/until.ts';

export const password = 'correct horse battery';

/** The members of answers that tests read. */
export interface Sent {
  id: string;
  role: string;
  user: { id: string; email: string; two_factor_enabled: boolean };
  workspace: { id: string; name: string };
  workspaces: { id: string; name: string; role: string }[];
  data: { id: string }[];
  error: { code: string; message: string; param?: string | null };
  [member: string]: unknown;
}

export interface Answered<Body = Sent> {
  status: number;
  headers: Pick<Headers, 'get' | 'getSetCookie'>;
  body: Body;
}

/** A browser with its own cookies, which by default sends requests from a page of the console. `host`: the host name that it uses. */
export function createBrowser(
  url: string,
  { headers: always = {}, host }: { headers?: Record<string, string>; host?: string } = {},
) {
  const dispatcher = host === undefined ? undefined : naming(host);
  const cookies = new Map<string, string>();

  const send = <Body = Sent>(method: string, path: string, body?: object, headers: Record<string, string> = {}) =>
    sendText<Body>(method, path, body && JSON.stringify(body), {
      ...(body && { 'content-type': 'application/json' }),
      ...headers,
    });

  async function sendText<Body = Sent>(
    method: string,
    path: string,
    body: string | undefined,
    headers: Record<string, string>,
  ): Promise<Answered<Body>> {
    const response = await fetch(url + path, {
      method,
      dispatcher,
      redirect: 'manual',
      headers: withoutEmpty({
        'sec-fetch-site': 'same-origin',
        'x-ledgerline-csrf': '1',
        ...(cookies.size > 0 && { cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; ') }),
        ...always,
        ...headers,
      }),
      body,
    });
    for (const set of response.headers.getSetCookie()) keep(set);
    const text = await response.text();
    const isJson = /[/+]json/.test(response.headers.get('content-type') ?? '');
    return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
  }

  function keep(set: string): void {
    const [pair = '', ...attributes] = set.split('; ');
    const [name, value] = [pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1)];
    if (value === '' || attributes.some((one) => /^max-age=0$/i.test(one))) cookies.delete(name);
    else cookies.set(name, value);
  }

  return {
    cookies,
    send,
    /** Posts a form, as a page does. */
    sendForm: (path: string, form: URLSearchParams, headers: Record<string, string>) =>
      sendText<string>('POST', path, form.toString(), {
        'content-type': 'application/x-www-form-urlencoded',
        'x-ledgerline-csrf': '',
        ...headers,
      }),
    get: <Body = Sent>(path: string) => send<Body>('GET', `/console/v1/${path}`),
    post: <Body = Sent>(path: string, body: object = {}) => send<Body>('POST', `/console/v1/${path}`, body),
    /** Opens a link, which has the installation's own address, like a click; and confirms where its page asks. */
    open: async (link: string) => {
      const { pathname, search, searchParams } = new URL(link);
      const opened = await send('GET', pathname + search, undefined, { 'sec-fetch-site': 'none' });
      if (!opened.headers.get('location')?.startsWith('/confirm-link?')) return opened;
      return send('POST', pathname, Object.fromEntries(searchParams));
    },
  };
}

/** Sends another Host header, which fetch forbids. */
const naming = (host: string) =>
  new Agent().compose(
    (dispatch) => (options, handler) =>
      dispatch({ ...options, headers: { ...(options.headers as object), host } }, handler),
  );

const withoutEmpty = (headers: Record<string, string>) =>
  Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== ''));

/** The answer, if it has this status. @throws a message with the whole answer: a wait for its effect would not show it. */
export function expectAnswer<Body>(answered: Answered<Body>, status: number): Answered<Body> {
  if (answered.status === status) return answered;
  throw new Error(`answered ${answered.status} instead of ${status}: ${JSON.stringify(answered.body)}`);
}

export type Browser = ReturnType<typeof createBrowser>;
export type AccountStage = Awaited<ReturnType<typeof setAccountStage>>;
export type Person = Awaited<ReturnType<AccountStage['person']>>;

/** The API with people, their browsers and their mails. */
export async function setAccountStage(options: Parameters<typeof setGuardStage>[0] = {}) {
  const stage: GuardStage = await setGuardStage(options);
  let count = 0;
  const newEmail = (name = 'person') => `${name}${(count += 1)}@example.com`;
  const { PUBLIC_URL } = options.env ?? {};
  const browser = () => createBrowser(stage.api.url, { host: PUBLIC_URL && new URL(PUBLIC_URL).host });

  /** The newest mail to an address, once it exists. */
  async function mailTo(email: string, subject = ''): Promise<{ subject: string; text: string; link: string }> {
    const sql = `select subject, text from test_mails where recipient = $1 and subject ilike $2 order by created_at desc, id desc limit 1`;
    let found: { subject: string; text: string } | undefined;
    await until(async () => (found = (await stage.db.pool.query(sql, [email, `%${subject}%`])).rows[0]) !== undefined);
    return { ...found!, link: /https?:\/\/\S+/.exec(found!.text)?.[0] ?? '' };
  }

  /** A person who has signed up and confirmed the address. */
  async function person({ name = 'Ada Lovelace', email = newEmail() }: { name?: string; email?: string } = {}) {
    const own = browser();
    expectAnswer(await own.post('auth/sign-up/email', { name, email, password }), 200);
    expectAnswer(await own.open((await mailTo(email, 'confirm')).link), 200);
    const { body: me } = expectAnswer(await own.get('me'), 200);
    return { ...own, email, name, me };
  }

  const credit = (workspaceId: string, usd: string) =>
    stage.db.ledger.transfer({
      kind: 'topup',
      subject: newId('test'),
      workspaceId,
      houseAccountId: 'payments',
      amountNanos: nanosOfUsd(usd),
    });

  return { ...stage, credit, newEmail, browser, mailTo, person };
}
