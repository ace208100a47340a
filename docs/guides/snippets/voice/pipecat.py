import asyncio
import os

from pipecat.frames.frames import EndFrame, LLMRunFrame, TTSStoppedFrame, TTSTextFrame
from pipecat.pipeline.pipeline import Pipeline
from pipecat.pipeline.worker import PipelineWorker
from pipecat.processors.aggregators.llm_context import LLMContext
from pipecat.processors.aggregators.llm_response_universal import LLMContextAggregatorPair
from pipecat.processors.frame_processor import FrameProcessor
from pipecat.services.elevenlabs.tts import ElevenLabsTTSService
from pipecat.services.openai.llm import OpenAILLMService
from pipecat.workers.runner import WorkerRunner

base, key = os.environ["BASE_URL"], os.environ["API_KEY"]
llm = OpenAILLMService(base_url=base + "/v1", api_key=key, settings=OpenAILLMService.Settings(model="MODEL_ID"))
tts = ElevenLabsTTSService(
    url=base.replace("http", "ws", 1) + "/voiceapi",
    api_key=key,
    settings=ElevenLabsTTSService.Settings(voice="alloy"),
)


class Listener(FrameProcessor):
    """Stands for the output of a transport: prints each word when it is spoken."""

    async def process_frame(self, frame, direction):
        await super().process_frame(frame, direction)
        if isinstance(frame, TTSTextFrame):
            print(frame.text)
        if isinstance(frame, TTSStoppedFrame):
            await worker.queue_frame(EndFrame())
        await self.push_frame(frame, direction)


context = LLMContextAggregatorPair(LLMContext([{"role": "user", "content": "How are you?"}]))
worker = PipelineWorker(Pipeline([context.user(), llm, tts, Listener(), context.assistant()]))


async def main():
    runner = WorkerRunner(handle_sigint=False)
    await runner.add_workers(worker)
    await worker.queue_frame(LLMRunFrame())
    await runner.run()


asyncio.run(main())
