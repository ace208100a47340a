"""Transcribes windows of sound, with a Whisper model in CTranslate2's format.

Reads requests from standard input: one JSON object a line, {"samples": n, "seconds": s, "prompt": text}, followed by n 16-bit mono samples
at 16 kHz, which the model sees as a window of s seconds. The prompt may be omitted. Answers each with one JSON object a line:
{"words": [[text, start, end, confidence, tokens], ...], "logprob": x, "noSpeech": p}. Times are seconds from the beginning of the window.
First it prints {"ready": true}.
The only argument is the folder of the model.
"""

import json
import re
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
# The tokens after the start in a model of one language: text without times. The times of words come from the attention.
START = [50257, 50362]
# Before the start: the preceding text, or a caller's prompt. The model takes so many of its last tokens.
BEFORE = 50360
BEFORE_TOKENS_MAX = 223
TOKENS_MAX = 448
# Above this compression ratio, the text repeats itself.
REPETITION_MAX = 2.4
# Nobody says a word in less.
HASTY_SECONDS = 0.06
# Shorter than the windows of the model's training.
SHORT_SECONDS = 10
PAUSE_SECONDS = 0.2
PIECES_MAX = 24
LEVEL_FRAME = RATE // 50
# Quieter than this share of the loud parts is a pause.
QUIET_SHARE = 0.1


def main():
    folder = Path(sys.argv[1])
    ears = Ears(folder)
    say({"ready": True})
    for line in iter(sys.stdin.buffer.readline, b""):
        request = json.loads(line)
        samples = np.frombuffer(sys.stdin.buffer.read(2 * request["samples"]), np.int16).astype(np.float32) / 32768
        say(ears.recognise(samples, request["seconds"], request.get("prompt", "")))


