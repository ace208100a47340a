import { fileDocs, uploadDocs } from './fileDocs.ts';
import { type Keyed, scope } from '../guard/key.ts';
import { textBody } from '../body/body.ts';
import { query } from '../body/parseWith.ts';
import { idempotent } from '../guard/idempotency.ts';
import { textQuery } from '../body/textQuery.ts';
import { get, post, remove, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { retrieveFileContent } from './fileContent.ts';
import { agentFiles, openAiFiles } from './presentFile.ts';
import { createFile, deleteFile, listFiles, retrieveFile } from './files.ts';
import { FileListQuery } from './fileSchema.ts';
import { addPart, cancelUpload, completeUpload, createUpload, parseComplete, parseUpload } from './partedUploads.ts';
import { FILE_SCOPES } from '../../calls/purposeScope.ts';

/**
 * Files, at OpenAI's address and at the agents' address. A file's purpose decides which scope a key needs. An upload counts against the
 * limits before its body is read.
 */
export function fileRoutes(services: Services, keyed: Keyed): Route[] {
  return [...filesAt('/textapi/v1', services, keyed), ...filesAt('/v1', services, keyed)];
}

function filesAt(prefix: '/textapi/v1' | '/v1', services: Services, keyed: Keyed): Route[] {
  const isOpenAi = prefix === '/textapi/v1';
  const family = isOpenAi ? openAiFiles : agentFiles;
  const about = fileDocs(isOpenAi);
  const free = keyed(scope(...FILE_SCOPES));
  const list = keyed(scope(...FILE_SCOPES), (isOpenAi ? textQuery : query)(FileListQuery));
  return [
    post(`${prefix}/files`, free, createFile(services, family), about.create),
    get(`${prefix}/files`, list, listFiles(services, family), about.list),
    get(`${prefix}/files/:file_id`, free, retrieveFile(services, family), about.retrieve),
    get(`${prefix}/files/:file_id/content`, free, retrieveFileContent(services), about.content),
    remove(`${prefix}/files/:file_id`, free, deleteFile(services), about.remove),
    post(
      `${prefix}/uploads`,
      [...keyed(scope(...FILE_SCOPES), textBody(parseUpload)), idempotent(services.db, 'upload')],
      createUpload(services),
      uploadDocs.create,
    ),
    post(`${prefix}/uploads/:upload_id/parts`, free, addPart(services), uploadDocs.addPart),
    post(
      `${prefix}/uploads/:upload_id/complete`,
      [...keyed(scope(...FILE_SCOPES), textBody(parseComplete)), idempotent(services.db, 'upload')],
      completeUpload(services),
      uploadDocs.complete,
    ),
    post(`${prefix}/uploads/:upload_id/cancel`, free, cancelUpload(services), uploadDocs.cancel),
  ];
}
