"""Writes down what is said in windows of sound, with a Whisper model in CTranslate2's format.

Reads requests from standard input: one JSON object a line, {"samples": n, "seconds": s}, and behind it n 16-bit mono samples at 16 kHz,
which the model sees as a window of s seconds. Answers each with one JSON object a line: {"words": [[text, start, end, confidence, tokens], ...],
"logprob": x, "noSpeech": p}. Times are seconds from the beginning of the window. First it prints {"ready": true}.
The only argument is the folder of the model.
"""

import json
import sys
import zlib
from pathlib import Path

import ctranslate2
import numpy as np

RATE = 16000
HOP = 160
FFT = 400
MELS = 80
END = 50256
# What follows the start in a model of one language: text without times. The times of words come from the attention.
PROMPT = [50257, 50362]
# Above this many bytes of text to one of its compression, the model repeats itself.
REPETITION_MAX = 2.4


def main():
    folder = Path(sys.argv[1])
    model = ctranslate2.models.Whisper(str(folder), compute_type="int8", intra_threads=1, inter_threads=1)
    vocabulary = (folder / "vocabulary.txt").read_text(encoding="utf-8").split("\n")
    filters, window = mel_filters(), np.hanning(FFT + 1)[:-1]
    say({"ready": True})
    for line in iter(sys.stdin.buffer.readline, b""):
        request = json.loads(line)
        samples = np.frombuffer(sys.stdin.buffer.read(2 * request["samples"]), np.int16).astype(np.float32) / 32768
        features = log_mel(samples, request["seconds"], filters, window)
        say(recognise(model, vocabulary, features, len(samples) / RATE, request["seconds"]))


def recognise(model, vocabulary, features, seconds, window_seconds):
    """The words of one window. A text that goes in circles is decoded again without repetitions."""
    encoded = model.encode(ctranslate2.StorageView.from_array(features[np.newaxis]))
    # A window that is shorter than those of the model's training makes it repeat itself.
    heard = decode(model, encoded, seconds, 4 if window_seconds < 30 else 0)
    if repetition(text_of(vocabulary, heard.sequences_ids[0])) > REPETITION_MAX:
        heard = decode(model, encoded, seconds, 3)
    tokens = [token for token in heard.sequences_ids[0] if token < END]
    answer = {"logprob": heard.scores[0], "noSpeech": heard.no_speech_prob, "words": []}
    if tokens:
        frames = min(int(seconds * RATE / HOP), features.shape[1])
        aligned = model.align(encoded, PROMPT[:1], [tokens], [frames], median_filter_width=7)[0]
        answer["words"] = words_of(vocabulary, tokens, aligned, seconds)
    return answer


def decode(model, encoded, seconds, ngram):
    return model.generate(
        encoded,
        [PROMPT],
        beam_size=5 if ngram == 0 else 1,
        max_length=min(448, 16 + int(6 * seconds) if ngram else 224),
        no_repeat_ngram_size=ngram,
        return_scores=True,
        return_no_speech_prob=True,
    )[0]


def repetition(text):
    data = text.encode()
    return len(data) / max(1, len(zlib.compress(data)))


def words_of(vocabulary, tokens, aligned, seconds):
    """Tokens joined to words, each with the time of its first and last letter: a pause belongs to the stop before it, so to none."""
    starts = {}
    ends = {}
    for token, frame in aligned.alignments:
        starts.setdefault(token, frame * 2 * HOP / RATE)
        ends[token] = (frame + 1) * 2 * HOP / RATE
    words = []
    for at, token in enumerate(tokens):
        piece = vocabulary[token]
        start = min(seconds, starts.get(at, words[-1][2] if words else 0))
        end = min(seconds, max(start, ends.get(at, start)))
        probability = aligned.text_token_probs[at]
        if piece.startswith("\u0120") or not words:
            if words:
                words[-1][2] = min(words[-1][2], max(start, words[-1][1] + 0.02))
                start = max(start, words[-1][2])
            words.append([[token], start, max(start, end), [probability]])
        else:
            words[-1][0].append(token)
            words[-1][3].append(probability)
            if any(character.isalnum() for character in text_of(vocabulary, [token])):
                words[-1][2] = max(end, words[-1][2])
    return [
        [text_of(vocabulary, ids).strip(), round(start, 2), round(end, 2), round(min(1, float(np.mean(sure))), 4), ids]
        for ids, start, end, sure in words
    ]


def text_of(vocabulary, tokens):
    """Tokens are written with one printable character for each byte."""
    written = "".join(vocabulary[token] for token in tokens if token < END)
    return bytes(BYTES[character] for character in written).decode("utf-8", "replace")


def byte_alphabet():
    plain = [*range(33, 127), *range(161, 173), *range(174, 256)]
    others = [byte for byte in range(256) if byte not in plain]
    return {**{chr(byte): byte for byte in plain}, **{chr(256 + at): byte for at, byte in enumerate(others)}}


BYTES = byte_alphabet()


def log_mel(samples, seconds, filters, window):
    """The spectrum that the model was trained on: logarithms of 80 mel bands, 100 times a second."""
    padded = np.zeros(int(seconds * RATE), np.float32)
    padded[: len(samples)] = samples[: len(padded)]
    padded = np.pad(padded, FFT // 2, mode="reflect")
    frames = np.lib.stride_tricks.sliding_window_view(padded, FFT)[::HOP][:-1]
    power = np.abs(np.fft.rfft(frames * window)) ** 2
    logs = np.log10(np.maximum(filters @ power.T.astype(np.float32), 1e-10))
    return np.ascontiguousarray((np.maximum(logs, logs.max() - 8) + 4) / 4, dtype=np.float32)


def mel_filters():
    """Triangles of equal area, evenly spaced on Slaney's scale: linear below 1 kHz, logarithmic above."""
    step = np.log(6.4) / 27
    top = 15 + np.log(RATE / 2 / 1000) / step
    mels = np.linspace(0, top, MELS + 2)
    edges = np.where(mels < 15, mels * 200 / 3, 1000 * np.exp(step * (mels - 15)))
    frequencies = np.fft.rfftfreq(FFT, 1 / RATE)
    rising = (frequencies - edges[:-2, None]) / (edges[1:-1] - edges[:-2])[:, None]
    falling = (edges[2:, None] - frequencies) / (edges[2:] - edges[1:-1])[:, None]
    return (np.maximum(0, np.minimum(rising, falling)) * (2 / (edges[2:] - edges[:-2]))[:, None]).astype(np.float32)


def say(message):
    print(json.dumps(message), flush=True)


main()
