import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { answerOf, api } from '../api/client.ts';
import { ApiFailure } from '../api/failure.ts';
import { checkLines, type Endpoint, type FileCheck, type LineError } from './checkLines.ts';

/** Checks a chosen file before it is sent: its lines here, its models by the service. */
export function useFileCheck(file: File | null) {
  const [share, setShare] = useState(0);
  const check = useQuery({
    queryKey: ['batches', 'check', file && [file.name, file.size, file.lastModified]],
    queryFn: () => checkFile(file!, (bytes) => setShare(bytes / file!.size)),
    enabled: file !== null,
    staleTime: Infinity,
    retry: false,
  });
  return { check: file ? check.data : undefined, error: check.error, isChecking: check.isFetching, share };
}

const MODELS_MAX = 100;

async function checkFile(file: File, tell: (bytesRead: number) => void): Promise<FileCheck> {
  const check = await checkLines(file, tell);
  if (!check.endpoint || check.errors.length > 0) return check;
  const models = [...check.models.keys()].slice(0, MODELS_MAX);
  const faults = await Promise.all(models.map((model) => faultOfModel(model, check.endpoint!)));
  return { ...check, errors: faults.filter((fault) => fault !== undefined) };
}

// The service knows aliases and vendors' prefixes.
async function faultOfModel(id: string, endpoint: Endpoint): Promise<LineError | undefined> {
  const param = 'body.model';
  const kind = endpoint === '/v1/embeddings' ? 'embedding' : 'text';
  try {
    const model = await answerOf(api.GET('/v1/models/{id}', { params: { path: { id } } }));
    if (model.kind === kind) return undefined;
    return { line: null, message: `The model ${id} cannot be called at ${endpoint}.`, param };
  } catch (error) {
    // Only an answer that says so is a fault; the service checks each model again.
    return error instanceof ApiFailure && error.status === 404
      ? { line: null, message: error.message, param }
      : undefined;
  }
}
