import { defineEntity, p } from '@mikro-orm/core';

/** A rotation of the installation's secrets. One is open at most. */
export const KeyRotation = defineEntity({
  name: 'KeyRotation',
  tableName: 'key_rotations',
  indexes: [
    {
      name: 'key_rotations_open_index',
      expression:
        'create unique index "key_rotations_open_index" on "key_rotations" ((true)) where finished_at is null',
    },
  ],
  properties: {
    id: p.text().primary(),
    beganAt: p.datetime().defaultRaw('now()'),
    /** Since when every live process encrypts with a key, by its variable and id: `CONTENTS_KEY 1f2e3d4c`. */
    switched: p.json<Record<string, string>>().defaultRaw("'{}'"),
    finishedAt: p.datetime().strictNullable(),
  },
});

/** A version of a secret that the database makes and keeps, such as the one that signs cookies. */
export const SecretVersion = defineEntity({
  name: 'SecretVersion',
  tableName: 'secret_versions',
  properties: {
    name: p.text().primary(),
    /** From 1 on: version 0 is in `secrets`. */
    version: p.integer().primary(),
    value: p.blob(),
    /** Every process has read it by then, and signs with it. */
    signsAt: p.datetime(),
    createdAt: p.datetime().defaultRaw('now()'),
  },
});
