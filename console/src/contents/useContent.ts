import type { components } from '../api/openapi.d.ts';
import { api } from '../api/client.ts';
import { useAnswer } from '../api/hooks.ts';

export type Content = components['schemas']['RequestContent'];

/** What a request was asked and answered. Read once, because each reading is in the audit. */
export const useContent = (id: string, isKept = true) =>
  useAnswer<Content>(
    ['contents', id],
    (signal) => api.GET('/platform/v1/requests/{request_id}/content', { params: { path: { request_id: id } }, signal }),
    { enabled: isKept, staleTime: Infinity, refetchOnWindowFocus: false, refetchOnReconnect: false, retry: false },
  );
