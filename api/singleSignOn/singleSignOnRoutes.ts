import { body } from '../body/body.ts';
import { parseWith } from '../body/parseWith.ts';
import type { Keyed } from '../guard/key.ts';
import { owner, recentLogin } from '../guard/session.ts';
import { get, patch, post, put, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { createDomain, deleteDomain, listMailDomains, verifyDomain } from './domains.ts';
import { changeEnforcement, deleteProvider, retrieveProvider, setProvider } from './provider.ts';
import { changeRules, retrieveRules } from './rules.ts';
import { DomainBody, EnforcedBody, ProviderBody, SessionRulesBody } from './schema.ts';
import { singleSignOnDocs as about } from './singleSignOnDocs.ts';

/** The routes by which owners set up how members sign in. */
export function singleSignOnRoutes(services: Services, keyed: Keyed): Route[] {
  const [at, rules] = ['/console/v1/single-sign-on', '/console/v1/session-rules'];
  const [domains, one] = [`${at}/domains`, `${at}/domains/:domain_id`];
  const changed = keyed(owner, recentLogin);
  return [
    get(at, keyed(owner), retrieveProvider(services), about.retrieve),
    put(at, keyed(owner, recentLogin, body(parseWith(ProviderBody, 'body'))), setProvider(services), about.set),
    patch(
      at,
      keyed(owner, recentLogin, body(parseWith(EnforcedBody, 'body'))),
      changeEnforcement(services),
      about.enforce,
    ),
    remove(at, changed, deleteProvider(services), about.remove),
    get(domains, keyed(owner), listMailDomains(services), about.domains),
    post(
      domains,
      keyed(owner, recentLogin, body(parseWith(DomainBody, 'body'))),
      createDomain(services),
      about.addDomain,
    ),
    post(`${one}/verify`, changed, verifyDomain(services), about.verifyDomain),
    remove(one, changed, deleteDomain(services), about.removeDomain),
    get(rules, keyed(owner), retrieveRules(services), about.rules),
    patch(
      rules,
      keyed(owner, recentLogin, body(parseWith(SessionRulesBody, 'body'))),
      changeRules(services),
      about.changeRules,
    ),
  ];
}
