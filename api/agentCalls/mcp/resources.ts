import { isUtf8 } from 'node:buffer';
import {
  ResourceNotFoundError,
  type ListResourceTemplatesResult,
  type ReadResourceResult,
} from '@modelcontextprotocol/server';
import { isStorable } from '../../../base/json.ts';
import { MIB, sizeText } from '../../../base/limits.ts';
import { findFile, readWhole, type StoredFile } from '../../../db/files/files.ts';
import type { Context } from '../../context.ts';
import type { ApiError } from '../../../base/errors/apiError.ts';
import { asApiError } from '../../../calls/errors/asApiError.ts';
import { checkPurpose } from '../../../calls/purposeScope.ts';
import type { Services } from '../../services.ts';

const PREFIX = 'ledgerline://files/';
/** Larger files are read over HTTP: here a file arrives in one message, a third larger as base64. */
const BYTES_MAX = 8 * MIB;

/** The address of a file for MCP clients. */
export const uriOf = (fileId: string): string => PREFIX + fileId;

export const RESOURCE_TEMPLATES: ListResourceTemplatesResult = {
  resourceTemplates: [
    {
      uriTemplate: `${PREFIX}{file_id}`,
      name: 'file',
      title: 'A file of your workspace',
      description: `What an agent has written, or you have uploaded, up to ${sizeText(BYTES_MAX)}.`,
    },
  ],
};

/**
 * `resources/read`: a file of the caller's workspace. Throws the protocol's error for any other address, and for files that are too large.
 */
export async function readResource(ctx: Context, services: Services, uri: string): Promise<ReadResourceResult> {
  const file = await fileOf(ctx, services, uri);
  if (file.sizeBytes > BYTES_MAX) {
    const url = `${services.config.publicUrl}/v1/files/${file.id}/content`;
    throw new ResourceNotFoundError(uri, `The file is larger than ${sizeText(BYTES_MAX)}: read it at ${url}.`);
  }
  const bytes = await readWhole(services.db.read(ctx.state.key.workspaceId), file);
  const content = isText(file, bytes) ? { text: bytes.toString('utf8') } : { blob: bytes.toString('base64') };
  return { contents: [{ uri, mimeType: file.mediaType, ...content }] };
}

async function fileOf(ctx: Context, { db }: Services, uri: string): Promise<StoredFile> {
  const { key, requestId } = ctx.state;
  if (!isStorable(uri)) throw new ResourceNotFoundError(uri, 'There is no such file.');
  try {
    const file = await findFile(db.read(key.workspaceId), uri.startsWith(PREFIX) ? uri.slice(PREFIX.length) : '');
    checkPurpose(key, file.purpose);
    return file;
  } catch (error) {
    const { status, message }: ApiError = asApiError(error, requestId);
    if (status >= 500) throw error;
    throw new ResourceNotFoundError(uri, message);
  }
}

const isText = ({ mediaType }: StoredFile, bytes: Buffer) =>
  /^text\/|^application\/(json|jsonl|xml|yaml)$|\+xml$/.test(mediaType) && isUtf8(bytes);
