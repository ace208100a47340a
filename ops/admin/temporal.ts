import { Client, Connection } from '@temporalio/client';
import { clientOptionsOf, connectionOptionsOf, type TemporalSettings } from '../../base/temporalSettings.ts';

/** Opens a client for `work`, and closes its connection afterwards. */
export async function withTemporal<T>(settings: TemporalSettings, work: (client: Client) => Promise<T>): Promise<T> {
  const options = connectionOptionsOf(settings);
  const connection = await Connection.connect(options).catch((cause: Error) => {
    const advice = 'start it, or set TEMPORAL_ADDRESS';
    throw new Error(`Temporal at ${options.address} cannot be used (${cause.message}): ${advice}.`, { cause });
  });
  try {
    return await work(new Client({ ...clientOptionsOf(settings), connection }));
  } finally {
    await connection.close();
  }
}
