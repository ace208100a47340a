import { Migration } from '@mikro-orm/migrations';

/** Fills the product of calls that have none, by their routes, in portions: no call waits for it. An attempt that failed is continued. */
export class Migration20261126020100_products_filled extends Migration {
  override name = 'Migration20261126020100_products_filled';

  override isTransactional(): boolean {
    return false;
  }

  override up(): void {
    this.addSql(FILL);
    this.addSql('alter table requests validate constraint requests_product_check');
    for (const [table, constraint] of [
      ['requests', 'requests_product_known'],
      ['usage_hours', 'usage_hours_product_known'],
    ]) {
      // With such a check, the column is not read again while the table is locked.
      this.addSql(`alter table ${table} drop constraint if exists ${constraint}`);
      this.addSql(`alter table ${table} add constraint ${constraint} check (product is not null) not valid`);
      this.addSql(`alter table ${table} validate constraint ${constraint}`);
      this.addSql(`alter table ${table} alter column product set not null`);
      this.addSql(`alter table ${table} drop constraint ${constraint}`);
    }
  }
}

const FILL = `
do $$
declare
  first text := ''; last text;
begin
  loop
    select max(p.id) into last from (select id from requests where id > first order by id limit 10000) p;
    exit when last is null;
    update requests set product = product_of_route(route) where id > first and id <= last and product is null;
    commit;
    first := last;
  end loop;
  update usage_hours set product = product_of_route(route) where product is null;
end $$`;
