import {
  AV_LOG_QUIET,
  AVERROR_EAGAIN,
  AVERROR_EOF,
  AVFMT_FLAG_CUSTOM_IO,
  AVMEDIA_TYPE_AUDIO,
  AVSEEK_CUR,
  AVSEEK_END,
  AVSEEK_SIZE,
} from 'node-av/constants';
import { Codec, CodecContext, Dictionary, FormatContext, Frame, IOContext, Log, Packet } from 'node-av/lib';
import type { Stream } from 'node-av/lib';
import { AudioError } from './audioError.ts';
import { Resampler } from './filterChain.ts';

// Containers of audio, and of video with audio. Playlists and scripts are excluded: they would open the files that they name.
const CONTAINERS =
  'aac,ac3,aiff,amr,amrnb,amrwb,asf,au,avi,caf,eac3,flac,flv,matroska,webm,mov,mp4,m4a,3gp,3g2,mj2,mp3,mpeg,mpegts,ogg,w64,wav';
const IO_BYTES = 32_768;
const PROBE_BYTES = 5_000_000;
// Removes steady noise (fans, hum, hiss) and frequencies below any voice.
const NOISE_FILTERS = ['highpass=f=70', 'afftdn=nr=24:nf=-25'];

const WAV_SIGNATURES = ['RIFF', 'RIFX', 'RF64'];
const WAV_HEADER_BYTES = 12;
const CHUNK_HEADER_BYTES = 8;
const CHUNKS_MAX = 10_000;

/**
 * Decodes a file in memory to 16-bit mono samples at 16 kHz; damaged parts are skipped. Files may be hostile: run it in a process whose
 * crash, hang or memory use affects no other call.
 * @throws AudioError `not_audio` or `damaged`.
 */
export async function* decode(file: Buffer, { removeNoise }: { removeNoise: boolean }): AsyncGenerator<Int16Array> {
  Log.setLevel(AV_LOG_QUIET);
  refuseManyChunks(file);
  const container = await openContainer(file);
  const index = container.findBestStream(AVMEDIA_TYPE_AUDIO);
  if (index < 0) throw new AudioError('not_audio', 'The file holds no sound.');
  const decoder = openDecoder(container.streams[index]!);
  const chain = new Resampler(removeNoise ? NOISE_FILTERS : []);
  let hasSamples = false;
  for await (const frame of framesOf(container, index, decoder)) {
    hasSamples = true;
    yield* chain.push(frame);
  }
  if (!hasSamples) throw new AudioError('empty', 'The file holds no sound that could be read.');
  yield* chain.end();
}

/** FFmpeg takes up to 20 µs per chunk of a WAV file, so 40 MB of empty chunks took more than a minute. Recorders write only a few. */
function refuseManyChunks(file: Buffer): void {
  const signature = file.toString('latin1', 0, 4);
  if (!WAV_SIGNATURES.includes(signature)) return;
  let chunks = 0;
  for (let at = WAV_HEADER_BYTES; at + CHUNK_HEADER_BYTES <= file.length;) {
    if ((chunks += 1) > CHUNKS_MAX)
      throw new AudioError('damaged', `The WAV file has more than ${CHUNKS_MAX} chunks. Write the file again.`);
    const size = signature === 'RIFX' ? file.readUInt32BE(at + 4) : file.readUInt32LE(at + 4);
    at += CHUNK_HEADER_BYTES + size + (size & 1);
  }
}

async function openContainer(file: Buffer): Promise<FormatContext> {
  const container = new FormatContext();
  container.allocContext();
  container.pb = memoryOf(file);
  container.setFlags(AVFMT_FLAG_CUSTOM_IO);
  const options = Dictionary.fromObject({
    format_whitelist: CONTAINERS,
    protocol_whitelist: 'none',
    probesize: PROBE_BYTES,
  });
  const isOpen = (await container.openInput('', null, options)) >= 0;
  if (!isOpen) throw new AudioError('not_audio', 'The file is of no type of sound that is known here.');
  if ((await container.findStreamInfo(null)) < 0) throw new AudioError('damaged', 'The file’s content makes no sense.');
  return container;
}

function memoryOf(file: Buffer): IOContext {
  const io = new IOContext();
  let position = 0;
  io.allocContextWithCallbacks(
    IO_BYTES,
    0,
    (size) => {
      if (position >= file.length) return AVERROR_EOF;
      const bytes = file.subarray(position, position + size);
      position += bytes.length;
      return bytes;
    },
    null,
    (offset, whence) => {
      if (whence === AVSEEK_SIZE) return BigInt(file.length);
      const from = whence === AVSEEK_CUR ? position : whence === AVSEEK_END ? file.length : 0;
      position = Math.max(0, from + Number(offset));
      return BigInt(position);
    },
  );
  return io;
}

function openDecoder(stream: Stream): CodecContext {
  const codec = Codec.findDecoder(stream.codecpar.codecId);
  if (!codec) throw new AudioError('not_audio', 'The file’s sound is of a kind that is not known here.');
  const decoder = new CodecContext();
  decoder.allocContext3(codec);
  decoder.threadCount = 1;
  decoder.parametersToContext(stream.codecpar);
  if (decoder.open2Sync(codec, null) < 0) throw new AudioError('damaged', 'The file’s sound could not be opened.');
  return decoder;
}

/** Decoded frames (synchronous: the process has no other work), each valid until the next one is requested. */
async function* framesOf(container: FormatContext, index: number, decoder: CodecContext): AsyncGenerator<Frame> {
  const packet = new Packet();
  packet.alloc();
  const frame = new Frame();
  frame.alloc();
  for (;;) {
    const status = await container.readFrame(packet);
    if (status === AVERROR_EAGAIN) continue;
    if (status < 0) break;
    // Skips a packet that cannot be decoded, as players do.
    if (packet.streamIndex === index) decoder.sendPacketSync(packet);
    packet.unref();
    yield* received(decoder, frame);
  }
  decoder.sendPacketSync(null);
  yield* received(decoder, frame);
}

function* received(decoder: CodecContext, frame: Frame): Generator<Frame> {
  while (decoder.receiveFrameSync(frame) >= 0) {
    if (frame.nbSamples > 0 && frame.sampleRate > 0) yield frame;
    frame.unref();
  }
}
