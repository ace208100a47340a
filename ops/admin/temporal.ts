import { Client, Connection } from '@temporalio/client';
import { clientOptionsOf, connectionOptionsOf, type TemporalSettings } from '../../base/temporalSettings.ts';

/** Opens a client for `work`, and closes its connection afterwards. */
export async function withTemporal<T>(settings: TemporalSettings, work: (client: Client) => Promise<T>): Promise<T> {
  const connection = await Connection.connect(connectionOptionsOf(settings));
  try {
    return await work(new Client({ ...clientOptionsOf(settings), connection }));
  } finally {
    await connection.close();
  }
}
