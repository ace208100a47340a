import type { ServerResponse } from 'node:http';
import type { ErrorBody } from '../../base/errors/apiError.ts';
import type { Marks, SoundSink } from '../../calls/sound/soundAnswer.ts';
import type { Context } from '../context.ts';
import { setCharge, setPricedHeaders } from '../http/pricedHeaders.ts';
import { keepAlive, writeTo } from '../http/sse.ts';

/** The form of an audio answer over HTTP. */
export interface SoundBody {
  mediaType: string;
  isUsableInPart: boolean;
  /** Keeps a silent response alive, after `begin`. */
  keepAlive?(res: ServerResponse, begin: () => void): () => void;
  write(res: ServerResponse, sound: Buffer, marks: Marks[]): Promise<void> | undefined;
  end(res: ServerResponse, facts: { text: string; characters: number; durationMs: number }): void | Promise<void>;
  fail(res: ServerResponse, error: ErrorBody): void;
}

/** Sends audio as the body of the response. */
export function soundTo(ctx: Context, body: SoundBody): SoundSink {
  const { res } = ctx;
  return {
    isUsableInPart: body.isUsableInPart,
    begin({ characters, historyId, ...priced }) {
      // The response is sent here, not by Koa.
      ctx.respond = false;
      setPricedHeaders(ctx, priced);
      if (characters !== undefined) res.setHeader('character-cost', characters);
      res.setHeader('content-type', body.mediaType);
      if (historyId !== null) res.setHeader('history-item-id', historyId);
    },
    ...(body.keepAlive && { keepAlive: (begin) => body.keepAlive!(res, begin) }),
    write: (sound, marks) => body.write(res, sound, marks),
    end({ chargedNanos, ...facts }) {
      if (ctx.respond !== false) setCharge(res, chargedNanos);
      return body.end(res, facts);
    },
    fail: (error) => body.fail(res, error),
  };
}

/** Audio bytes only. */
export function soundAlone(mediaType: string): SoundBody {
  return {
    mediaType,
    isUsableInPart: true,
    write: (res, sound) => writeTo(res, sound),
    end: (res) => void res.end(),
    // Every client reports an error when a body of unknown length is cut off.
    fail: (res) => void res.destroy(),
  };
}

/** Sends text that no proxy holds back. */
export function writeLive(res: ServerResponse, text: string): Promise<void> | undefined {
  if (!res.headersSent) res.setHeader('x-accel-buffering', 'no');
  return writeTo(res, text);
}

/** Sends a text, which clients skip, while a response is silent. */
export const aliveBy =
  (text: string): NonNullable<SoundBody['keepAlive']> =>
  (res, begin) => {
    const open = () => {
      begin();
      return { write: (silence: string) => writeLive(res, silence) };
    };
    return keepAlive(res, open, text);
  };
