import { Migration } from '@mikro-orm/migrations';

/** A run that waits for its caller holds what it has consumed, and takes the rest again with the answer. */
export class Migration20261123014713_parked_runs extends Migration {
  override name = 'Migration20261123014713_parked_runs';

  override up(): void {
    this.addSql(`update holds h set amount_nanos = least(h.amount_nanos, r.total_nanos), partial = false from runs r
      where r.hold_id = h.id and h.state = 'open' and r.status = 'requires_action' and not jsonb_exists(r.required_action, 'answer')`);
    this.addSql(`update runs set held_nanos = least(held_nanos, total_nanos)
      where status = 'requires_action' and not jsonb_exists(required_action, 'answer')`);
  }
}