class Ears:
    def __init__(self, folder):
        self.model = ctranslate2.models.Whisper(str(folder), compute_type="int8", intra_threads=1, inter_threads=1)
        self.vocabulary = (folder / "vocabulary.txt").read_text(encoding="utf-8").split("\n")
        self.filters = mel_filters()
        self.window = np.hanning(FFT + 1)[:-1]
        self.ranks = None

    def recognise(self, samples, seconds, prompt):
        """The words of one window. The model miscounts repeated words: then each piece between pauses is decoded alone,
        without the prompt, which may have misled it."""
        before = self.before(prompt)
        heard = self.hear(samples, seconds, before, 0)
        if not (repeats(heard) or is_sparse(heard, samples)):
            return heard
        pieces = pieces_of(samples)
        if len(pieces) > 1:
            return joined([(at, self.hear(piece, short(piece, seconds), [], 4)) for at, piece in pieces])
        return self.hear(samples, seconds, [], 3) if repeats(heard) else heard

    def hear(self, samples, window_seconds, before, ngram):
        seconds = len(samples) / RATE
        features = log_mel(samples, window_seconds, self.filters, self.window)
        encoded = self.model.encode(ctranslate2.StorageView.from_array(features[np.newaxis]))
        tokens_max = min(TOKENS_MAX // 2, 16 + int(6 * seconds))
        found = self.model.generate(
            encoded,
            [before + START],
            beam_size=5 if window_seconds > SHORT_SECONDS else 1,
            # The library gives half of it to the answer, or what the prompt leaves.
            max_length=min(TOKENS_MAX, max(2 * tokens_max, tokens_max + len(before) + len(START))),
            no_repeat_ngram_size=ngram,
            return_scores=True,
            return_no_speech_prob=True,
        )[0]
        tokens = [token for token in found.sequences_ids[0] if token < END]
        answer = {"logprob": found.scores[0], "noSpeech": found.no_speech_prob, "words": []}
        if tokens:
            frames = min(int(seconds * RATE / HOP), features.shape[1])
            aligned = self.model.align(encoded, START[:1], [tokens], [frames], median_filter_width=7)[0]
            answer["words"] = words_of(self.vocabulary, tokens, aligned, seconds)
        return answer

    def before(self, prompt):
        """A prompt as tokens: pairs of the lowest rank are joined first."""
        if not prompt.strip():
            return []
        self.ranks = self.ranks or {token: at for at, token in enumerate(self.vocabulary[:END])}
        tokens = []
        for word in WORDS.findall(" " + prompt.strip()):
            parts = [CHARACTERS[byte] for byte in word.encode()]
            while True:
                pairs = [(self.ranks.get(one + next, END), at) for at, (one, next) in enumerate(zip(parts, parts[1:]))]
                rank, at = min(pairs, default=(END, 0))
                if rank == END:
                    break
                parts[at : at + 2] = [parts[at] + parts[at + 1]]
            tokens += [self.ranks[part] for part in parts]
        return [BEFORE, *tokens[-BEFORE_TOKENS_MAX:]]


WORDS = re.compile(r"'(?:s|t|re|ve|m|ll|d)| ?[^\W\d_]+| ?\d+| ?(?:[^\s\w]|_)+|\s+(?!\S)|\s+")


def repeats(heard):
    """Whether a text repeats itself, or has more words than the sound has time for."""
    data = " ".join(word[0] for word in heard["words"]).encode()
    hasty = [end - start < HASTY_SECONDS for _, start, end, _, _ in heard["words"]]
    plain = [word[0].strip(" .,!?").lower() for word in heard["words"]]
    echoes = any(is_hasty and word == last for is_hasty, last, word in zip(hasty[1:], plain, plain[1:]))
    is_repetitive = len(data) / max(1, len(zlib.compress(data))) > REPETITION_MAX
    return is_repetitive or echoes or sum(hasty) > max(2, len(hasty) / 6)


def is_sparse(heard, samples):
    """Whether most of the speech is missing."""
    loud = np.count_nonzero(~quiet_frames(samples)) * LEVEL_FRAME / RATE
    return loud > 5 and len(heard["words"]) < loud / 2


def quiet_frames(samples):
    frames = samples[: len(samples) // LEVEL_FRAME * LEVEL_FRAME].reshape(-1, LEVEL_FRAME)
    levels = np.sqrt((frames**2).mean(axis=1))
    return levels < QUIET_SHARE * np.percentile(levels, 90) if len(levels) else np.zeros(0, bool)


def pieces_of(samples):
    """The sound cut in the middle of its longest pauses, with the position of each piece in seconds."""
    quiet = quiet_frames(samples)
    edges = np.flatnonzero(np.diff(np.concatenate([[False], quiet, [False]]).astype(np.int8)))
    pauses = [
        (end - start, (start + end) // 2 * LEVEL_FRAME)
        for start, end in edges.reshape(-1, 2)
        if start > 0 and end < len(quiet) and (end - start) * LEVEL_FRAME >= PAUSE_SECONDS * RATE
    ]
    cuts = sorted(at for _, at in sorted(pauses, reverse=True)[: PIECES_MAX - 1])
    return [(start / RATE, samples[start:end]) for start, end in zip([0, *cuts], [*cuts, len(samples)])]


def short(piece, seconds):
    return SHORT_SECONDS if len(piece) <= SHORT_SECONDS * RATE else seconds


def joined(heard):
    """The answers of pieces as one. Noise in a piece is judged here, since the others are speech."""
    spoken = [(at, one) for at, one in heard if one["words"] and not (one["noSpeech"] > 0.6 and one["logprob"] < -0.5)]
    words = [
        [text, round(start + at, 2), round(end + at, 2), sure, ids]
        for at, one in spoken
        for text, start, end, sure, ids in one["words"]
    ]
    answers = [one for _, one in spoken] or [one for _, one in heard]
    return {
        "logprob": float(np.mean([one["logprob"] for one in answers])),
        "noSpeech": min(one["noSpeech"] for one in answers),
        "words": words,
    }


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
CHARACTERS = {byte: character for character, byte in BYTES.items()}


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
