import { parseEventId } from '../events/appendEvents.ts';
import { containing } from '../postgres/likePattern.ts';
import type { AnyTransaction, Rows } from '../postgres/rows.ts';
import { audit, type Actor } from '../workspaces/audit.ts';

/** What has an id of its own: each table has the workspace, too. */
const TABLES = {
  request: 'requests',
  run: 'runs',
  run_step: 'run_steps',
  session: 'sessions',
  batch: 'batches',
  file: 'files',
  upload: 'file_uploads',
  payment: 'topups',
  adjustment: 'adjustments',
  payout: 'payouts',
  api_key: 'api_keys',
  client_secret: 'client_secrets',
  agent: 'agents',
  agent_version: 'agent_versions',
  deployment: 'deployments',
  schedule: 'schedules',
  webhook_endpoint: 'webhook_endpoints',
  webhook_delivery: 'webhook_deliveries',
  voice: 'voices',
  speech: 'speech_history',
  alert: 'alerts',
  event: 'platform_events',
} as const;

type Kind = keyof typeof TABLES;

export const PLACED_OBJECTS = ['workspace', 'member', 'ledger_entry', ...(Object.keys(TABLES) as Kind[])] as const;

/** Something of a workspace, with where it is; never what is in it. */
export interface Placed {
  object: (typeof PLACED_OBJECTS)[number];
  id: string;
  /** Of a workspace or a person; empty for the rest. */
  name: string;
  workspaceId: string;
  workspaceName: string;
}

const WORKSPACES_MAX = 10;
const MEMBERS_MAX = 20;

/**
 * What has this id, wherever it is; workspaces with the text in their names; members with the mail address. `ids` are other forms of the id.
 * Audited for the workspace of each thing and person that is found.
 */
export function findAnywhere(
  everywhere: Rows<undefined>,
  { text, ids, by }: { text: string; ids: string[]; by: Actor },
): Promise<Placed[]> {
  return everywhere.transaction(async (tx) => {
    const workspaces = await findWorkspaces(tx, text);
    const members = text.includes('@') || text.startsWith('user_') ? await findMembers(tx, text) : [];
    const things = await findThings(tx, [...new Set([text, ...ids])]);
    for (const { object, id, workspaceId } of things)
      await audit(tx, by, { workspaceId, action: 'find_by_id', subjectType: object, subjectId: id });
    for (const { id, workspaceId } of members)
      await audit(tx, by, { workspaceId, action: 'find_member', subjectType: 'user', subjectId: id });
    return [...things, ...members, ...workspaces];
  });
}

async function findWorkspaces({ em, Workspace }: AnyTransaction, text: string): Promise<Placed[]> {
  const named = { name: { $ilike: containing(text) }, liveWorkspaceId: null };
  const rows = await em.find(
    Workspace,
    { $or: [{ id: text }, named] },
    { orderBy: { createdAt: 'desc', id: 'desc' }, limit: WORKSPACES_MAX, fields: ['name'] },
  );
  return rows.map(({ id, name }) => ({ object: 'workspace', id, name, workspaceId: id, workspaceName: name }));
}

async function findMembers({ client }: AnyTransaction, text: string): Promise<Placed[]> {
  const { rows } = await client.query<Placed>(MEMBERS, [text.toLowerCase()]);
  return rows;
}

const MEMBERS = `
select 'member' as object, u.id, u.name, w.id as "workspaceId", w.name as "workspaceName"
from users u join members m on m.user_id = u.id join workspaces w on w.id = m.workspace_id
where lower(u.email) = $1 or lower(u.id) = $1 order by m.created_at, m.id limit ${MEMBERS_MAX}`;

async function findThings(tx: AnyTransaction, ids: string[]): Promise<Placed[]> {
  const { client } = tx;
  const { rows } = await client.query<Placed>(THINGS, [ids]);
  if (rows.length > 0) return rows;
  const found: Placed[] = [];
  for (const { text, values } of ids.flatMap(causedBy)) found.push(...(await client.query<Placed>(text, values)).rows);
  return found.length > 0 ? found : findArchived(tx, ids);
}

/** Calls and entries of archived months. */
async function findArchived({ client, archive }: AnyTransaction, ids: string[]): Promise<Placed[]> {
  const found: Placed[] = [];
  for (const id of ids) {
    const owner = id.startsWith('req_') && (await archive.workspaceOf(client, id));
    if (owner) found.push(...(await client.query<Placed>(OWNER, ['request', id, owner])).rows);
    const { rows } = id.startsWith('le_') ? await client.query<Numbered>(NUMBERED, [id]) : { rows: [] };
    for (const { accountId, workspaceId, sequence } of rows) {
      const number = BigInt(sequence);
      const lines = await archive.linesOf(client, { accountId, first: number, last: number });
      if (lines.has(number)) found.push(...(await client.query<Placed>(OWNER, ['ledger_entry', id, workspaceId])).rows);
    }
  }
  return found;
}

const OWNER = `
select $1 as object, $2 as id, '' as name, id as "workspaceId", name as "workspaceName" from workspaces where id = $3`;

const inTable = ([object, table]: [string, string], column = 'id') =>
  `select '${object}' as object, t.id, t.workspace_id from ${table} t where t.${column} = any ($1)`;

// Raw: one lookup by the primary key of each table. A refused call without a bill is a request too, and a key is also found by its prefix.
const THINGS = `
select distinct f.object, f.id, '' as name, w.id as "workspaceId", w.name as "workspaceName" from (
  ${Object.entries(TABLES)
    .map((entry) => inTable(entry))
    .join('\n  union all ')}
  union all ${inTable(['request', 'refused_calls'])}
  union all ${inTable(['api_key', 'api_keys'], 'prefix')} and t.member_user_id is null) f
join workspaces w on w.id = f.workspace_id`;

/** Entries of the ledger and events of runs have ids that say whose they are. */
function causedBy(id: string): { text: string; values: unknown[] }[] {
  const event = parseEventId(id);
  if (event) return [{ text: RUN_EVENT, values: [id, event.runId, event.sequence] }];
  const beside = /^le_(earning|absorbed)(\w+)$/.exec(id);
  if (beside) return [{ text: BESIDE, values: [id, beside[1], `run_${beside[2]}`] }];
  return /^le_[0-9A-Za-z]+$/.test(id) ? [{ text: ENTRY, values: [id] }] : [];
}

const RUN_EVENT = `
select 'event' as object, $1 as id, '' as name, w.id as "workspaceId", w.name as "workspaceName"
from run_events e join workspaces w on w.id = e.workspace_id where e.run_id = $2 and e.sequence = $3`;

const BESIDE = `
select 'ledger_entry' as object, $1 as id, '' as name, w.id as "workspaceId", w.name as "workspaceName"
from ledger_legs e join workspaces w on w.id = e.workspace_id where e.kind = $2 and e.subject = $3`;

interface Numbered {
  accountId: string;
  workspaceId: string;
  sequence: string;
}

// The number of the entry follows the account's own characters.
const NUMBERED = `
select a.id as "accountId", a.workspace_id as "workspaceId", a.number::bigint as sequence
from (select id, workspace_id, substr($1, length(id) - 1) as number from accounts
    where kind = 'customer' and starts_with($1, 'le_' || substr(id, 6))) a where a.number ~ '^[0-9]{1,18}$'`;

const ENTRY = `
select 'ledger_entry' as object, $1 as id, '' as name, w.id as "workspaceId", w.name as "workspaceName"
from (${NUMBERED}) a join ledger_entries e on e.account_id = a."accountId" and e.sequence = a.sequence
  join workspaces w on w.id = a."workspaceId"`;
