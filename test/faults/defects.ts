/** A change of one file of the product: `find` occurs in it exactly once. */
export interface Edit {
  file: string;
  find: string;
  replace: string;
}

/** A plausible defect, and the tests of which at least one must fail with it. */
export interface Defect {
  name: string;
  /** The invariant that it breaks. */
  breaks: string;
  edits: Edit[];
  tests: string[];
}

const edit = (file: string, find: string, replace: string): Edit => ({ file, find, replace });

/** The planted defects: each was a plausible way to write the rule. */
export const defects: Defect[] = [
  {
    name: 'admission reads, then writes',
    breaks: 'I2',
    edits: [
      edit(
        'db/ledger/sql/hold_within.sql',
        'perform from accounts a where a.id = k.account_id for update;',
        'perform from accounts a where a.id = k.account_id;',
      ),
    ],
    tests: ['test/db/ledger/lastCent.test.ts', 'test/db/ledger/holds.test.ts'],
  },
  {
    name: 'a stream is sent before its money is held',
    breaks: 'I2',
    edits: [
      edit(
        'calls/text/meteredCall.ts',
        'return part;',
        'return part === read ? read : (meter.takeBack(), meter.observe(read), [...read]);',
      ),
    ],
    tests: ['test/flow/money/coveredStreams.drill.test.ts'],
  },
  {
    name: 'the limit of a client secret is read, and not held',
    breaks: 'I2',
    edits: [
      edit('db/ledger/sql/hold_within.sql', 'free := least(common, secret[2]);', 'free := least(common, secret[1]);'),
    ],
    tests: ['test/db/ledger/clientSecrets.test.ts', 'test/api/realtime/secretLimit.test.ts'],
  },
  {
    name: 'a settlement does not look whether its hold is open',
    breaks: 'I4',
    edits: [edit('db/ledger/sql/settle.sql', 'where h.id = s.id and h.ended_at is null', 'where h.id = s.id')],
    tests: ['test/db/ledger/leases.test.ts', 'test/db/ledger/settlements.test.ts'],
  },
  {
    name: 'a hold can be settled and released',
    breaks: 'I4',
    edits: [
      edit('db/ledger/sql/give_back.sql', 'where id = p_id and ended_at is null;', 'where id = p_id;'),
      edit('db/ledger/sql/settle_again.sql', 'where h.id = i.hold and h.ended_at is null', 'where h.id = i.hold'),
    ],
    tests: ['test/db/ledger/leases.test.ts', 'test/db/ledger/holds.test.ts', 'test/db/ledger/model.test.ts'],
  },
  {
    name: 'money is computed with floating-point numbers',
    breaks: 'I1',
    edits: [
      edit(
        'db/money.ts',
        'return (dividend * 2n + divisor) / (divisor * 2n);',
        'return BigInt(Math.round(Number(dividend) / Number(divisor)));',
      ),
    ],
    tests: ['test/db/money.test.ts'],
  },
  {
    name: 'events are numbered by a sequence of the database',
    breaks: 'I8',
    edits: [
      edit(
        'db/events/appendEvents.ts',
        'run.last_sequence - json_array_length(${parameter}) + e.position',
        `nextval('ledger_transaction_ids')`,
      ),
    ],
    tests: ['test/db/events', 'test/api/runs/events.test.ts'],
  },
  {
    name: 'a last event is written outside of the transaction of its state',
    breaks: 'I8',
    edits: [
      edit(
        'db/runs/states/finishRun.ts',
        '  await Promise.all([written, ledger.settleRun(client, settlement)]);',
        `  await written;
  await client.query('commit');
  await client.query('begin');
  await ledger.settleRun(client, settlement);`,
      ),
    ],
    tests: ['test/db/runs/steps/steps.test.ts'],
  },
  {
    name: 'a run is accepted before its rows are committed',
    breaks: 'I7',
    edits: [
      edit(
        'db/postgres/transaction.ts',
        `    await client.query('commit');
    endHolding(client, true);
    client.release();`,
        `    client.query('commit').then(() => client.release(), () => client.release(true));`,
      ),
    ],
    tests: ['test/db/postgres/transaction.test.ts'],
  },
  {
    name: 'payments are recognised by the id of their event alone',
    breaks: 'I9',
    edits: [
      edit('db/payments/topups.ts', `  if (topup.status === 'paid') return 'repeated';\n`, ''),
      edit(
        'db/payments/topups.ts',
        `    kind: 'topup',
    subject: paid.paymentIntent,`,
        `    kind: 'topup',
    subject: newId('evt'),`,
      ),
    ],
    tests: ['test/providers/payments/webhook.test.ts', 'test/providers/payments/shuffles.test.ts'],
  },
  {
    name: 'a dispute is taken beside a refund of the same payment',
    breaks: 'I9',
    edits: [
      edit(
        'db/payments/reversals.ts',
        'const disputed = smallest(total - refunded, BigInt(disputes));',
        'const disputed = BigInt(disputes);',
      ),
      edit('db/entities/payment.ts', ' and refunded_nanos + disputed_nanos <= amount_nanos', ''),
      edit('db/migrations/baseline/payment.sql', ' and refunded_nanos + disputed_nanos <= amount_nanos', ''),
    ],
    tests: ['test/providers/payments/reversals.test.ts'],
  },
  {
    name: 'the day of a limit follows the clock of the process',
    breaks: 'I3',
    edits: [
      edit(
        'db/ledger/purses.ts',
        'endsAtMs: askedAtMs + dayLeftMs,',
        'endsAtMs: askedAtMs + (86_400_000 - (Date.now() % 86_400_000)) + 0 * dayLeftMs,',
      ),
    ],
    tests: ['test/db/ledger/ceilings.test.ts', 'test/flow/outages/steppedClock.test.ts'],
  },
  {
    name: 'row security does not bind the owner of a table',
    breaks: 'I10',
    edits: [
      edit(
        'db/migrations/baseline/rights.sql',
        'create policy tenant on workspaces',
        'alter table run_quotes no force row level security;\ncreate policy tenant on workspaces',
      ),
    ],
    tests: ['test/db/postgres/rows.test.ts'],
  },
  {
    name: 'a cached key outlives its revocation',
    breaks: 'I2',
    edits: [
      edit('db/keys/keys.ts', 'const FRESH_MS = 1_000;', 'const FRESH_MS = 3_600_000;'),
      edit('db/keys/keys.ts', 'const REFRESH_MS = 500;', 'const REFRESH_MS = 3_600_000;'),
    ],
    tests: ['test/db/keys/keys.test.ts'],
  },
  {
    name: 'a failed run is billed',
    breaks: 'I5',
    edits: [
      edit(
        'db/runs/states/finishRun.ts',
        'subtotal_nanos: `${failed ? 0n : subtotalNanos}`',
        'subtotal_nanos: `${subtotalNanos}`',
      ),
      edit('db/runs/states/finishRun.ts', 'total_nanos: `${failed ? 0n : totalNanos}`', 'total_nanos: `${totalNanos}`'),
      edit(
        'db/runs/states/finishRun.ts',
        'absorbed_nanos: `${failed ? worthNanosOf(run) - (await takenOverNanos(client, run)) : 0n}`',
        'absorbed_nanos: `${0n}`',
      ),
    ],
    tests: ['test/db/runs/steps/steps.test.ts'],
  },
  {
    name: 'keep-alive lines of a stream carry an id',
    breaks: 'I8',
    edits: [edit('api/http/sse.ts', `': keep-alive\\n\\n'`, `'id: keep-alive\\n\\n'`)],
    tests: ['test/api/runs/events.test.ts'],
  },
  {
    name: 'leases are timed by the clock of the process',
    breaks: 'I4',
    edits: [
      edit(
        'db/ledger/lease.ts',
        'live: () => performance.now() - renewedAtMs < leaseMs * TRUSTED_SHARE,',
        'live: () => Date.now() - (performance.timeOrigin + renewedAtMs) < leaseMs * TRUSTED_SHARE,',
      ),
    ],
    tests: ['test/flow/outages/steppedClock.test.ts'],
  },
  {
    name: 'a retry gets the answer of any key of its workspace',
    breaks: 'I10',
    edits: [
      edit(
        'api/replay/retryable.ts',
        'const place = `${ctx.state.key.keyId} ${ctx.method} ${ctx.path}`;',
        'const place = `${ctx.method} ${ctx.path}`;',
      ),
    ],
    tests: ['test/api/replay/tries.test.ts'],
  },
  {
    name: 'a running call is found by any workspace',
    breaks: 'I10',
    edits: [
      edit(
        'db/answers/keptAnswers.ts',
        '.filter(({ order }) => order.workspaceId === workspaceId);',
        '.filter(({ order }) => order.workspaceId !== null || workspaceId);',
      ),
    ],
    tests: ['test/db/answers/keptAnswers.test.ts'],
  },
  {
    name: 'of two equal tries the one with the older id runs',
    breaks: 'I7',
    edits: [
      edit(
        'db/answers/claims.ts',
        'where ${IS_DEAD}`;\nconst READ',
        'where ${IS_DEAD} or excluded.request_id < c.request_id`;\nconst READ',
      ),
    ],
    tests: ['test/db/answers/keptAnswers.test.ts'],
  },
  {
    name: 'a month is dropped although its rows are not those that were sealed',
    breaks: 'I1',
    edits: [
      edit(
        'db/ledger/sql/drop_month.sql',
        'if (found_calls, found_entries, found_sums) is distinct from (m.calls, m.entries, m.sums) then',
        'if found_calls is null then',
      ),
    ],
    tests: ['test/db/ledger/months.test.ts'],
  },
  {
    name: 'a month is sealed before its entries are signed',
    breaks: 'I1',
    edits: [edit('db/ledger/sql/seal_month.sql', 'and sequence is not null group by', 'and sequence is null group by')],
    tests: ['test/db/ledger/months.test.ts'],
  },
  {
    name: 'what a publisher earns stays in the clearing account',
    breaks: 'I1',
    edits: [edit('db/ledger/sql/settle_run.sql', 'if earned > 0 then perform', 'if earned < 0 then perform')],
    tests: ['test/db/ledger/runHolds.test.ts'],
  },
  {
    name: 'a key without retention falls back to other upstreams',
    breaks: 'I10',
    edits: [
      edit(
        'providers/routing/routing.ts',
        'return places.every(isAny) ? places : places.filter(isAny);',
        'return places.some(isAny) ? places : [];',
      ),
    ],
    tests: ['test/providers/routing/routing.test.ts', 'test/flow/upstreams/routing.test.ts'],
  },
];
