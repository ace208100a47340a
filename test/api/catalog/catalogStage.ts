import { createKey } from '../../../db/keys/keyStore.ts';
import { createSealingKey } from '../../../db/sealing/sealingKeys.ts';
import { findPlatformWorkspaceId } from '../../../db/workspaces/workspaces.ts';
import { seedAgents } from '../../../db/publishing/houseAgents.ts';
import { ask, chatBody, chatPath, setGuardStage } from '../../support/guardStage.ts';
import { read } from '../../support/http.ts';
import { startApi, textModel, type ApiSetting } from '../../support/startApi.ts';

export interface ModelBody {
  id: string;
  state: string;
  source: string;
  changed_members: string[];
  changed_by: string | null;
  problem: string | null;
  aliases: string[];
  upstreams: { upstream: string; model: string; is_disabled: boolean; margin_percentage: number | null }[];
  price: PriceBody | null;
  next_price: PriceBody | null;
  pending_prices: number;
}

export interface PriceBody {
  id: string;
  status: string;
  usd_per_million: Record<string, number>;
  valid_from: string | null;
  may_approve: boolean;
  proposed_by: string | null;
  decided_by: string | null;
}

export const at = '/console/v1/catalog';

/** The API, two operators, and a customer. `catalog`: more of the file. */
export async function setCatalogStage(catalog?: ApiSetting['catalog']) {
  const stage = await setGuardStage({
    env: { CATALOG_SECRETS_KEY: createSealingKey() },
    ...(catalog && { start: (setting: ApiSetting) => startApi({ ...setting, catalog }) }),
  });
  await seedAgents(stage.db.everywhere);
  const workspaceId = (await findPlatformWorkspaceId(stage.db.everywhere))!;
  const operatorKey = (name: string, ownerUserId?: string) =>
    createKey(stage.db.everywhere, { workspaceId, name, scopes: ['operator', 'llm'], ownerUserId });
  const ada = await operatorKey('Ada', 'user_ada');
  const ben = await operatorKey('Ben', 'user_ben');
  const customer = await stage.account({ creditUsd: '100' });

  const call = (path: string, { by = ada, body, method, url = stage.api.url }: Sent = {}) =>
    ask(url, path, {
      ...(method && { method }),
      ...(body && { body: JSON.stringify(body) }),
      headers: { authorization: `Bearer ${by.secret}` },
    });
  const model = (id = textModel, url?: string) => read<ModelBody>(call(`${at}/models/${id}`, { url }));
  const change = (id: string, body: object) => call(`${at}/models/${id}`, { method: 'PATCH', body });
  const propose = (usd: Record<string, number>, more: object = {}) =>
    read<PriceBody>(call(`${at}/prices`, { body: { model: textModel, usd_per_million: usd, ...more } }), 201);
  const decide = (id: string, decision: string, by: { secret: string } = ben) =>
    call(`${at}/prices/${id}/${decision}`, { method: 'POST', by });
  const chat = (members: object = {}, url?: string) =>
    call(chatPath, { by: customer, body: JSON.parse(chatBody({ ...members })) as object, url });

  return { ...stage, workspaceId, operatorKey, ada, ben, customer, call, model, change, propose, decide, chat };
}

interface Sent {
  by?: { secret: string };
  body?: object;
  method?: string;
  url?: string | undefined;
}
