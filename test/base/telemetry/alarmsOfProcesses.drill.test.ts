import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { freePort } from '../../../ops/stack/process/port.ts';
import { findLimitsProgram } from '../../../ops/stack/limitsServer.ts';
import { createBrowser, password } from '../../api/accounts/accountStage.ts';
import { publishAgent } from '../../support/agent.ts';
import { makeFolder, type TestFolder } from '../../support/folder.ts';
import { programOf } from '../../support/monitoring.ts';
import { describeWhen } from '../../support/needs.ts';
import { startStepped, stepClock } from '../../support/ownClock.ts';
import { setAlarmStage, type AlarmStage } from './alarmStage.ts';
import { watchAlerts } from './alarmWatch.ts';

const FACTOR = Number(process.env.ALARM_FACTOR ?? 15);
const MINUTE_MS = 60_000 / FACTOR;
const DESCRIPTORS = 400;
const limiting = programOf('prlimit');
const needs = programOf('prometheus') && findLimitsProgram(process.env.PATH ?? '') && limiting;

describeWhen(needs, 'Prometheus, Valkey or Redis, and prlimit')('faults of processes raise their alarms', () => {
  let stage: AlarmStage;
  let disk: TestFolder;
  let port: number;
  let watch: ReturnType<typeof watchAlerts>;

  beforeAll(async () => {
    [disk, port] = await Promise.all([makeFolder(), freePort()]);
    stage = await setAlarmStage(FACTOR, disk.path, {
      // No mail server listens there.
      apiEnv: { ...startStepped([0, 5_000, 0]), SMTP_URL: 'smtp://127.0.0.1:1' },
      firstWorker: { env: { METRICS_PORT: String(port) }, enter: [limiting!, `--nofile=${DESCRIPTORS}`] },
    });
    watch = watchAlerts(stage.prometheus, MINUTE_MS);
  }, 600_000);
  afterAll(async () => {
    await watch?.stop();
    await stage?.close();
    await disk?.remove();
  });

  test('a clock is off by five seconds', async () => {
    const labels = await watch.raises('ClockSkewed', 'a clock is 5 s ahead', () => stepClock(stage.api));
    expect(labels).toMatchObject({ job: 'ledgerline-api', severity: 'ticket' });
    await stepClock(stage.api);
    await watch.ends('ClockSkewed');
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('mails of sign-up are refused', async () => {
    await watch.raises('MailsFail', 'the mail server is away while two people sign up', async () => {
      for (const name of ['ada', 'grace']) {
        const order = { name, email: `${name}@example.com`, password };
        expect((await createBrowser(stage.url).post('auth/sign-up/email', order)).status).toBe(200);
      }
    });
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('a submission waits for an operator', async () => {
    const { workspaceId } = await stage.account();
    await publishAgent(stage.db, {}, { workspaceId });
    await watch.raises('ReviewsWait', 'a submission of four days ago', () =>
      stage.asOwner(
        `update deployments set status = 'in_review', created_at = now() - interval '4 days', activated_at = null, decided_at = null
          where workspace_id = $1`,
        [workspaceId],
      ),
    );
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);

  test('a process has nearly all of its descriptors open', async () => {
    const sockets: Socket[] = [];
    const labels = await watch.raises('DescriptorsUsed', 'sockets take a worker’s descriptors', async () => {
      for (let at = 0; at < DESCRIPTORS * 0.8; at += 1) {
        const socket = connect(port, '127.0.0.1').on('error', () => {});
        await once(socket, 'connect');
        sockets.push(socket);
      }
    });
    expect(labels).toMatchObject({ job: 'ledgerline-worker', severity: 'page' });
    for (const socket of sockets) socket.destroy();
    await watch.ends('DescriptorsUsed');
    expect(watch.unexplained()).toEqual([]);
  }, 1_800_000);
});
