import { Migration } from '@mikro-orm/migrations';

/**
 * The connection over which a process renews its lease: when it is closed and no renewal follows, the process is dead before its lease has
 * ended. Null for a process of a release that did not write it.
 */
export class Migration20261125220100_process_connections extends Migration {
  override name = 'Migration20261125220100_process_connections';

  override up(): void {
    this.addSql(
      `alter table processes add column backend_pid int null, add column backend_of timestamptz null, add column renewed_at timestamptz null, add column steady_since timestamptz null, add column gone_at timestamptz null`,
    );
  }

  override down(): void {
    this.addSql(
      'alter table processes drop column backend_pid, drop column backend_of, drop column renewed_at, drop column steady_since, drop column gone_at',
    );
  }
}
