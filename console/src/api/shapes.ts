import type { components } from './openapi.d.ts';

/** The API's answers on the pages about money, by the document's names where they exist. */
type Schemas = components['schemas'];

export type RequestRow = Schemas['EndedRequest'];
export type UsageReport = Schemas['UsageReport'];
export type UsageRow = UsageReport['data'][number];
export type LatencyReport = Schemas['LatencyReport'];
export type ErrorReport = Schemas['ErrorReport'];
export type TopupRow = Schemas['TopupPage']['data'][number];
export type AutoTopup = Schemas['AutoTopup'];
export type Statement = Schemas['AccountStatement'];
export type LedgerRow = Schemas['LedgerPage']['data'][number];
export type Overview = Schemas['Overview'];
/** A budget, or a warning of how long the balance lasts, with what it watches now. */
export type SpendAlert = Schemas['Alert'];
export type BillingDetails = Schemas['BillingDetails'];
export type InvoiceSummary = Schemas['InvoicePage']['data'][number];
export type Invoice = Schemas['Invoice'];
export type Receipt = Schemas['Receipt'];
export type Explanation = Schemas['Explanation'];
/** The model that agents use, and the one to come. */
export type AgentModel = Schemas['CatalogAgentModel'];
