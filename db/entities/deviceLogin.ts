import { defineEntity, p } from '@mikro-orm/core';

/** The key that a person has approved, with limits as in `api_keys`. It has no secret: that is made when the key is fetched. */
export interface ApprovedKey {
  name: string;
  scopes: string[];
  projectId: string | null;
  spendLimitNanos: string | null;
  spendLimitPeriod: 'daily' | 'monthly' | null;
  expiresAt: string | null;
}

/**
 * A program on some machine that asks for a key, by the device flow of RFC 8628: asked -> approved -> used; asked -> denied; approved ->
 * denied, when its person may no longer make the key. Of both codes only the hashes are stored.
 */
export const DeviceLogin = defineEntity({
  name: 'DeviceLogin',
  tableName: 'device_logins',
  checks: [
    { name: 'device_logins_state_check', expression: "state in ('asked', 'approved', 'denied', 'used')" },
    {
      name: 'device_logins_approved_check',
      expression:
        "state in ('asked', 'denied') or (workspace_id is not null and user_id is not null and approved_key is not null)",
    },
  ],
  properties: {
    id: p.text().primary(),
    /** Of the long code, which only the program has. */
    deviceHash: p.blob().unique(),
    /** Of the short code, which the person compares. */
    userHash: p.blob().unique(),
    /** What the program calls itself: nobody has checked it. */
    clientName: p.text().strictNullable(),
    /** From where it asked. */
    address: p.text(),
    /** The scopes it asked for; null: it left the choice to the person. */
    scopes: p.array().columnType('text[]').strictNullable(),
    state: p.text().$type<'asked' | 'approved' | 'denied' | 'used'>().default('asked'),
    /** The person who decided, and the workspace of the key. */
    userId: p.text().strictNullable().index(),
    workspaceId: p.text().strictNullable().index(),
    approvedKey: p.json().$type<ApprovedKey>().strictNullable(),
    keyId: p.text().strictNullable(),
    /** When the program last asked for the key. */
    polledAt: p.datetime().strictNullable(),
    createdAt: p.datetime().defaultRaw('now()'),
    expiresAt: p.datetime().index(),
  },
});
