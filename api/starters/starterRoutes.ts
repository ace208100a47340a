import { body } from '../body/body.ts';
import { parseWith } from '../body/parseWith.ts';
import { operatorKey } from '../console/operatorKey.ts';
import { scope, type Keyed } from '../guard/key.ts';
import { get, post, put, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { retrieveAgentModel, returnAgentModel, setAgentModel } from './agentModel.ts';
import { cancelFetch, retrieveFetch, startFetch } from './engines.ts';
import { starterDocs as about } from './starterDocs.ts';
import { AgentModelBody, EngineFetchBody, StarterBody, StarterProbeBody } from './starterSchema.ts';
import { createStarter, listStarters, probeStarter } from './starters.ts';

/** The first real model of an installation: of a vendor, or on this machine, for calls and agents. */
export function starterRoutes(services: Services, keyed: Keyed): Route[] {
  const operator: Keyed = (...checks) => keyed(scope('operator'), operatorKey(services), ...checks);
  const at = '/console/v1/catalog';
  const fetched = `${at}/engines/:engine/fetch`;
  const probe = operator(body(parseWith(StarterProbeBody, 'body')));
  const choice = operator(body(parseWith(AgentModelBody, 'body')));
  return [
    get(`${at}/starters`, operator(), listStarters(services), about.list),
    post(`${at}/starters`, operator(body(parseWith(StarterBody, 'body'))), createStarter(services), about.add),
    post(`${at}/starters/probe`, probe, probeStarter(services), about.probe),
    get(`${at}/agent-model`, operator(), retrieveAgentModel(services), about.agentModel),
    put(`${at}/agent-model`, choice, setAgentModel(services), about.choose),
    remove(`${at}/agent-model`, operator(), returnAgentModel(services), about.giveBack),
    get(fetched, operator(), retrieveFetch(services), about.engine),
    post(fetched, operator(body(parseWith(EngineFetchBody, 'body'))), startFetch(services), about.fetch),
    remove(fetched, operator(), cancelFetch(services), about.cancel),
  ];
}
