import { Migration } from '@mikro-orm/migrations';

/** The model that operators choose for agents, and first prices, which one person sets. */
export class Migration20261126212000_agent_model extends Migration {
  override name = 'Migration20261126212000_agent_model';

  override up(): void {
    this.addSql(
      `create table "agent_model_choices" ("state" text not null, "model" text not null, "chosen_by" text not null, "chooser" text not null, "chosen_at" timestamptz not null default now(), primary key ("state"));`,
    );
    this.addSql(
      `alter table "agent_model_choices" add constraint "agent_model_choices_state_check" check (state in ('chosen', 'awaited'));`,
    );
    this.addSql('alter table agent_model_choices enable row level security');
    this.addSql('alter table agent_model_choices force row level security');
    this.addSql('create policy system on agent_model_choices to ledgerline_system using (true) with check (true)');
    this.addSql('grant select, insert, update, delete on agent_model_choices to ledgerline_system');
    this.addSql('alter table "catalog_prices" add column "is_first" boolean not null default false');
    this.addSql('alter table "catalog_prices" drop constraint "catalog_prices_second_person_check"');
    this.addSql(
      `alter table "catalog_prices" add constraint "catalog_prices_second_person_check" check (source <> 'operator' or status <> 'approved' or (decided_by is not null and (is_first or decided_by <> proposed_by) and valid_from >= decided_at)) not valid;`,
    );
    // Nobody pays another price than before by the decision of one person.
    this.addSql(`
create function catalog_prices_first() returns trigger language plpgsql as $$
begin
  if exists (select 1 from catalog_prices p where p.model = new.model and p.status = 'approved') then
    raise exception 'the model % has had a price', new.model;
  end if;
  return new;
end $$`);
    this.addSql(
      'create trigger catalog_prices_first before insert on catalog_prices for each row when (new.is_first) execute function catalog_prices_first()',
    );
  }

  override down(): void {
    this.addSql('drop table agent_model_choices');
    this.addSql('drop trigger catalog_prices_first on catalog_prices');
    this.addSql('drop function catalog_prices_first()');
    this.addSql('alter table "catalog_prices" drop constraint "catalog_prices_second_person_check"');
    // First prices stay: what was charged is explained by them.
    this.addSql(
      `alter table "catalog_prices" add constraint "catalog_prices_second_person_check" check (source <> 'operator' or status <> 'approved' or (decided_by is not null and decided_by <> proposed_by and valid_from >= decided_at)) not valid;`,
    );
    this.addSql('alter table "catalog_prices" drop column "is_first"');
  }
}
