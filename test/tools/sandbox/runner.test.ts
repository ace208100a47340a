import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { test } from '@jest/globals';
import { processesOf } from '../../support/sandbox.ts';
import { describeTiers } from '../../support/sandboxTiers.ts';
import { until } from '../../support/until.ts';

const module = new URL('../../../tools/sandbox/sandbox.ts', import.meta.url).href;

describeTiers('a worker that is killed', ['quickjs', 'bwrap', 'gvisor'], (tier) => {
  test.each(['for (;;);', `('a'.repeat(2 ** 24) + 'b').repeat(9).indexOf('a'.repeat(2 ** 23) + 'c'); for (;;);`])(
    'ends its programs too: %s',
    async (code) => {
      const wallMs = 250_000 + Math.floor(Math.random() * 4_000);
      const script = `
        const { openSandbox } = await import(process.argv[1]);
        const sandbox = await openSandbox({ tier: '${tier}', limits: { wallMs: ${wallMs} } });
        process.stdout.write('open');
        await sandbox.run({ language: 'javascript', code: ${JSON.stringify(code)}, files: [] }, new AbortController().signal);
      `;
      const worker = spawn(process.execPath, ['--input-type=module', '-e', script, module], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      await once(worker.stdout, 'data');
      await until(() => processesOf({ wallMs, workerPid: worker.pid }).length > 0);
      worker.kill('SIGKILL');
      await once(worker, 'exit');
      await until(() => processesOf({ wallMs, workerPid: worker.pid }).length === 0, { pollMs: 50 });
    },
  );
});
