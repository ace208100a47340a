import { APIError, InsufficientBalanceError, Ledgerline, RunFailedError } from 'ledgerline';

const client = new Ledgerline();
try {
  await client.agents.run('acme/unknown', 'Write a haiku about rain.');
} catch (error) {
  if (error instanceof InsufficientBalanceError) console.log(`Top up first: ${error.message}`);
  else if (error instanceof RunFailedError) console.log(error.code, error.run.id);
  else if (error instanceof APIError) console.log(error.status, error.code, error.param, error.requestId);
  else throw error;
}
