interface Part {
  text?: string;
  transcript?: string | null;
}

/** An item of the conversation as the service sends it. */
export interface RealtimeItem {
  id: string;
  type: 'message' | 'function_call' | 'function_call_output';
  role?: 'user' | 'assistant' | 'system';
  content?: Part[];
  name?: string;
  call_id?: string;
  arguments?: string;
  output?: string;
}

/** A response, complete or partial. */
export interface RealtimeResponse {
  id: string;
  status: string;
  status_details: { error?: { message: string } } | null;
  output: RealtimeItem[];
  usage: { cost?: number } | null;
}

/** The session events that the page reads. */
export type RealtimeEvent =
  | { type: 'session.created'; session: { id: string } }
  | { type: 'input_audio_buffer.speech_started' | 'input_audio_buffer.speech_stopped' }
  | { type: 'conversation.item.added' | 'conversation.item.done' | 'conversation.item.retrieved'; item: RealtimeItem }
  | { type: 'conversation.item.truncated'; item_id: string; audio_end_ms: number }
  | { type: 'conversation.item.input_audio_transcription.delta'; item_id: string; delta: string }
  | { type: 'conversation.item.input_audio_transcription.completed'; item_id: string; transcript: string }
  | { type: 'conversation.item.input_audio_transcription.failed'; item_id: string; error: { message: string } }
  | { type: 'response.created' | 'response.done'; response: RealtimeResponse }
  | {
      type: 'response.output_audio_transcript.delta' | 'response.output_text.delta' | 'response.output_audio.delta';
      response_id: string;
      item_id: string;
      delta: string;
    }
  | { type: 'error'; error: { code: string; message: string } };
