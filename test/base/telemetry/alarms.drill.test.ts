import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { Stripe } from 'stripe';
import { RECONCILE_WORKFLOW } from '../../../contracts/payments.ts';
import { TASK_QUEUE } from '../../../contracts/start.ts';
import { CHECK_SCHEDULE_ID } from '../../../contracts/sweep.ts';
import { findLimitsProgram } from '../../../ops/stack/limitsServer.ts';
import { makeCertificate } from '../../support/certificate.ts';
import { ownerUrlOf } from '../../support/database.ts';
import { chatBody, chatPath, told } from '../../support/guardStage.ts';
import { programOf } from '../../support/monitoring.ts';
import { describeWhen } from '../../support/needs.ts';
import { storeCalls, withOwner } from '../../support/pastCalls.ts';
import { openTemporalClient } from '../../support/temporal.ts';
import {
  mountDisk,
  nameOfBackup,
  paymentOfNobody,
  setAlarmStage,
  WEBHOOK_SECRET,
  type AlarmStage,
} from './alarmStage.ts';
import { watchAlerts } from './alarmWatch.ts';

/** How many times faster than the rules say. `ALARM_FACTOR=1` drills them as they are, in an hour and a half. */
const FACTOR = Number(process.env.ALARM_FACTOR ?? 15);
const MINUTE_MS = 60_000 / FACTOR;
const HEALTHY_MS = 15 * MINUTE_MS;

const disk = mountDisk();
const needs = programOf('prometheus') && findLimitsProgram(process.env.PATH ?? '') && disk;

