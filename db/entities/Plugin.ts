import { defineEntity, p } from '@mikro-orm/core';

/**
 * A tool server (Model Context Protocol) that an operator has registered under an id and a version, for agents to name.
 */
export const Plugin = defineEntity({
  name: 'Plugin',
  tableName: 'plugins',
  properties: {
    id: p.text().primary(),
    version: p.text().primary(),
    name: p.text(),
    url: p.text(),
    /** Sent with every call. Each value may be a credential, so it is `{ sealed }`: encrypted by the keys of PLUGIN_SECRETS_KEY. */
    headers: p.json().defaultRaw("'{}'"),
    createdAt: p.datetime().defaultRaw('now()'),
    disabledAt: p.datetime().nullable(),
  },
});
