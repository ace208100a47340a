import { defineEntity, p } from '@mikro-orm/core';

/** A cloned voice of a workspace: its samples are files, and `measure` is what the embedded engine speaks like them by. */
export const Voice = defineEntity({
  name: 'Voice',
  tableName: 'voices',
  properties: {
    id: p.text().primary(),
    workspaceId: p.text().index(),
    name: p.text(),
    description: p.text().nullable(),
    labels: p.json().defaultRaw("'{}'"),
    settings: p.json().nullable(),
    measure: p.json(),
    /** Id, name, size and hash of each sample, and the file that holds it. */
    samples: p.json().defaultRaw("'[]'"),
    /** The voice's id at an upstream that has cloned it, by the upstream's name. */
    upstreamIds: p.json().defaultRaw("'{}'"),
    createdAt: p.datetime().defaultRaw('now()'),
    deletedAt: p.datetime().nullable(),
  },
});
