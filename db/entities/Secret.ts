import { defineEntity, p } from '@mikro-orm/core';

/** Secrets shared by the processes of one installation. A migration creates them at random. */
export const Secret = defineEntity({
  name: 'Secret',
  tableName: 'secrets',
  properties: {
    name: p.text().primary(),
    value: p.blob(),
  },
});
