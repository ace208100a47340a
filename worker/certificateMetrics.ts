import { once } from 'node:events';
import { isIP } from 'node:net';
import { connect, type TLSSocket } from 'node:tls';
import type { ReadGauge } from '../base/telemetry/metrics.ts';
import { fresh } from '../base/fresh.ts';

const FRESH_MS = 5 * 60_000;
const ANSWER_MS = 3_000;
interface Validity {
  from: number;
  until: number;
}

/**
 * The validity of the certificate at an address, as callers see it, whatever ends TLS there.
 */
export function certificateGauges(address: string | undefined): ReadGauge[] {
  if (address === undefined) return [];
  const url = new URL(address);
  const labels = { host: url.host };
  const validity = fresh(FRESH_MS, () => readValidity(url));
  return [
    {
      name: 'ledgerline_certificate_expiry_timestamp_seconds',
      help: 'When the certificate at the public address expires, in Unix time',
      labels: ['host'],
      read: async () => [{ labels, value: (await validity()).until }],
    },
    {
      name: 'ledgerline_certificate_lifetime_seconds',
      help: 'How long that certificate is valid altogether',
      labels: ['host'],
      read: async () => {
        const { from, until } = await validity();
        return [{ labels, value: until - from }];
      },
    },
  ];
}

/** Also of a certificate that is not valid: its date is wanted, and nothing is sent. */
async function readValidity({ hostname, port }: URL): Promise<Validity> {
  const host = hostname.replace(/^\[|\]$/g, '');
  const servername = isIP(host) ? undefined : host;
  const socket: TLSSocket = connect({ host, port: Number(port) || 443, servername, rejectUnauthorized: false });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(ANSWER_MS) });
    const { valid_from: from, valid_to: until } = socket.getPeerCertificate();
    return { from: Date.parse(from) / 1000, until: Date.parse(until) / 1000 };
  } finally {
    socket.on('error', () => {});
    socket.destroy();
  }
}
