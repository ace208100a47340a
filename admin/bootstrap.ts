import { bootstrap } from '../db/bootstrap.ts';
import type { Command } from './command.ts';

export const bootstrapCommand: Command = {
  words: 'bootstrap',
  usage: '',
  summary: 'Makes the first workspace with a key and credit, once. Prints one line of JSON.',
  options: {},
  async run({ db, config }) {
    const made = await bootstrap(db.pool, config.bootstrap);
    return { text: JSON.stringify(made), json: made };
  },
};
