import { Resolver } from 'node:dns/promises';
import type { z } from 'zod';
import { conflict, notFound } from '../../base/errors/requestErrors.ts';
import {
  addDomain,
  confirmDomain,
  findDomain,
  listDomains,
  MAIL_DOMAINS_MAX,
  type MailDomainRow,
  recordNameOf,
  recordTextOf,
  removeDomain,
} from '../../db/singleSignOn/mailDomains.ts';
import { pathId } from '../body/parseWith.ts';
import { actorOf, type Handler } from '../context.ts';
import { requireLive } from '../guard/testMode.ts';
import type { Services } from '../services.ts';
import type { DomainAnswer, DomainBody } from './schema.ts';

const DNS_TIMEOUT_MS = 3_000;

/** `GET /console/v1/single-sign-on/domains`: the mail domains that the workspace claims. */
export function listMailDomains({ db }: Services): Handler {
  return async (ctx) => {
    const { workspaceId } = ctx.state.key;
    ctx.body = { object: 'list', data: (await listDomains(db.read(workspaceId), workspaceId)).map(present) };
  };
}

/** `POST /console/v1/single-sign-on/domains`: claims one. Throws 409 `domain_known` or `too_many_domains`. */
export function createDomain({ db }: Services): Handler<z.output<typeof DomainBody>> {
  return async (ctx) => {
    requireLive(ctx);
    const { domain } = ctx.state.input;
    const added = await addDomain(db.write(ctx.state.key.workspaceId), { domain, by: actorOf(ctx) });
    if (added === 'known') throw conflict('domain_known', 'The workspace has this domain already.');
    if (added === 'too_many')
      throw conflict('too_many_domains', `A workspace has at most ${MAIL_DOMAINS_MAX} domains. Remove one.`);
    ctx.status = 201;
    ctx.body = present(added);
  };
}

/** `POST …/domains/{domain_id}/verify`: looks for its record. Throws 404, and 409 `record_not_found` or `domain_taken`. */
export function verifyDomain({ db, config }: Services): Handler {
  return async (ctx) => {
    requireLive(ctx);
    const rows = db.write(ctx.state.key.workspaceId);
    const id = pathId(ctx, 'domain_id');
    const row = await findDomain(rows, id);
    if (row === null) throw noDomain();
    if (row.verifiedAt === null && !(await hasRecord(row, config.singleSignOn.dnsServers)))
      throw conflict(
        'record_not_found',
        `There is no TXT record ${recordNameOf(row.domain)} with the text ${recordTextOf(row.token)} yet. ` +
          'It may take some minutes until a new record is seen.',
      );
    const confirmed = await confirmDomain(rows, { id, by: actorOf(ctx) });
    if (confirmed === null) throw noDomain();
    if (confirmed === 'taken')
      throw conflict('domain_taken', 'Another workspace has proved this domain. Its owner must give it up first.');
    ctx.body = present(confirmed);
  };
}

async function hasRecord({ domain, token }: MailDomainRow, servers: string[] | null): Promise<boolean> {
  const resolver = new Resolver({ timeout: DNS_TIMEOUT_MS, tries: 2 });
  if (servers !== null) resolver.setServers(servers);
  const records = await resolver.resolveTxt(recordNameOf(domain)).catch(() => []);
  return records.some((parts) => parts.join('') === recordTextOf(token));
}

/** `DELETE …/domains/{domain_id}`: gives it up. Throws 404 `domain_not_found`. */
export function deleteDomain({ db }: Services): Handler {
  return async (ctx) => {
    requireLive(ctx);
    const id = pathId(ctx, 'domain_id');
    if (!(await removeDomain(db.write(ctx.state.key.workspaceId), { id, by: actorOf(ctx) }))) throw noDomain();
    ctx.body = { id, object: 'mail_domain', deleted: true };
  };
}

const noDomain = () => notFound('The workspace has no domain with that id.', 'domain_not_found');

const present = ({ id, domain, token, verifiedAt, createdAt }: MailDomainRow): z.infer<typeof DomainAnswer> => ({
  id,
  object: 'mail_domain',
  domain,
  record_name: recordNameOf(domain),
  record_text: recordTextOf(token),
  verified_at: verifiedAt?.toISOString() ?? null,
  created_at: createdAt.toISOString(),
});
