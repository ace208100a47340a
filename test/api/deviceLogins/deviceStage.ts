import { insertProject } from '../../../db/projects/projects.ts';
import { setAccountStage, type AccountStage } from '../accounts/accountStage.ts';

/** What a program gets when it begins. */
export interface Codes {
  device_code: string;
  user_code: string;
  verification_uri: string;
  verification_uri_complete: string;
  expires_in: number;
  interval: number;
}

export interface Fetched {
  status: number;
  body: {
    api_key: string;
    key: { id: string; name: string; scopes: string[]; expires_at: string | null; project_id: string };
    workspace: { id: string; name: string; mode: string };
    user: { id: string; name: string; email: string };
    error: { code: string; param: string | null };
  };
}

export type Person = Awaited<ReturnType<AccountStage['person']>>;

/** The API, people, and programs that ask for keys. */
export async function setDeviceStage() {
  const stage = await setAccountStage();
  const send = async (path: string, body: object) => {
    const response = await stage.ask(`/platform/v1/device/${path}`, { body: JSON.stringify(body) });
    return { status: response.status, body: await response.json() };
  };

  const begin = async (body: object = {}) => (await send('codes', body)).body as Codes;
  const approve = (person: Person, { user_code }: { user_code: string }, body: object = {}) =>
    person.post('device/approve', {
      user_code,
      workspace_id: person.me.workspace.id,
      name: 'Command line on ada-laptop',
      scopes: ['llm'],
      ...body,
    });

  return {
    ...stage,
    send,
    begin,
    approve,
    fetchKey: async ({ device_code }: { device_code: string }) => (await send('token', { device_code })) as Fetched,
    /** A new login that the person has approved. */
    approved: async (person: Person, body: object = {}) => {
      const codes = await begin();
      const answer = await approve(person, codes, body);
      if (answer.status !== 200) throw new Error(`${answer.status}: ${JSON.stringify(answer.body)}`);
      return codes;
    },
    /** Makes a person a member of a workspace, or changes that. */
    join: ({ me: { user } }: Person, workspaceId: string, role: string, projectIds: string[] | null = null) =>
      stage.db.pool.query(
        `insert into members (id, workspace_id, user_id, role, project_ids) values ('mem_' || $1, $2, $1, $3, $4)
          on conflict (workspace_id, user_id) do update set role = excluded.role, project_ids = excluded.project_ids`,
        [user.id, workspaceId, role, projectIds],
      ),
    makeProject: async (workspaceId: string, name: string) => {
      const id = `proj_${name}`;
      const unlimited = { spendLimitNanos: null, spendLimitPeriod: null };
      const by = { keyId: null, requestId: 'req_test' };
      const made = await insertProject(stage.db.write(workspaceId), { id, name, ...unlimited, by });
      if (typeof made === 'string') throw new Error(made);
      return id;
    },
    /** The status of a request with this key. */
    use: async (secret: string) => {
      const response = await stage.ask('/platform/v1/key', { headers: { authorization: `Bearer ${secret}` } });
      await response.body?.cancel();
      return response.status;
    },
    audited: async (userId: string) => {
      const sql = `select action, workspace_id, subject_type, detail from audit_entries where user_id = $1
        and subject_type in ('device_login', 'api_key') order by created_at, id`;
      return (await stage.db.pool.query(sql, [userId])).rows;
    },
  };
}
