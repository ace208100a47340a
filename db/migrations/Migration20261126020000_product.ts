import { Migration } from '@mikro-orm/migrations';

/**
 * The product of each call, which its process writes. Processes of an earlier release write none: until a later release drops the triggers
 * below, those find it by the route, as reports did before, and complete the text of their batches. The next migration fills older rows.
 */
export class Migration20261126020000_product extends Migration {
  override name = 'Migration20261126020000_product';

  override up(): void {
    // The table is locked first: every reader of the type locks it, so none sees the text and the type of different releases.
    this.addSql('alter table settlement_batches add column has_product boolean not null default false');
    this.addSql('alter type ledger_settlement add attribute product text');
    this.addSql(`update settlement_batches set settlements = ${completed('settlements')}`);
    this.addSql(BATCHES);
    this.addSql(ROUTES);
    for (const table of ['requests', 'usage_hours']) this.addSql(`alter table ${table} add column product text null`);
    this.addSql(`alter table requests add constraint requests_product_check check (
      product in ('text', 'embeddings', 'speech', 'transcription', 'voice_conversion', 'realtime', 'batch')) not valid`);
    this.addSql(CALLS);
  }

  override down(): void {
    this.addSql('drop trigger product_of_earlier on requests');
    this.addSql('drop trigger product_of_earlier on usage_hours');
    this.addSql('drop trigger product_of_earlier on settlement_batches');
    this.addSql('drop function product_of_earlier_call, product_of_earlier_batch, product_of_route(text)');
    for (const table of ['requests', 'usage_hours']) this.addSql(`alter table ${table} drop column product`);
  }
}

// Each settlement ends with `)"`, and a quote within it has a backslash before it: the last member is then null.
const completed = (text: string) => `replace(${text}, ')"', ',)"')`;

// Functions of the ledger write all members of the type: only the names of a process's batches begin like this.
const BATCHES = `
create function product_of_earlier_batch() returns trigger language plpgsql as $$
begin
  if starts_with(new.id, 'batch_') then new.settlements := ${completed('new.settlements')}; end if;
  return new;
end $$;
create trigger product_of_earlier before insert on settlement_batches for each row
  when (not new.has_product) execute function product_of_earlier_batch();`;

const ROUTES = `
create function product_of_route(route text) returns text language sql immutable as $$
  select case when route ~ '/batches/' then 'batch' when route ~ 'speech-to-speech' then 'voice_conversion'
    when route ~ '(audio/speech|text-to-speech)' then 'speech' when route ~ 'realtime$' then 'realtime'
    when route ~ '(transcriptions|translations|speech-to-text)' then 'transcription' when route ~ 'embeddings$' then 'embeddings'
    else 'text' end
$$;`;

const CALLS = `
create function product_of_earlier_call() returns trigger language plpgsql as $$
begin
  new.product := product_of_route(new.route);
  return new;
end $$;
create trigger product_of_earlier before insert on requests for each row
  when (new.product is null) execute function product_of_earlier_call();
create trigger product_of_earlier before insert on usage_hours for each row
  when (new.product is null) execute function product_of_earlier_call();`;
