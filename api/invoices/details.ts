import type { z } from 'zod';
import { readDetails, saveDetails, type Details } from '../../db/invoices/details.ts';
import { validationErrorAt } from '../../base/errors/requestErrors.ts';
import { actorOf, type Handler } from '../context.ts';
import type { Services } from '../services.ts';
import type { DetailsAnswer, DetailsChangeBody } from './detailsSchema.ts';
import { taxIdProblem } from './taxIds.ts';

/** `GET /platform/v1/billing/details`: what the next invoice will say about the workspace. */
export function retrieveDetails(services: Services): Handler {
  return async (ctx) => {
    ctx.body = present(await readDetails(services.db.write(ctx.state.key.workspaceId)));
  };
}

/** `PATCH /platform/v1/billing/details`: changes the sent members. Throws 422 for a tax number that does not have its type's form. */
export function changeDetails(services: Services): Handler<z.output<typeof DetailsChangeBody>> {
  return async (ctx) => {
    const { tax_id: taxId, postal_code: postalCode, purchase_order: purchaseOrder, ...same } = ctx.state.input;
    const problem = taxId && taxIdProblem(taxId.type, taxId.value);
    if (problem) throw validationErrorAt(['body', 'tax_id', 'value'], problem);
    const change: Partial<Details> = {
      ...same,
      ...(postalCode !== undefined && { postalCode }),
      ...(purchaseOrder !== undefined && { purchaseOrder }),
      ...(taxId !== undefined && { taxIdType: taxId?.type ?? null, taxId: taxId?.value ?? null }),
    };
    const rows = services.db.write(ctx.state.key.workspaceId);
    const isChanged = Object.keys(change).length > 0;
    ctx.body = present(isChanged ? await saveDetails(rows, change, actorOf(ctx)) : await readDetails(rows));
  };
}

function present(details: Awaited<ReturnType<typeof readDetails>>): z.infer<typeof DetailsAnswer> {
  const { postalCode, taxIdType, taxId, purchaseOrder, updatedAt, ...same } = details;
  return {
    object: 'billing_details',
    ...same,
    postal_code: postalCode,
    tax_id: taxIdType !== null && taxId !== null ? { type: taxIdType, value: taxId } : null,
    purchase_order: purchaseOrder,
    updated_at: updatedAt?.toISOString() ?? null,
  };
}
