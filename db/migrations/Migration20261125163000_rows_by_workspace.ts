import { Migration } from '@mikro-orm/migrations';

/**
 * Finds the rows of one workspace, for its export and its erasure, where no parent's id does. None of these tables is written by each call.
 * An attempt that got no lock in time leaves an invalid index, which the next one drops.
 */
export class Migration20261125163000_rows_by_workspace extends Migration {
  override name = 'Migration20261125163000_rows_by_workspace';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    for (const table of TABLES) {
      this.addSql(`drop index concurrently if exists ${table}_workspace_id_index`);
      this.addSql(`create index concurrently ${table}_workspace_id_index on ${table} (workspace_id)`);
    }
  }

  override down(): void {
    for (const table of TABLES) this.addSql(`drop index ${table}_workspace_id_index`);
  }
}

const TABLES = [
  'audit_entries',
  'batch_replies',
  'client_secrets',
  'deployment_comments',
  'entry_revisions',
  'replaced_bills',
  'request_retries',
  'response_items',
  'review_trials',
  'run_quotes',
  'webhook_attempts',
  'webhook_deliveries',
];
