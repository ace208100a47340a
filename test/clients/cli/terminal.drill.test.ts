import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { describeWhen } from '../../support/needs.ts';
import { until } from '../../support/until.ts';
import { asking, askingTogether, setAgentCallStage, told, type AgentCallStage } from '../agentCallStage.ts';
import { CTRL_C, DOWN, ENTER, hasTerminals, openCli, type BuiltCli } from './builtCli.ts';

// What a person sees, on a terminal that `script` gives.
let stage: AgentCallStage;
let cli: BuiltCli;

beforeAll(async () => {
  stage = await setAgentCallStage();
  cli = await openCli({ LEDGERLINE_BASE_URL: stage.url, LEDGERLINE_API_KEY: stage.stranger.secret });
}, 600_000);
afterAll(async () => {
  await cli?.remove();
  await stage?.close();
});

describeWhen(hasTerminals, 'script of util-linux')('on a terminal', () => {
  test('a question is answered at the prompt, and the answer appears as it is written', async () => {
    const terminal = cli.terminal(['run', stage.poet, told(asking)]);
    await terminal.shows('Which city?');
    terminal.write(`Rome${ENTER}`);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.plain()).toMatch(/Rome, then\.[^]*✓ completed[^]*billed \$/);
    const { id } = await stage.lastRun();
    const { rows } = await stage.db.pool.query('select result from run_steps where run_id = $1 and step = 2', [id]);
    expect(rows).toEqual([{ result: expect.objectContaining({ text: 'Rome' }) }]);
  });

  test('a form is filled in, and a tool is approved', async () => {
    const terminal = cli.terminal(['run', stage.planner, told(askingTogether)]);
    await terminal.shows('City');
    terminal.write(`Rome${ENTER}`);
    await terminal.shows('nights (optional)');
    terminal.write(`12${ENTER}`);
    await terminal.shows('It is at most 9.');
    terminal.write(`\x7f\x7f3${ENTER}`);
    await terminal.shows('May it?');
    expect(terminal.plain()).toContain('"path": "trip.md"');
    terminal.write(ENTER);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.plain()).toMatch(/✓ write_file[^]*Booked\./);
    const { rows } = await stage.db.pool.query(`select result from run_steps where run_id = $1 and name = 'ask_user'`, [
      (await stage.lastRun()).id,
    ]);
    expect(JSON.stringify(rows)).toMatch(/Rome.*3/);
  });

  test('a tool is refused with a reason', async () => {
    const terminal = cli.terminal(['run', stage.planner, told(askingTogether)]);
    await terminal.shows('City');
    terminal.write(`Rome${ENTER}`);
    await terminal.shows('nights (optional)');
    terminal.write(ENTER);
    await terminal.shows('May it?');
    terminal.write(`${DOWN}${DOWN}${ENTER}`);
    await terminal.shows('Why not?');
    terminal.write(`Not now.${ENTER}`);
    expect(await terminal.ended()).toBe(0);
    const { rows } = await stage.db.pool.query(
      `select result from run_steps where run_id = $1 and name = 'write_file'`,
      [(await stage.lastRun()).id],
    );
    expect(JSON.stringify(rows)).toContain('Not now.');
  });

  test('a prompt goes away when somebody answers elsewhere', async () => {
    const terminal = cli.terminal(['run', stage.poet, told(asking)]);
    await terminal.shows('Which city?');
    const { id } = await stage.lastRun();
    expect((await cli.run(['runs', 'answer', id, 'Oslo'])).code).toBe(0);
    expect(await terminal.ended()).toBe(0);
    expect(terminal.plain()).toContain('Rome, then.');
  });

  test('Ctrl-C cancels the run and shows what was billed', async () => {
    const terminal = cli.terminal([
      'run',
      stage.poet,
      told({ turns: [{ text: 'Some words. '.repeat(5), fault: 'stall', faultAfterChunks: 8 }] }),
    ]);
    await terminal.shows('Some words.');
    terminal.write(CTRL_C);
    expect(await terminal.ended()).toBe(130);
    expect(terminal.plain()).toMatch(/Cancelling the run[^]*■ cancelled[^]*billed \$0\.\d+/);
    const run = await stage.lastRun();
    expect(run).toMatchObject({ status: 'cancelled' });
    const billed = Number(run.total_nanos) / 1e9;
    expect(terminal.plain()).toContain(`billed $${billed.toFixed(6).replace(/(\.\d\d\d*?)0+$/, '$1')}`);
  });

  test('Ctrl-C at a prompt cancels the run, too', async () => {
    const terminal = cli.terminal(['run', stage.poet, told(asking)]);
    await terminal.shows('Which city?');
    terminal.write(CTRL_C);
    expect(await terminal.ended()).toBe(130);
    await until(async () => (await stage.lastRun()).status === 'cancelled');
  });

  test('leaving a run that is only watched does not cancel it', async () => {
    const { stdout } = await cli.run(['run', stage.poet, '--detach', told(asking)]);
    const id = stdout.trim();
    const watching = cli.terminal(['runs', 'events', id, '--follow']);
    await watching.shows('Which city?');
    watching.write(CTRL_C);
    expect(await watching.ended()).toBe(130);
    expect(await stage.lastRun()).toMatchObject({ id, status: 'requires_action' });
  });

  test('colours and lines that change are drawn here alone', async () => {
    const args = ['run', stage.poet, told({ text: 'Done.' })];
    const shown = cli.terminal(args);
    expect(await shown.ended()).toBe(0);
    expect(shown.raw()).toMatch(/[⠋⠙⠹⠸]/);
    expect(shown.raw()).toContain('\x1b[32m');
    const plain = cli.terminal(args, { NO_COLOR: '1', CI: 'true' });
    expect(await plain.ended()).toBe(0);
    expect(plain.raw()).not.toMatch(/[⠋⠙⠹⠸]/);
    expect(plain.raw()).not.toContain('\x1b[3');
    const { stdout, stderr } = await cli.run(args);
    expect(stdout + stderr).not.toMatch(/[⠋⠙⠹⠸]/);
    expect(stdout + stderr).not.toContain('\x1b');
  });
});
