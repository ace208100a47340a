import { Migration } from '@mikro-orm/migrations';

/** The agent of each feedback, by which its publisher reads it. */
export class Migration20261124224500_agent_feedback extends Migration {
  override name = 'Migration20261124224500_agent_feedback';

  override up(): void {
    this.addSql('alter table "run_feedback" add column "agent_id" text null');
    this.addSql('update run_feedback f set agent_id = r.agent_id from runs r where r.id = f.run_id');
    this.addSql('alter table "run_feedback" alter column "agent_id" set not null');
    this.addSql('create index run_feedback_agent_index on run_feedback (agent_id, created_at, id)');
  }

  override down(): void {
    this.addSql('alter table "run_feedback" drop column "agent_id"');
  }
}
