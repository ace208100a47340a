import { Migration } from '@mikro-orm/migrations';

/** The trials of a review, with the live version's run of the same prompt. */
export class Migration20261124222200_review_trials extends Migration {
  override name = 'Migration20261124222200_review_trials';

  override up(): void {
    this.addSql(
      `create table "review_trials" ("deployment_id" text not null, "kind" text not null, "index" int not null, "workspace_id" text not null, "run_id" text null, "live_run_id" text null, "created_at" timestamptz not null default now(), primary key ("deployment_id", "kind", "index"), constraint "review_trials_kind_check" check (kind in ('example', 'probe')));`,
    );
    this.addSql('alter table review_trials enable row level security');
    this.addSql('alter table review_trials force row level security');
    this.addSql('create policy system on review_trials to ledgerline_system using (true) with check (true)');
    this.addSql('grant select, insert, update, delete on review_trials to ledgerline_system');
  }

  override down(): void {
    this.addSql('drop table review_trials');
  }
}
