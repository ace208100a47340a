import { Migration } from '@mikro-orm/migrations';

/** Numbers the debits in calls' rows, in each partition, while calls go on. */
export class Migration20261127160010_debit_indexes extends Migration {
  override name = 'Migration20261127160010_debit_indexes';

  override isTransactional(): boolean {
    return false;
  }

  override async up(): Promise<void> {
    for (const partition of await this.#partitions()) {
      const index = `${partition}_account_sequence_unique`;
      // One that was begun and not ended is not valid.
      this.addSql(`drop index concurrently if exists ${index}`);
      this.addSql(
        `create unique index concurrently ${index} on ${partition} (account_id, sequence) where account_id is not null`,
      );
    }
  }

  override async down(): Promise<void> {
    for (const partition of await this.#partitions()) this.addSql(`drop index ${partition}_account_sequence_unique`);
  }

  async #partitions(): Promise<string[]> {
    const rows = (await this.execute(PARTITIONS)) as { name: string }[];
    return rows.map(({ name }) => name);
  }
}

const PARTITIONS = `
select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid where i.inhparent = 'requests'::regclass order by 1`;
