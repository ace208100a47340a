// Compiled by `test/clients/sdk/types.test.ts` with the compiler of the package: the line below each mark is wrong, and no other.
import { Ledgerline } from 'ledgerline';
import { forecaster } from './agents/forecaster.ts';
import { poet } from './agents/poet.ts';

const client = new Ledgerline();

// Wrong: No such route.
await client.api.GET('/v1/walks');
// Wrong: The path needs its id.
await client.api.GET('/v1/runs/{run_id}');
// Wrong: The order needs its input.
await client.api.POST('/v1/runs', { body: { agent: 'acme/poet' } });
// Wrong: Not a member of the query.
client.pages('/v1/runs', { query: { stat: 'failed' } });
// Wrong: Not a list.
client.pages('/platform/v1/key');
// Wrong: Its path has an id.
client.pages('/v1/runs/{run_id}/steps');
// Wrong: Not a group of events.
client.runs.stream('run_1', { include: ['words'] });
// Wrong: An approval needs its decision.
await client.runs.answer('run_1', { type: 'tool_approval' });
// Wrong: The data of an agent is unknown until its type is said.
(await client.agents.run('acme/poet', 'Rain.')).data.title;

// Wrong: The city is missing.
await forecaster({ days: 3 });
// Wrong: The days are a number.
await forecaster({ city: 'Oslo', days: '3' });
// Wrong: Not one of the units.
await forecaster({ city: 'Oslo', units: 'nautical' });
// Wrong: Not a member of the input.
await forecaster({ city: 'Oslo', town: 'Oslo' });
// Wrong: Not a member of the output.
(await forecaster({ city: 'Oslo' })).data.wind;
// Wrong: The agent takes a text.
await poet({ topic: 'rain' });
