import { send, type Person } from './people.ts';

interface DemoKey {
  id: string;
  secret: string;
}

export type DemoKeys = Awaited<ReturnType<typeof createKeys>>;

const KEYS = {
  support: { name: 'Support assistant (production)', scopes: ['llm'], spend_limit: 400, spend_limit_period: 'monthly' },
  search: { name: 'Manual search indexer', scopes: ['llm'], rpm_limit: 600 },
  telephone: { name: 'Warehouse voice line', scopes: ['voice'], concurrency_limit: 12 },
  reports: { name: 'Nightly quality reports', scopes: ['llm', 'batch', 'agents'] },
  ci: { name: 'CI checks', scopes: ['llm'], spend_limit: 25, spend_limit_period: 'daily', rpm_limit: 120 },
  dana: { name: 'Dana’s laptop', scopes: ['llm', 'voice', 'batch', 'agents'] },
};

const PROJECTS = {
  assistant: { name: 'Support assistant', spend_limit: 500, spend_limit_period: 'monthly' },
  warehouse: { name: 'Warehouse', spend_limit: 120, spend_limit_period: 'monthly' },
  prototype: { name: 'Spare parts prototype' },
} as const;

/** The projects of keys; others are in the default one. */
const PLACES: Partial<Record<keyof typeof KEYS, keyof typeof PROJECTS>> = {
  support: 'assistant',
  search: 'assistant',
  telephone: 'warehouse',
};

/** The keys of the workspace in their projects, made by a member. One project is archived. */
export async function createKeys(member: Person) {
  const projects = new Map<string, string>();
  for (const [name, body] of Object.entries(PROJECTS))
    projects.set(name, (await send(member, 'POST', 'projects', body)).id);
  await send(member, 'PATCH', `projects/${projects.get('prototype')}`, { status: 'archived' });
  const created: [string, DemoKey][] = [];
  for (const [name, body] of Object.entries(KEYS)) {
    const { id, key } = await send<{ id: string; key: string }>(member, 'POST', 'keys', {
      ...body,
      project_id: projects.get(PLACES[name as keyof typeof KEYS] ?? ''),
    });
    created.push([name, { id, secret: key }]);
  }
  return Object.fromEntries(created) as Record<keyof typeof KEYS, DemoKey>;
}

/** Keeps prompts and answers of some keys, as an owner decides. */
export async function keepContents(owner: Person, keys: DemoKeys): Promise<void> {
  await send(owner, 'PATCH', `keys/${keys.support.id}`, { log_days: 30 });
  await send(owner, 'PATCH', `keys/${keys.telephone.id}`, { log_days: 7 });
}
