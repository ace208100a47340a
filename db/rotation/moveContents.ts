import type { ContentBox } from '../contents/contentBox.ts';
import { openContent, sealContent } from '../contents/contents.ts';
import type { OnLeft } from '../sealing/sealingKeys.ts';
import type { RowsOfAll } from '../postgres/rows.ts';

const PORTION_ROWS = 100;

/**
 * Seals the contents of calls again that are not under `keyId`, the first key of the box, in portions. Ended in the middle, it goes on with
 * the rest. Those that no key opens stay as they are, and are told of.
 */
export async function moveContents(
  { everywhere }: Pick<RowsOfAll, 'everywhere'>,
  { box, keyId }: { box: ContentBox; keyId: string },
  onLeft: OnLeft,
): Promise<void> {
  for (let after = ''; ;) {
    const rows = await everywhere.statement(({ client }) =>
      client.query<Row>({ name: 'contents_to_move', text: DUE, values: [after, keyId] }),
    );
    for (const { requestId, workspaceId, sealed } of rows.rows) {
      after = requestId;
      const text = await openContent(box, workspaceId, requestId, sealed).catch((error: Error) =>
        onLeft(`the content of ${requestId} of the workspace ${workspaceId}: ${error.message}`),
      );
      if (text === undefined) continue;
      const again = await sealContent(box, workspaceId, requestId, text);
      await everywhere.statement(({ client }) => client.query(MOVE, [requestId, sealed, again]));
    }
    if (rows.rows.length < PORTION_ROWS) return;
  }
}

interface Row {
  requestId: string;
  workspaceId: string;
  sealed: Buffer;
}

const DUE = `
select request_id as "requestId", workspace_id as "workspaceId", sealed from request_contents
where request_id > $1 and expires_at > now() and substr(sealed, 1, 8) <> convert_to($2, 'LATIN1')
order by request_id limit ${PORTION_ROWS}`;
// A content that was deleted meanwhile stays so.
const MOVE = 'update request_contents set sealed = $3 where request_id = $1 and sealed = $2';