describeWhen(needs, 'Prometheus, Valkey or Redis, and root, to mount a disk')('each fault raises its alarm', () => {
  let stage: AlarmStage;
  let secret: string;
  let account: { workspaceId: string; keyId: string };
  let script: Record<string, unknown> = {};
  const loading = { isOn: true };
  let load: Promise<void>;
  let watch: ReturnType<typeof watchAlerts>;

  beforeAll(async () => {
    stage = await setAlarmStage(FACTOR, disk!);
    const made = await stage.account({ scopes: ['llm', 'manage'], creditUsd: '100' });
    [secret, account] = [made.secret, made];
    // An installation that has run for an hour has checked its ledger.
    const { client, close } = await openTemporalClient(stage.temporal);
    await client.schedule.getHandle(CHECK_SCHEDULE_ID).trigger();
    await close();
    load = keepLoad();
    watch = watchAlerts(stage.prometheus, MINUTE_MS);
  }, 600_000);
  afterAll(async () => {
    loading.isOn = false;
    await Promise.all([load, watch?.stop()]);
    await stage?.close();
    execFileSync('umount', [disk!]);
    await rm(disk!, { recursive: true });
  });

  const headers = () => ({ 'x-api-key': secret });
  const call = async (members: Record<string, unknown>) =>
    (await stage.ask(chatPath, { headers: headers(), body: chatBody(members) })).text();

  /** Calls of a model, and of other routes, until the end: their failures are the faults of the drill. */
  async function keepLoad(): Promise<void> {
    while (loading.isOn) {
      const asked = [call({ stream: true, ...script }), call(script), stage.ask('/v1/models', { headers: headers() })];
      await Promise.allSettled(asked);
      await sleep(100);
    }
  }

  test('a healthy installation under load raises none', async () => {
    await sleep(HEALTHY_MS);
    const answered = await stage.prometheus.query('sum(ledgerline_http_requests_total{status="200"})');
    expect(Number(answered[0]!.value[1])).toBeGreaterThan(100);
    expect(await stage.prometheus.query('up == 1')).toHaveLength(3);
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  // They take long, so that they wait behind the others.
  let slowSinceMs: number;
  test('begins the slow faults: an old backup, and a certificate that is not renewed', async () => {
    slowSinceMs = performance.now();
    watch.explain('BackupOld', 'CertificateExpires', 'CertificateExpiresSoon');
    stage.tls.setSecureContext(makeCertificate({ validMs: 1_800_000 }));
    const [name] = (await readdir(stage.backupDir)).filter((one) => one.startsWith('backup-'));
    await rename(join(stage.backupDir, name!), join(stage.backupDir, nameOfBackup(37)));
    expect(await readdir(stage.backupDir)).toHaveLength(2);
  });

  test('the store of limits: frozen, then down', async () => {
    const { pid } = stage.limits;
    await watch.raises('LimitStoreDown', 'Valkey or Redis frozen (SIGSTOP)', async () => process.kill(pid, 'SIGSTOP'));
    process.kill(pid, 'SIGCONT');
    await watch.ends('LimitStoreDown');
    await watch.raises('LimitStoreDown', 'Valkey or Redis killed', async () => process.kill(pid, 'SIGKILL'));
    const again = await stage.startLimits();
    await watch.ends('LimitStoreDown');
    stage.limits.stop = (graceMs) => again.stop(graceMs);
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('webhooks fail', async () => {
    const { url, state } = stage.receiver;
    state.status = 500;
    const post = (path: string, body: object) =>
      stage.ask(`/platform/v1/webhook_endpoints${path}`, { headers: headers(), body: JSON.stringify(body) });
    const made = await post('', { url });
    expect(made.status).toBe(201);
    const { id } = (await made.json()) as { id: string };
    await watch.raises('WebhooksFailing', 'a receiver of webhooks answers 500', () => post(`/${id}/test`, {}));
    state.status = 200;
    await post(`/${id}/test`, {});
    await watch.ends('WebhooksFailing');
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('Temporal does not answer the API', async () => {
    const follows = ['MetricsIncomplete', 'SweeperStopped', 'WorkersBehind', 'SchedulesStale'];
    const labels = await watch.raises('TemporalUnreachable', 'Temporal killed', () => stage.temporal.kill(), {
      follows,
    });
    expect(labels).toMatchObject({ job: 'ledgerline-api', severity: 'page' });
    await stage.temporal.restart();
    await watch.ends('TemporalUnreachable');
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('an upstream refuses the account: one alert, at once', async () => {
    const refused = { model: 'second-text', messages: told({ status: 402 }) };
    const labels = await watch.raises('UpstreamAccountRefused', 'a vendor answers 402', () => call(refused));
    expect(labels).toMatchObject({ upstream: 'second', severity: 'page' });
    expect(watch.has('UpstreamDown')).toBe(false);
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('an upstream dies after a busy time that was good', async () => {
    const begin = async () => void (script = { messages: told({ status: 500 }) });
    const follows = ['ManyErrors', 'UpstreamFailing'];
    const sinceMs = performance.now();
    const labels = await watch.raises('UpstreamDown', 'an upstream answers 500 after a good hour', begin, { follows });
    expect(labels).toMatchObject({ upstream: 'main' });
    await watch.raises('ManyErrors', 'the same: every model call fails', async () => undefined, { sinceMs });
    script = {};
    await watch.ends('UpstreamDown');
    await watch.ends('ManyErrors');
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('a route is slow', async () => {
    const owner = new Client({ connectionString: ownerUrlOf(stage.addresses.databaseUrl) });
    await owner.connect();
    const slow = { isOn: true };
    const path = '/platform/v1/webhook_endpoints';
    const locking = async () => {
      while (slow.isOn) {
        await owner.query('begin; lock table webhook_endpoints in access exclusive mode');
        await Promise.all([
          sleep(2_500).then(() => owner.query('rollback')),
          ...Array.from({ length: 4 }, () => stage.ask(path, { headers: headers() }).then((answer) => answer.text())),
        ]);
      }
    };
    let locked: Promise<void> | undefined;
    const labels = await watch.raises('RouteSlow', 'a table is locked for 2.5 s at a time', async () => {
      locked = locking();
    });
    slow.isOn = false;
    await locked;
    await owner.end();
    expect(labels).toMatchObject({ severity: 'ticket' });
    await watch.ends('RouteSlow');
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('payments: events with a wrong signature, one that cannot be credited, a comparison that fails, a payout', async () => {
    const payload = JSON.stringify(paymentOfNobody(account.workspaceId));
    const send = (by: string) => {
      const signature = Stripe.webhooks.generateTestHeaderString({ payload, secret: by });
      const path = '/platform/v1/billing/stripe/webhook';
      return stage.ask(path, { headers: { 'stripe-signature': signature }, body: payload });
    };
    await watch.raises('PaymentEventsFail', 'events of Stripe with a wrong secret', async () => {
      for (let at = 0; at < 10; at += 1) {
        expect((await send('whsec_another')).status).toBe(400);
        await sleep(MINUTE_MS / 4);
      }
    });
    await watch.raises('PaymentUncredited', 'a payment without an order', async () =>
      expect(await (await send(WEBHOOK_SECRET)).json()).toMatchObject({ outcome: 'unknown' }),
    );
    await watch.ends('PaymentEventsFail');
    await watch.raises('ReconciliationFails', 'a comparison with Stripe that ends by its timeout', async () => {
      const { client, close } = await openTemporalClient(stage.temporal);
      const options = { taskQueue: TASK_QUEUE, workflowId: 'compared', workflowExecutionTimeout: '1s' } as const;
      await client.workflow.start(RECONCILE_WORKFLOW, options);
      await close();
    });
    await watch.raises('PayoutsWait', 'a payout of four days ago', () =>
      withOwner(stage.addresses.databaseUrl, (owner) =>
        owner.query(
          `insert into payouts (id, workspace_id, amount_nanos, destination, status, requested_by, requester, created_at)
            values ('payout_1', $1, 1, 'transfer', 'requested', 'user_ada', 'Ada', now() - interval '4 days')`,
          [account.workspaceId],
        ),
      ),
    );
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('calls of a workspace are written off', async () => {
    const at = new Date(Date.now() - 1_000).toISOString();
    const labels = await watch.raises('WrittenOff', 'a workspace with 2 USD written off', async () => {
      const [id] = await storeCalls(stage.addresses.databaseUrl, [{ ...account, at }]);
      const text = 'update requests set written_off_nanos = 2000000000 where id = $1';
      await withOwner(stage.addresses.databaseUrl, (owner) => owner.query(text, [id]));
    });
    expect(labels).toMatchObject({ workspace: account.workspaceId });
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('the connections of PostgreSQL are used up', async () => {
    const clients: Client[] = [];
    const { max, used } = Object.fromEntries(
      (await stage.prometheus.query('max by (kind) (ledgerline_database_connections)')).map(({ metric, value }) => [
        metric.kind,
        Number(value[1]),
      ]),
    ) as { max: number; used: number };
    await watch.raises('DatabaseConnections', `${Math.floor(max * 0.9)} of ${max} connections are used`, async () => {
      for (let at = used; at < max * 0.9; at += 1) {
        const client = new Client({ connectionString: stage.addresses.databaseUrl });
        await client.connect();
        clients.push(client);
      }
    });
    await Promise.all(clients.map((client) => client.end()));
    await watch.ends('DatabaseConnections');
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('the disk of the database is full', async () => {
    await watch.raises(
      'DatabaseDiskFull',
      'a disk with 5 % left',
      () => writeFile(join(disk!, 'filler'), Buffer.alloc(19 * 1024 ** 2)),
      {
        follows: ['DatabaseDiskFills'],
      },
    );
    await rm(join(disk!, 'filler'));
    await watch.ends('DatabaseDiskFull');
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('the archiver fails', async () => {
    const [archive, away] = [join(stage.backupDir, 'wal'), join(stage.backupDir, 'wal-away')];
    await watch.raises('ArchiverFailing', 'the folder of the archive is gone', async () => {
      await rename(archive, away);
      await stage.postgres.query('select pg_switch_wal()');
    });
    await rename(away, archive);
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('the slow faults: a backup of yesterday’s yesterday, a certificate', async () => {
    const since = { sinceMs: slowSinceMs, withinMs: 80 * MINUTE_MS };
    await watch.raises(
      'CertificateExpiresSoon',
      'a certificate with 2 % of its time left',
      async () => undefined,
      since,
    );
    await watch.raises('CertificateExpires', 'the same', async () => undefined, since);
    await watch.raises('BackupOld', 'a backup of 37 hours ago', async () => undefined, since);
    expect(watch.unexplained()).toEqual([]);
  }, 7_200_000);

  test('one worker dies, then both are gone, then the API', async () => {
    const [one, other] = stage.workers as [AlarmStage['workers'][number], AlarmStage['workers'][number]];
    const labels = await watch.raises('ProcessDown', 'one of two workers killed', () => one.kill());
    expect(labels).toMatchObject({ job: 'ledgerline-worker' });
    expect(watch.has('WorkersGone')).toBe(false);
    await watch.raises('WorkersGone', 'both workers killed', () => other.kill(), {
      follows: ['SettlementsWait', 'DeadProcess'],
    });
    await watch.raises('ApiGone', 'the API ended', () => stage.api.stop());
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);
});
