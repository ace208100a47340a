import type { z } from 'zod';
import { findRoot, listRoots } from '../../db/bill/roots.ts';
import { listBillKeys } from '../../db/bill/signingKeys.ts';
import { query } from '../body/parseWith.ts';
import { addressRate } from '../guard/addressRate.ts';
import type { Handler } from '../context.ts';
import { notFound } from '../../base/errors/requestErrors.ts';
import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { publishedDocs } from './billingDocs.ts';
import { Day, RootsQuery } from './billingSchema.ts';

// A checker asks for the keys and one list. Both may be cached.
const REQUESTS_PER_MINUTE = 120;

/** The public keys and signed roots for checking bills, without authentication. */
export function wellKnownRoutes(services: Services): Route[] {
  const at = '/.well-known/ledgerline';
  const publicRate = addressRate(REQUESTS_PER_MINUTE);
  return [
    get(`${at}-bill-keys.json`, [publicRate], retrieveKeys(services), publishedDocs.keys),
    get(`${at}-roots.json`, [publicRate, query(RootsQuery)], retrieveRoots(services), publishedDocs.roots),
    get(`${at}-roots/:day`, [publicRate], retrieveRoot(services), publishedDocs.root),
  ];
}

function retrieveKeys({ db }: Services): Handler {
  return async (ctx) => {
    ctx.set('cache-control', 'public, max-age=300');
    ctx.body = { keys: await listBillKeys(db.everywhere) };
  };
}

function retrieveRoots({ db }: Services): Handler<z.output<typeof RootsQuery>> {
  return async (ctx) => {
    const { roots, hasMore } = await listRoots(db.everywhere, ctx.state.input);
    ctx.set('cache-control', 'public, max-age=300');
    ctx.body = { roots, has_more: hasMore };
  };
}

function retrieveRoot({ db }: Services): Handler {
  return async (ctx) => {
    const day = ctx.state.params.day!.replace(/\.json$/, '');
    const isDay = Day.safeParse(day).success;
    const root = isDay ? await findRoot(db.everywhere, day) : undefined;
    if (!root)
      throw notFound(`No signed root of '${day}': send a day, YYYY-MM-DD (UTC), that has ended.`, 'root_not_found');
    ctx.set('cache-control', 'public, max-age=31536000, immutable');
    ctx.body = root;
  };
}
