import type { z } from 'zod';
import { decideProposal, insertProposal, readProposals, type ProposedPrice } from '../../db/liveCatalog/proposals.ts';
import { previewPrice } from '../../db/liveCatalog/pricePreview.ts';
import { usdOf } from '../../db/money.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import { pathId } from '../body/parseWith.ts';
import type { Handler } from '../context.ts';
import { personOf } from '../guard/person.ts';
import { answerPage } from '../http/page.ts';
import type { Services } from '../services.ts';
import type { PreviewAnswer } from './catalogAnswers.ts';
import type { NewPriceBody, PreviewBody, PriceQuery } from './catalogSchema.ts';
import { listedOf } from './models.ts';
import { presentPrice } from './presentPrice.ts';
import { proposalRefused } from './refusals.ts';
import { ratesOf } from './units.ts';

/** `GET /console/v1/catalog/prices`: what operators proposed, newest first. */
export function listProposals({ db, cursors }: Services): Handler<z.output<typeof PriceQuery>> {
  return async (ctx) => {
    const { status, model } = ctx.state.input;
    const person = await personOf(db, ctx);
    const filter = { ...(status && { status }), ...(model !== undefined && { model }) };
    await answerPage(ctx, cursors, {
      list: `catalog prices ${JSON.stringify([status, model])}`,
      read: (page) => readProposals(db.everywhere, filter, page),
      present: (row) => presentPrice(row, person),
    });
  };
}

/** `POST /console/v1/catalog/prices`: proposes a price. It counts once another operator has approved it. */
export function proposePrice(services: Services): Handler<z.output<typeof NewPriceBody>> {
  return async (ctx) => {
    const { db } = services;
    const person = await personOf(db, ctx);
    const made = await insertProposal(
      db.everywhere,
      proposedIn(services, ctx.state.resourceId, ctx.state.input),
      person,
    );
    ctx.status = 201;
    ctx.body = presentPrice(made, person);
  };
}

/** `POST /console/v1/catalog/prices/{price_id}/approve`, `…/reject` and `…/withdraw`: decides once. */
export function decidePrice(services: Services, status: 'approved' | 'rejected' | 'withdrawn'): Handler {
  return async (ctx) => {
    const id = pathId(ctx, 'price_id');
    const by = await personOf(services.db, ctx);
    const decided = await decideProposal(services.db.everywhere, id, { status, by });
    if (typeof decided === 'string') throw proposalRefused(decided, id);
    // It is decided: every process reads it within a second, this one too.
    const onFailure = (err: unknown) => services.log.warn({ err, id }, 'a decided price is read a moment later');
    await services.catalog.refresh().catch(onFailure);
    ctx.body = presentPrice(decided, by);
  };
}

/** `POST /console/v1/catalog/prices/preview`: what the live calls of 30 days would have cost. */
export function previewPriceChange(services: Services): Handler<z.output<typeof PreviewBody>> {
  return async (ctx) => {
    const { db } = services;
    const { model: name, usd_per_million: usd, batch_percentage: batchPercentage } = ctx.state.input;
    const { model } = listedOf(services, name);
    await db.ledger.posted();
    const rates = ratesOf(model.kind, usd);
    const preview = await previewPrice(db.everywhere, { model: model.id, rates, batchPercentage });
    ctx.body = {
      object: 'catalog.price_preview',
      model: model.id,
      days: preview.days,
      requests: preview.requests,
      charged_usd: usdOf(preview.chargedNanos),
      would_usd: usdOf(preview.wouldNanos),
      units: preview.units,
    } satisfies z.infer<typeof PreviewAnswer>;
  };
}

function proposedIn(services: Services, id: string, input: z.output<typeof NewPriceBody>): ProposedPrice {
  const { model: name, usd_per_million: usd, batch_percentage, from_file, holds_from, reason = null } = input;
  const { model, state } = listedOf(services, name);
  const holdsFrom = holds_from ? new Date(holds_from) : null;
  if (holdsFrom && holdsFrom.getTime() <= Date.now())
    throw validationErrorAt(['body', 'holds_from'], 'This has passed: a price never holds backwards.');
  const common = { id, model: model.id, holdsFrom, reason };
  if (!from_file) {
    if (!usd) throw validationErrorAt(['body', 'usd_per_million'], 'Field required');
    const batchPercentage = batch_percentage === undefined ? (model.batchPercentage ?? null) : batch_percentage;
    if (batchPercentage !== null && model.kind !== 'text' && model.kind !== 'embedding')
      throw validationErrorAt(['body', 'batch_percentage'], 'Batches have models of texts and embeddings.');
    return { ...common, rates: ratesOf(model.kind, usd), batchPercentage, filePriceId: null };
  }
  if (usd || batch_percentage !== undefined)
    throw validationErrorAt(['body', 'from_file'], 'A price of the file has no amounts of its own.');
  if (!state.isInFile) throw validationErrorAt(['body', 'from_file'], 'The file does not have this model.');
  // The file may be another one by then.
  if (holdsFrom) throw validationErrorAt(['body', 'holds_from'], 'A return to the file holds from its approval.');
  const { rates, batchPercentage = null, priceId } = model;
  return { ...common, rates, batchPercentage, filePriceId: priceId! };
}
