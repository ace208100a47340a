"""Reads 16-bit mono samples at 16 kHz from standard input, and prints the words in them: one JSON object a line.

First {"ready": true}; then for each stretch of speech {"start": s, "end": s, "words": [[text, start, end, confidence], ...]}; at the
end {"seconds": s}. Times are seconds from the beginning. Confidence is the posterior of the recogniser's word lattice, from 0 to 1.
"""

import json
import sys

from pocketsphinx import Decoder, Endpointer

RATE = 16000
FRAMES_PER_SECOND = 100
# Longer stretches without a pause are cut: the recogniser's memory and delay grow with their length.
STRETCH_SECONDS_MAX = 20


def main():
    decoder = Decoder(samprate=RATE, loglevel="FATAL", bestpath=True)
    say({"ready": True})
    endpointer = Endpointer(sample_rate=RATE)
    size = endpointer.frame_bytes
    stretch, start, total, goes_on = [], 0.0, 0, False
    while True:
        frame = sys.stdin.buffer.read(size)
        total += len(frame)
        is_last = len(frame) < size
        if is_last:
            heard = endpointer.end_stream(frame[: len(frame) & ~1]) if frame else None
        else:
            heard = endpointer.process(frame)
        if heard is not None:
            # After a cut, speech_start is still the start of the whole speech: the next stretch starts at the end of the last one.
            if not stretch and not goes_on:
                start = endpointer.speech_start
            stretch.append(heard)
        is_over = stretch and (is_last or not endpointer.in_speech)
        if is_over or len(stretch) * endpointer.frame_length > STRETCH_SECONDS_MAX:
            recognise(decoder, b"".join(stretch), start)
            start += sum(map(len, stretch)) / 2 / RATE
            stretch, goes_on = [], not is_over
        if is_last:
            break
    say({"seconds": total / 2 / RATE})


def recognise(decoder, samples, start):
    decoder.start_utt()
    decoder.process_raw(samples, full_utt=True)
    decoder.end_utt()
    words = [
        [
            item.word.split("(")[0],
            round(start + item.start_frame / FRAMES_PER_SECOND, 2),
            round(start + (item.end_frame + 1) / FRAMES_PER_SECOND, 2),
            # It adds up rounded logarithms: a certain word can reach 1.0004.
            min(1, round(item.prob, 4)),
        ]
        for item in decoder.seg() or []
        if not item.word.startswith(("<", "[", "+"))
    ]
    say({"start": start, "end": start + len(samples) / 2 / RATE, "words": words})


def say(message):
    print(json.dumps(message), flush=True)


main()
