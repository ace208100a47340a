import { Migration } from '@mikro-orm/migrations';

/** A suspension stays on what was suspended, also when another version takes its place: only an operator takes it back. */
export class Migration20261123020217_suspended_versions extends Migration {
  override name = 'Migration20261123020217_suspended_versions';

  override up(): void {
    this.addSql(`alter table "deployments" add column "suspended_at" timestamptz null`);
    // Those whose place was taken before are known by the audit.
    this.addSql(`update deployments d set suspended_at = s.at from (
      select subject_id, max(created_at) filter (where action = 'suspend') as at,
        max(created_at) filter (where action = 'reinstate') as reinstated_at
      from audit_entries where subject_type = 'agent.deployment' group by subject_id) s
      where s.subject_id = d.id and s.at is not null and (s.reinstated_at is null or s.reinstated_at < s.at)
        and d.status in ('suspended', 'superseded')`);
    this.addSql(`update deployments set suspended_at = now() where status = 'suspended' and suspended_at is null`);
  }
}
