import { Client } from 'pg';
import { parseSealingKeys, createSealingKey } from '../../db/sealing/sealingKeys.ts';
import { ownerUrlOf } from './database.ts';

/** The sealing keys of signing keys in tests. */
export const sealingKeys = parseSealingKeys(createSealingKey());

/** A moment of the given number of days from today, an hour after midnight (UTC): the root of the day before is due. */
export const daysFromNow = (days: number): Date => {
  const today = new Date().toISOString().slice(0, 10);
  return new Date(Date.parse(today) + days * 86_400_000 + 3_600_000);
};

/** Runs statements as the owner of the tables, with triggers disabled: simulates tampering with the database. */
export async function tamper(url: string, ...statements: string[]): Promise<void> {
  const owner = new Client({ connectionString: ownerUrlOf(url) });
  await owner.connect();
  try {
    await owner.query('set session_replication_role = replica');
    for (const statement of statements) await owner.query(statement);
  } finally {
    await owner.end();
  }
}

/**
 * Moves the entries of all accounts by their sequence: those up to `perDay` to the first of `days` days before today, the next ones to the
 * day after, and so on; and writes seals and chains as if they had been posted then.
 */
export async function spreadOverDays(url: string, { days, perDay }: { days: number; perDay: number }): Promise<void> {
  await tamper(
    url,
    `create temp table moved as select transaction_id, date_trunc('day', now(), 'UTC') + interval '12 hours' - make_interval(days => ${days})
      + make_interval(days => least((sequence - 1)::int / ${perDay}, ${days})) as at from ledger_entries where sequence is not null`,
    'update ledger_legs e set created_at = m.at from moved m where m.transaction_id = e.transaction_id',
    'update requests q set settled_at = m.at from moved m where m.transaction_id = q.transaction_id',
    `update accounts set created_at = now() - make_interval(days => ${days})`,
    RESEAL,
  );
}

const RESEAL = `
do $$ declare e ledger_entries; head bytea; sealed bytea; begin
  update ledger_legs h set hash = s.seal from (select transaction_id, min(leg) filter (where sequence is null) as leg,
    ledger_seal(transaction_id, min(created_at), string_agg(ledger_leg(leg, account_id, workspace_id, kind, subject, amount_nanos), ','
      order by leg) filter (where sequence is null)) as seal from ledger_entries where kind is not null group by transaction_id) s
    where s.transaction_id = h.transaction_id and s.leg = h.leg and h.hash_version = 2;
  for e in select * from ledger_entries where sequence is not null order by account_id, sequence loop
    select hash into sealed from ledger_legs where transaction_id = e.transaction_id and sequence is null and hash is not null;
    head := ledger_chain(case when e.sequence > 1 then head end, sealed, e.leg, e.sequence, e.kind, e.subject, e.amount_nanos,
      e.balance_after_nanos, e.key_id);
    update ledger_legs set hash = head where account_id = e.account_id and sequence = e.sequence;
    update requests set hash = head where account_id = e.account_id and sequence = e.sequence;
    update accounts set head_hash = head where id = e.account_id;
  end loop;
end $$`;
