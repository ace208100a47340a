import { readOptions } from '../../base/commandLine.ts';
import { startFixed } from './startFixed.ts';
import { startScripted } from './startScripted.ts';

/** The upstream as a process; prints its address as JSON. */
const values = readOptions('node rules/scripted/main.ts [--port N] [--fixed [--delay-ms N]]', {
  port: { type: 'string', default: '0' },
  fixed: { type: 'boolean', default: false },
  'delay-ms': { type: 'string', default: '0' },
});
const port = Number(values.port);
const upstream = values.fixed
  ? await startFixed({ port, delayMs: Number(values['delay-ms']) })
  : await startScripted({ port });
process.stdout.write(`${JSON.stringify({ event: 'listening', url: upstream.url })}\n`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void upstream.stop());
