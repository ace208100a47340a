import { findRun, stepIdOf, type RunRow } from '../../../db/runs/runRow.ts';
import { openActionsOf, type ActionAnswer } from '../../../db/runs/waiting/actions.ts';
import type { ApprovalItem } from '../../../calls/text/responses/outputItems.ts';
import type { ResponseItem, ResponseMessage } from '../../../calls/text/responses/responseItem.ts';
import { invalidValue } from '../../../base/errors/invalidRequest.ts';
import type { Context } from '../../context.ts';
import { seenBy } from '../../guard/projects.ts';
import { giveAnswers } from '../../runs/inputRun.ts';
import type { Services } from '../../services.ts';
import { answerOfText } from '../asked.ts';

/** Approvals of a run as items of OpenAI's responses. The id of an item is that of its step, so nothing is kept of it. */

const [REQUEST, STEP] = ['mcpr_', 'step_'];
const NUMBER_CHARACTERS = stepIdOf('run_', 0).length - STEP.length;

/** The calls that a waiting run asks its caller to approve. */
export const approvalItemsOf = (run: RunRow): ApprovalItem[] =>
  openActionsOf(run).flatMap(({ type, step_id: id, name, arguments: args }) =>
    type === 'tool_approval'
      ? [
          {
            type: 'mcp_approval_request',
            id: REQUEST + String(id).slice(STEP.length),
            name: String(name),
            arguments: JSON.stringify(args),
            server_label: run.agent,
          },
        ]
      : [],
  );

type Approval = ResponseItem & { type: 'mcp_approval_response' };

/** The run that a request continues: its input ends with approvals, and texts that answer its questions. Throws 400 for any other. */
export async function approvedRun(
  ctx: Context,
  services: Services,
  { model, input }: { model: string; input: string | ResponseItem[] },
): Promise<{ before: RunRow; run: RunRow } | undefined> {
  if (typeof input === 'string') return undefined;
  const from = input.findLastIndex((item) => item.type !== 'mcp_approval_response' && !isSaid(item)) + 1;
  const last = input.slice(from);
  const approvals = last.filter((item): item is Approval => item.type === 'mcp_approval_response');
  if (approvals.length === 0) return undefined;
  const place = `input[${from + last.indexOf(approvals[0]!)}].approval_request_id`;
  const [runId, ...others] = new Set(approvals.map(({ approval_request_id: id }) => runIdIn(id)));
  const before =
    runId === undefined || others.length > 0 ? undefined : await findRun(seenBy(services.db, ctx.state.key), runId);
  if (!before || before.agent !== model)
    throw invalidValue(place, `Invalid '${place}': no run of ${model} asked for it.`);
  const answers = [...approvals.map(answerOf), ...saidTo(before, last)];
  return { before, run: await giveAnswers(ctx, services, { runId: before.id, answers }) };
}

const isSaid = (item: ResponseItem): item is ResponseMessage =>
  (item.type === undefined || item.type === 'message') && item.role === 'user';

const runIdIn = (id: string) => `run_${id.slice(REQUEST.length, -NUMBER_CHARACTERS)}`;

function answerOf({ approval_request_id: id, approve, reason }: Approval): ActionAnswer {
  const named = { type: 'tool_approval' as const, step_id: STEP + id.slice(REQUEST.length) };
  if (approve) return { ...named, decision: 'approve' };
  return { ...named, decision: 'refuse', ...(reason && { reason }) };
}

/** A text beside the approvals answers the question that was asked with them. */
function saidTo(run: RunRow, items: ResponseItem[]): ActionAnswer[] {
  const question = openActionsOf(run).find(({ type }) => type === 'text' || type === 'form');
  const texts = items
    .filter(isSaid)
    .map(textOf)
    .filter((text) => text !== '');
  return question && texts.length > 0 ? [answerOfText(question, texts.join('\n'))] : [];
}

function textOf({ content }: ResponseMessage): string {
  if (typeof content === 'string') return content;
  return content.flatMap((part) => ('text' in part ? [part.text] : [])).join('\n');
}
