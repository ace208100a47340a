// Says on which Node it runs, and that the package works there.
import { Ledgerline, NotFoundError } from 'ledgerline';
const client = new Ledgerline();
const { data } = await client.api.GET('/v1/models');
const refused = await client.api
  .GET('/v1/runs/{run_id}', { params: { path: { run_id: 'run_none' } } })
  .catch((error) => error);
console.log(JSON.stringify([process.version, data.object, refused instanceof NotFoundError, typeof refused.requestId]));
