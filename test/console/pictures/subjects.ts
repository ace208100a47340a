import type { APIRequestContext } from 'playwright-core';

/** The ids of what the pictures show; missing ones have no picture. */
export interface Subjects {
  request?: string | undefined;
  /** Its prompt and answer are kept. */
  keptRequest?: string | undefined;
  /** It keeps prompts and answers. */
  keepingKey?: string | undefined;
  failedRequest?: string | undefined;
  agent?: string | undefined;
  model?: string | undefined;
  project?: string | undefined;
  archivedProject?: string | undefined;
  runs: { status: string; id: string }[];
  rerun?: { id: string; of: string } | undefined;
  /** A run whose input is a conversation. */
  conversation?: string | undefined;
  /** A run with a place in a queue. */
  waitingRun?: string | undefined;
  schedule?: string | undefined;
  session?: string | undefined;
  batch?: string | undefined;
  endpoint?: string | undefined;
  invoice?: string | undefined;
  publications: { status: string; id: string }[];
  review?: string | undefined;
  invitation?: string | undefined;
  paymentUrl?: string | undefined;
}

type Row = Record<string, unknown> & { id: string };

/** Finds what there is to show, as the owner sees it. */
export async function findSubjects(request: APIRequestContext, url: string): Promise<Subjects> {
  const list = async (path: string): Promise<Row[]> => {
    const answer = await request.get(`${url}/console/v1/${path}`);
    return answer.ok() ? ((await answer.json()) as { data: Row[] }).data : [];
  };
  const first = async (path: string) => (await list(path))[0]?.id;
  const runs = await list('runs?limit=100');
  const agents = await list('agents?limit=20');
  const publications = await list('publisher/agents?limit=50');
  const batches = await list('batches');
  const projects = await list('projects');
  const rerun = runs.find((run): run is Row & { rerun_of: { run_id: string } } => Boolean(run.rerun_of));
  const checkout = await request.post(`${url}/console/v1/checkout`, {
    data: { amount: 25 },
    headers: { ...OWN, origin: url },
  });
  return {
    request: await first('requests?limit=1'),
    keptRequest: await first('requests?content=true&product=text&status=200&limit=1'),
    keepingKey: (await list('keys?limit=100')).find(({ log_days: days }) => Number(days) > 0)?.id,
    failedRequest: await first('requests?status=5xx&limit=1'),
    agent: agents[0]?.id,
    model: (await list('models')).find(({ name }) => name === 'Qwen3 32B')?.id,
    project: projects.find(({ id, status }) => id !== 'default' && status === 'active')?.id,
    archivedProject: projects.find(({ status }) => status === 'archived')?.id,
    runs: oneOfEach(runs.toSorted((one, other) => Number(isRich(other)) - Number(isRich(one)))),
    rerun: rerun && { id: rerun.id, of: rerun.rerun_of.run_id },
    conversation: runs.find(hasMessages)?.id,
    waitingRun: runs.find(({ queue }) => (queue as { position?: number } | null)?.position)?.id,
    schedule: (await list('schedules')).find(({ name }) => String(name).startsWith('Quality'))?.id,
    session: (await list('sessions?limit=100')).find(({ title }) => title === 'Batch 2231')?.id,
    batch: batches.find(({ status }) => status === 'completed')?.id ?? batches[0]?.id,
    endpoint: (await list('webhook_endpoints')).at(-1)?.id,
    invoice: await first('invoices?limit=1'),
    publications: oneOfEach(publications.map((agent) => ({ ...agent, status: statusOf(agent) }))),
    review: await first('reviews'),
    invitation: await invitationOf(request, url),
    paymentUrl: checkout.ok() ? ((await checkout.json()) as { url: string }).url : undefined,
  };
}

async function invitationOf(request: APIRequestContext, url: string): Promise<string | undefined> {
  const answer = await request.get(`${url}/console/v1/auth/organization/list-invitations`);
  const listed = answer.ok() ? ((await answer.json()) as { id: string; status: string }[]) : [];
  return listed.find(({ status }) => status === 'pending')?.id;
}

const OWN = { 'x-ledgerline-csrf': '1' };

const hasMessages = ({ input }: Row): boolean =>
  Array.isArray(input) && (input as { type: string }[]).some(({ type }) => type === 'message');

/** Whether a run has files, tables and several steps. */
const isRich = ({ agent }: Row): boolean => agent === 'northwind/quality-inspector';

/** The state of a publisher's agent: of its submission, or of what is public. */
function statusOf({ public_submission: submission, public_deployment: live }: Row): string {
  const status = [submission, live].map((deployment) => (deployment as { status?: string } | null)?.status);
  return status.find((one) => one !== undefined) ?? 'draft';
}

/** The first of each status. */
function oneOfEach(rows: Row[]): { status: string; id: string }[] {
  const found = new Map<string, string>();
  for (const { status, id } of rows) if (!found.has(String(status))) found.set(String(status), id);
  return [...found].map(([status, id]) => ({ status, id }));
}
