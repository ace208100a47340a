import { explanationDoc, retrieveExplanation } from '../billing/explain.ts';
import { listModelPrices, modelPricesDoc } from '../catalog/modelPrices.ts';
import { query } from '../body/parseWith.ts';
import type { Keyed } from '../guard/key.ts';
import { get, type Route } from '../http/router.ts';
import { search, searchDoc, SearchQuery } from '../search/search.ts';
import type { Services } from '../services.ts';
import { listModelPerformance, modelPerformanceDoc } from '../text/modelPerformance.ts';
import { retrieveUsageReport } from '../usage/usage.ts';
import { downloadUsage, usageExportDoc, UsageExportQuery } from '../usage/usageExport.ts';
import { retrieveErrors } from '../usage/errors.ts';
import { retrieveLatency } from '../usage/latency.ts';
import { errorsDoc, latencyDoc, usageReportDoc } from '../usage/usageDocs.ts';
import { ErrorQuery, LatencyQuery, UsageReportQuery } from '../usage/usageSchema.ts';
import { overviewDoc, retrieveOverview } from './overview.ts';

/** What a workspace has used and spent, and why. */
export function summaryRoutes(services: Services, keyed: Keyed): Route[] {
  const free = keyed();
  return [
    get('/platform/v1/overview', free, retrieveOverview(services), overviewDoc),
    get('/platform/v1/models/performance', free, listModelPerformance(services), modelPerformanceDoc),
    get('/platform/v1/models/:id/prices', free, listModelPrices(services), modelPricesDoc),
    get('/platform/v1/search', keyed(query(SearchQuery)), search(services), searchDoc),
    get('/platform/v1/explain/:explained_id', free, retrieveExplanation(services), explanationDoc),
    get('/platform/v1/usage', keyed(query(UsageReportQuery)), retrieveUsageReport(services), usageReportDoc),
    get('/platform/v1/usage/export', keyed(query(UsageExportQuery)), downloadUsage(services), usageExportDoc),
    get('/platform/v1/usage/latency', keyed(query(LatencyQuery)), retrieveLatency(services), latencyDoc),
    get('/platform/v1/usage/errors', keyed(query(ErrorQuery)), retrieveErrors(services), errorsDoc),
  ];
}
