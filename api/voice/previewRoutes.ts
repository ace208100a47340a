import { get, type Route } from '../http/router.ts';
import type { Services } from '../services.ts';
import { previewVoice } from './preview.ts';
import { previewDoc } from './voiceDocs.ts';

/** What players read without a key: its address is the `preview_url` of a preset. */
export const previewRoutes = (services: Services): Route[] => [
  get('/voiceapi/v1/voices/:voice_id/preview', [], previewVoice(services), previewDoc),
];
