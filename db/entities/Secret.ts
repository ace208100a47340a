import { defineEntity, p } from '@mikro-orm/core';

/** What the processes of one installation share and nobody else may know. Made by a migration, of chance. */
export const Secret = defineEntity({
  name: 'Secret',
  tableName: 'secrets',
  properties: {
    name: p.text().primary(),
    value: p.blob(),
  },
});
