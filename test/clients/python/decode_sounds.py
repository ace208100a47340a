"""Decodes the files of the folder FOLDER with libsndfile; other formats with FFmpeg's program.

Each file is named NAME.CODEC.RATE; the last two are used only for raw samples, which have no header. Prints one JSON object: for each
file's name the decoder's description, the rate, channels, seconds and loudness (the root mean square, with 1 as the loudest sample).
"""

import json
import os
import re
import subprocess
from pathlib import Path

import imageio_ffmpeg
import numpy
import soundfile

RAW = {"pcm": "PCM_16", "ulaw": "ULAW", "alaw": "ALAW"}
BLOCK_FRAMES = 65536


def main():
    print(json.dumps({path.name: decoded(path) for path in Path(os.environ["FOLDER"]).iterdir()}))


def decoded(path):
    _, codec, rate = path.name.split(".")
    if codec == "aac":
        return by_ffmpeg(path)
    if codec in RAW:
        return by_libsndfile(path, samplerate=int(rate), channels=1, format="RAW", subtype=RAW[codec], endian="LITTLE")
    return by_libsndfile(path)


class Stream(soundfile.SoundFile):
    """Reads sequentially: streamed FLAC has no length, which seeking requires."""

    def seekable(self):
        return False


def by_libsndfile(path, **raw):
    with Stream(path, **raw) as file:
        samples = numpy.concatenate(list(until_empty(lambda: file.read(BLOCK_FRAMES))))
        return facts(f"{file.format} {file.subtype}", file.samplerate, file.channels, samples)


def until_empty(read):
    while len(block := read()):
        yield block


def by_ffmpeg(path):
    command = [imageio_ffmpeg.get_ffmpeg_exe(), "-hide_banner", "-i", str(path), "-f", "f32le", "-"]
    run = subprocess.run(command, capture_output=True, check=True, stdin=subprocess.DEVNULL)
    said = re.search(r"Input #0, (\w+),.*?Audio: (.+?), (\d+) Hz, (\w+),", run.stderr.decode(), re.DOTALL)
    container, codec, rate, layout = said.groups()
    return facts(f"{container} {codec}", int(rate), {"mono": 1, "stereo": 2}[layout], numpy.frombuffer(run.stdout, "<f4"))


def facts(kind, rate, channels, samples):
    return {
        "kind": kind,
        "sampleRate": rate,
        "channels": channels,
        "seconds": samples.size / channels / rate,
        "loudness": float(numpy.sqrt(numpy.mean(numpy.square(samples, dtype="f8")))),
    }


main()
