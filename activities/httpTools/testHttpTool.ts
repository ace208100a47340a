import { endToolTest, findToolTest, type ToolTestRow } from '../../db/agents/toolTests.ts';
import type { HttpToolTestResult } from '../../db/entities/httpTool.ts';
import { HTTP_TOOLS } from '../../base/limits.ts';
import { storableBeginning, storableJson } from '../../base/json.ts';
import { requestOf, tryOnce, type HttpToolAccess } from '../../tools/httpTool.ts';
import { ToolFailure, type ToolProgress } from '../../tools/tool.ts';
import type { WebhookDependencies } from '../dependencies.ts';
import { createHttpAccess } from './httpAccess.ts';

const BODY_CHARACTERS_MAX = 65_536;
const PROGRESS_MAX = 100;

/** Carries out a test of an HTTP tool: one signed request, without a retry. What was sent and received is stored with the test. */
export function createTestHttpTool({ db: { everywhere }, webhooks: { secrets, sending } }: WebhookDependencies) {
  const access = createHttpAccess({ everywhere, secrets, sending });
  return async (testId: string): Promise<void> => {
    const test = await findToolTest(everywhere, testId);
    if (!test || test.result) return;
    await endToolTest(everywhere, testId, storableJson(await carryOut(test, access)) as HttpToolTestResult);
  };
}

async function carryOut(test: ToolTestRow, access: HttpToolAccess): Promise<HttpToolTestResult> {
  const begunMs = performance.now();
  const durationMs = () => Math.round(performance.now() - begunMs);
  const { id, agentId, agent, tool, arguments: args } = test;
  const caller = { runId: null, stepId: id, agentId, agent, version: 'draft', mode: 'test' as const };
  let request = { body: '', headers: {} as Record<string, string> };
  const progress: ToolProgress[] = [];
  try {
    const signed = await requestOf(tool, access, { caller, args });
    request = { body: signed.body, headers: signed.headers() };
    const sent = { body: request.body, headers: () => request.headers };
    const seconds = Math.min(tool.timeout_seconds ?? Infinity, HTTP_TOOLS.testSecondsMax);
    const bounded = { ...tool, timeout_seconds: seconds };
    const done = await tryOnce(bounded, sent, access, {
      signal: AbortSignal.timeout(seconds * 1_000),
      onProgress: (one) => void (progress.length < PROGRESS_MAX && progress.push(one)),
    });
    const { answer, result } = done;
    const body = answer && storableBeginning(answer.body, BODY_CHARACTERS_MAX);
    return {
      request,
      response: answer && {
        status: answer.status,
        content_type: answer.contentType,
        body: body!,
        is_truncated: answer.body.length > BODY_CHARACTERS_MAX,
      },
      progress,
      result: { text: storableBeginning(result.text, BODY_CHARACTERS_MAX), is_error: result.isError },
      duration_ms: durationMs(),
    };
  } catch (error) {
    if (!(error instanceof ToolFailure)) throw error;
    const result = { text: error.message, is_error: true };
    return { request, response: null, progress, result, duration_ms: durationMs() };
  }
}
