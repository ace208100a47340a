# Written by clients/python/generate from the route table.

from __future__ import annotations

from typing import Any, Literal, TypeAlias, TypedDict

from typing_extensions import NotRequired


class ErrorError(TypedDict):
    message: str
    """A sentence for humans."""
    type: Literal['invalid_request_error', 'permission_error', 'billing_error', 'rate_limit_error', 'api_error']
    param: str | None
    """The parameter at fault by its name, for example `messages[0].content` or `diarize`; null for the request as a whole."""
    code: str
    """A stable code for programs, for example `invalid_api_key`."""


class ErrorDetailItem(TypedDict):
    loc: list[str | int]
    msg: str
    type: str


class ErrorDetail(TypedDict):
    """With 422: the first 20 places that do not fit the schema; the message counts the others. Otherwise in the voice family: what ElevenLabs’ clients read."""

    status: str
    message: str


class Error(TypedDict):
    """Every error has this body."""

    error: ErrorError
    detail: NotRequired[list[ErrorDetailItem] | ErrorDetail]
    """With 422: the first 20 places that do not fit the schema; the message counts the others. Otherwise in the voice family: what ElevenLabs’ clients read."""


class ChatCompletionRequestMessagesContent(TypedDict):
    type: Literal['text']
    text: str


class ChatCompletionRequestMessages(TypedDict):
    role: Literal['system']
    content: str | list[ChatCompletionRequestMessagesContent]
    name: NotRequired[str | None]


class ChatCompletionRequestMessages1Content(TypedDict):
    type: Literal['text']
    text: str


class ChatCompletionRequestMessages1(TypedDict):
    role: Literal['developer']
    content: str | list[ChatCompletionRequestMessages1Content]
    name: NotRequired[str | None]


class ChatCompletionRequestMessages2Content(TypedDict):
    type: Literal['text']
    text: str


class ChatCompletionRequestMessages2Content1ImageUrl(TypedDict):
    url: str
    detail: NotRequired[Literal['auto', 'low', 'high', 'original'] | None]


class ChatCompletionRequestMessages2Content1(TypedDict):
    type: Literal['image_url']
    image_url: ChatCompletionRequestMessages2Content1ImageUrl


class ChatCompletionRequestMessages2Content2InputAudio(TypedDict):
    data: str
    format: Literal['wav', 'mp3']


class ChatCompletionRequestMessages2Content2(TypedDict):
    type: Literal['input_audio']
    input_audio: ChatCompletionRequestMessages2Content2InputAudio


class ChatCompletionRequestMessages2Content3File(TypedDict):
    file_id: NotRequired[str | None]
    """Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL."""
    file_data: NotRequired[str | None]
    """The file as a data: URL."""
    filename: NotRequired[str | None]


class ChatCompletionRequestMessages2Content3(TypedDict):
    type: Literal['file']
    file: ChatCompletionRequestMessages2Content3File


class ChatCompletionRequestMessages2(TypedDict):
    role: Literal['user']
    content: str | list[ChatCompletionRequestMessages2Content | ChatCompletionRequestMessages2Content1 | ChatCompletionRequestMessages2Content2 | ChatCompletionRequestMessages2Content3]
    name: NotRequired[str | None]


class ChatCompletionRequestMessages3Content(TypedDict):
    type: Literal['text']
    text: str


class ChatCompletionRequestMessages3Content1(TypedDict):
    type: Literal['refusal']
    refusal: str


class ChatCompletionRequestMessages3ToolCallsFunction(TypedDict):
    name: str
    arguments: str


class ChatCompletionRequestMessages3ToolCalls(TypedDict):
    type: Literal['function']
    id: str
    function: ChatCompletionRequestMessages3ToolCallsFunction


class ChatCompletionRequestMessages3ToolCalls1Custom(TypedDict):
    name: str
    input: str


class ChatCompletionRequestMessages3ToolCalls1(TypedDict):
    type: Literal['custom']
    id: str
    custom: ChatCompletionRequestMessages3ToolCalls1Custom


class ChatCompletionRequestMessages3(TypedDict):
    role: Literal['assistant']
    content: NotRequired[str | list[ChatCompletionRequestMessages3Content | ChatCompletionRequestMessages3Content1] | None]
    name: NotRequired[str | None]
    refusal: NotRequired[str | None]
    audio: NotRequired[None]
    tool_calls: NotRequired[list[ChatCompletionRequestMessages3ToolCalls | ChatCompletionRequestMessages3ToolCalls1] | None]


class ChatCompletionRequestMessages4Content(TypedDict):
    type: Literal['text']
    text: str


class ChatCompletionRequestMessages4(TypedDict):
    role: Literal['tool']
    content: str | list[ChatCompletionRequestMessages4Content]
    tool_call_id: str


class ChatCompletionRequestMessages5(TypedDict):
    role: Literal['function']
    content: str | None
    name: str


class ChatCompletionRequestResponseFormat(TypedDict):
    type: Literal['text']


class ChatCompletionRequestResponseFormat1(TypedDict):
    type: Literal['json_object']


class ChatCompletionRequestResponseFormat2JsonSchema(TypedDict):
    name: str
    description: NotRequired[str | None]
    schema: NotRequired[dict[str, Any] | None]
    strict: NotRequired[bool | None]


class ChatCompletionRequestResponseFormat2(TypedDict):
    type: Literal['json_schema']
    json_schema: ChatCompletionRequestResponseFormat2JsonSchema


class ChatCompletionRequestToolsFunction(TypedDict):
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]
    strict: NotRequired[bool | None]


class ChatCompletionRequestTools(TypedDict):
    type: Literal['function']
    function: ChatCompletionRequestToolsFunction


class ChatCompletionRequestTools1Custom(TypedDict):
    name: str


class ChatCompletionRequestTools1(TypedDict):
    type: Literal['custom']
    custom: ChatCompletionRequestTools1Custom


class ChatCompletionRequestToolChoiceFunction(TypedDict):
    name: str


class ChatCompletionRequestToolChoice(TypedDict):
    type: Literal['function']
    function: ChatCompletionRequestToolChoiceFunction


class ChatCompletionRequestToolChoice1Custom(TypedDict):
    name: str


class ChatCompletionRequestToolChoice1(TypedDict):
    type: Literal['custom']
    custom: ChatCompletionRequestToolChoice1Custom


class ChatCompletionRequestToolChoice2AllowedToolsToolsFunction(TypedDict):
    name: str


class ChatCompletionRequestToolChoice2AllowedToolsTools(TypedDict):
    type: Literal['function']
    function: ChatCompletionRequestToolChoice2AllowedToolsToolsFunction


class ChatCompletionRequestToolChoice2AllowedToolsTools1Custom(TypedDict):
    name: str


class ChatCompletionRequestToolChoice2AllowedToolsTools1(TypedDict):
    type: Literal['custom']
    custom: ChatCompletionRequestToolChoice2AllowedToolsTools1Custom


class ChatCompletionRequestToolChoice2AllowedTools(TypedDict):
    mode: Literal['auto', 'required']
    tools: list[ChatCompletionRequestToolChoice2AllowedToolsTools | ChatCompletionRequestToolChoice2AllowedToolsTools1]


class ChatCompletionRequestToolChoice2(TypedDict):
    type: Literal['allowed_tools']
    allowed_tools: ChatCompletionRequestToolChoice2AllowedTools


class ChatCompletionRequestStreamOptions(TypedDict):
    include_usage: NotRequired[bool | None]
    include_obfuscation: NotRequired[bool | None]
    continuous_usage_stats: NotRequired[Literal[False] | None]
    """Running usage is not supported."""


class ChatCompletionRequest(TypedDict):
    model: str
    """Id or alias of a model, as listed by GET /models."""
    messages: list[ChatCompletionRequestMessages | ChatCompletionRequestMessages1 | ChatCompletionRequestMessages2 | ChatCompletionRequestMessages3 | ChatCompletionRequestMessages4 | ChatCompletionRequestMessages5]
    modalities: NotRequired[tuple[Literal['text']]]
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    n: NotRequired[int]
    seed: NotRequired[float]
    stop: NotRequired[str | list[str]]
    max_tokens: NotRequired[int]
    max_completion_tokens: NotRequired[int]
    presence_penalty: NotRequired[float]
    frequency_penalty: NotRequired[float]
    logit_bias: NotRequired[dict[str, float]]
    logprobs: NotRequired[bool]
    top_logprobs: NotRequired[int]
    response_format: NotRequired[ChatCompletionRequestResponseFormat | ChatCompletionRequestResponseFormat1 | ChatCompletionRequestResponseFormat2]
    tools: NotRequired[list[ChatCompletionRequestTools | ChatCompletionRequestTools1]]
    tool_choice: NotRequired[Literal['none', 'auto', 'required'] | ChatCompletionRequestToolChoice | ChatCompletionRequestToolChoice1 | ChatCompletionRequestToolChoice2]
    parallel_tool_calls: NotRequired[bool]
    reasoning_effort: NotRequired[Literal['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max']]
    verbosity: NotRequired[Literal['low', 'medium', 'high']]
    stream: NotRequired[bool]
    stream_options: NotRequired[ChatCompletionRequestStreamOptions]
    store: NotRequired[bool]
    metadata: NotRequired[dict[str, str]]
    """Key-value pairs of your own."""
    user: NotRequired[str]
    safety_identifier: NotRequired[str]
    prompt_cache_key: NotRequired[str]
    service_tier: NotRequired[str]


class ChatCompletionUsagePromptTokensDetails(TypedDict):
    cached_tokens: int


class ChatCompletionUsageCompletionTokensDetails(TypedDict):
    reasoning_tokens: int


class ChatCompletionUsage(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    """Reasoning tokens included: they are billed as output."""
    total_tokens: int
    prompt_tokens_details: ChatCompletionUsagePromptTokensDetails
    completion_tokens_details: ChatCompletionUsageCompletionTokensDetails
    cost: NotRequired[float]
    """What was charged, in US dollars: the amount in the ledger."""


class ChatCompletionRunFile(TypedDict):
    file_id: str
    filename: str
    media_type: str
    size_bytes: int


class ChatCompletionRun(TypedDict):
    """Only of an agent in the place of a model."""

    id: str
    session_id: str
    files: list[ChatCompletionRunFile]
    """What the agent has made: `GET /v1/files/{file_id}/content`."""


class ChatCompletionChunkUsagePromptTokensDetails(TypedDict):
    cached_tokens: int


class ChatCompletionChunkUsageCompletionTokensDetails(TypedDict):
    reasoning_tokens: int


class ChatCompletionChunkUsage(TypedDict):
    """Only with stream_options.include_usage: null until the last chunk."""

    prompt_tokens: int
    completion_tokens: int
    """Reasoning tokens included: they are billed as output."""
    total_tokens: int
    prompt_tokens_details: ChatCompletionChunkUsagePromptTokensDetails
    completion_tokens_details: ChatCompletionChunkUsageCompletionTokensDetails
    cost: NotRequired[float]
    """What was charged, in US dollars: the amount in the ledger."""


CompletionRequestPromptItem: TypeAlias = int


CompletionRequestPromptItem1CompletionRequestPromptItem1Item: TypeAlias = int


CompletionRequestPromptItem1: TypeAlias = list[CompletionRequestPromptItem1CompletionRequestPromptItem1Item]


class CompletionRequestStreamOptions(TypedDict):
    include_usage: NotRequired[bool | None]
    include_obfuscation: NotRequired[bool | None]
    continuous_usage_stats: NotRequired[Literal[False] | None]
    """Running usage is not supported."""


class CompletionRequest(TypedDict):
    model: str
    """Id or alias of a model, as listed by GET /models."""
    prompt: NotRequired[str | list[str] | list[CompletionRequestPromptItem] | list[CompletionRequestPromptItem1]]
    """A text, texts, token numbers, or lists of token numbers. Several prompts give one choice each, times `n`. Without one the model begins a document."""
    suffix: NotRequired[str]
    max_tokens: NotRequired[int]
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    n: NotRequired[int]
    best_of: NotRequired[int]
    echo: NotRequired[bool]
    logprobs: NotRequired[int]
    stop: NotRequired[str | list[str]]
    seed: NotRequired[float]
    presence_penalty: NotRequired[float]
    frequency_penalty: NotRequired[float]
    logit_bias: NotRequired[dict[str, float]]
    stream: NotRequired[bool]
    stream_options: NotRequired[CompletionRequestStreamOptions]
    user: NotRequired[str]


class CompletionUsagePromptTokensDetails(TypedDict):
    cached_tokens: int


class CompletionUsageCompletionTokensDetails(TypedDict):
    reasoning_tokens: int


class CompletionUsage(TypedDict):
    prompt_tokens: int
    completion_tokens: int
    """Reasoning tokens included: they are billed as output."""
    total_tokens: int
    prompt_tokens_details: CompletionUsagePromptTokensDetails
    completion_tokens_details: CompletionUsageCompletionTokensDetails
    cost: NotRequired[float]
    """What was charged, in US dollars: the amount in the ledger."""


class ResponseRequestInputContentPromptCacheBreakpoint(TypedDict):
    mode: Literal['explicit']
    ttl: NotRequired[Literal['30m', '12h']]


class ResponseRequestInputContent(TypedDict):
    type: Literal['input_text']
    text: str
    prompt_cache_breakpoint: NotRequired[ResponseRequestInputContentPromptCacheBreakpoint | None]


class ResponseRequestInputContent1(TypedDict):
    type: Literal['output_text']
    text: str
    annotations: NotRequired[Any]
    logprobs: NotRequired[Any]
    parsed: NotRequired[Any]
    """Added by clients that parse answers."""


class ResponseRequestInputContent2(TypedDict):
    type: Literal['refusal']
    refusal: str


class ResponseRequestInputContent3PromptCacheBreakpoint(TypedDict):
    mode: Literal['explicit']
    ttl: NotRequired[Literal['30m', '12h']]


class ResponseRequestInputContent3(TypedDict):
    type: Literal['input_image']
    file_id: NotRequired[str | None]
    """Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL."""
    image_url: NotRequired[str | None]
    """An address or a data: URL."""
    detail: NotRequired[Literal['auto', 'low', 'high', 'original'] | None]
    prompt_cache_breakpoint: NotRequired[ResponseRequestInputContent3PromptCacheBreakpoint | None]


class ResponseRequestInputContent4PromptCacheBreakpoint(TypedDict):
    mode: Literal['explicit']
    ttl: NotRequired[Literal['30m', '12h']]


class ResponseRequestInputContent4(TypedDict):
    type: Literal['input_file']
    file_id: NotRequired[str | None]
    """Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL."""
    file_url: NotRequired[None]
    file_data: NotRequired[str | None]
    """The file as a data: URL."""
    filename: NotRequired[str | None]
    detail: NotRequired[Literal['auto'] | None]
    prompt_cache_breakpoint: NotRequired[ResponseRequestInputContent4PromptCacheBreakpoint | None]


class ResponseRequestInput(TypedDict):
    id: NotRequired[Any]
    status: NotRequired[Any]
    created_by: NotRequired[Any]
    type: NotRequired[Literal['message']]
    role: Literal['user', 'assistant', 'system', 'developer']
    content: str | list[ResponseRequestInputContent | ResponseRequestInputContent1 | ResponseRequestInputContent2 | ResponseRequestInputContent3 | ResponseRequestInputContent4]
    phase: NotRequired[Any]


class ResponseRequestInput1Caller(TypedDict):
    type: Literal['direct']


ResponseRequestInput1 = TypedDict(
    'ResponseRequestInput1',
    {
        'id': NotRequired[Any],
        'status': NotRequired[Any],
        'created_by': NotRequired[Any],
        'caller': NotRequired[ResponseRequestInput1Caller | None],
        'namespace': NotRequired[None],
        'type': Literal['function_call'],
        'call_id': str,
        'name': str,
        'arguments': str,
        'async': NotRequired[Literal[False] | None],
        'parsed_arguments': NotRequired[Any],
    },
)


class ResponseRequestInput2Caller(TypedDict):
    type: Literal['direct']


class ResponseRequestInput2OutputPromptCacheBreakpoint(TypedDict):
    mode: Literal['explicit']
    ttl: NotRequired[Literal['30m', '12h']]


class ResponseRequestInput2Output(TypedDict):
    type: Literal['input_text']
    text: str
    prompt_cache_breakpoint: NotRequired[ResponseRequestInput2OutputPromptCacheBreakpoint | None]


class ResponseRequestInput2Output1PromptCacheBreakpoint(TypedDict):
    mode: Literal['explicit']
    ttl: NotRequired[Literal['30m', '12h']]


class ResponseRequestInput2Output1(TypedDict):
    type: Literal['input_image']
    file_id: NotRequired[str | None]
    """Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL."""
    image_url: NotRequired[str | None]
    """An address or a data: URL."""
    detail: NotRequired[Literal['auto', 'low', 'high', 'original'] | None]
    prompt_cache_breakpoint: NotRequired[ResponseRequestInput2Output1PromptCacheBreakpoint | None]


class ResponseRequestInput2Output2PromptCacheBreakpoint(TypedDict):
    mode: Literal['explicit']
    ttl: NotRequired[Literal['30m', '12h']]


class ResponseRequestInput2Output2(TypedDict):
    type: Literal['input_file']
    file_id: NotRequired[str | None]
    """Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL."""
    file_url: NotRequired[None]
    file_data: NotRequired[str | None]
    """The file as a data: URL."""
    filename: NotRequired[str | None]
    detail: NotRequired[Literal['auto'] | None]
    prompt_cache_breakpoint: NotRequired[ResponseRequestInput2Output2PromptCacheBreakpoint | None]


class ResponseRequestInput2(TypedDict):
    id: NotRequired[Any]
    status: NotRequired[Any]
    created_by: NotRequired[Any]
    caller: NotRequired[ResponseRequestInput2Caller | None]
    namespace: NotRequired[None]
    type: Literal['function_call_output']
    call_id: str
    output: str | list[ResponseRequestInput2Output | ResponseRequestInput2Output1 | ResponseRequestInput2Output2]
    name: NotRequired[str | None]


class ResponseRequestInput3Caller(TypedDict):
    type: Literal['direct']


ResponseRequestInput3 = TypedDict(
    'ResponseRequestInput3',
    {
        'id': NotRequired[Any],
        'status': NotRequired[Any],
        'created_by': NotRequired[Any],
        'caller': NotRequired[ResponseRequestInput3Caller | None],
        'namespace': NotRequired[None],
        'type': Literal['custom_tool_call'],
        'call_id': str,
        'name': str,
        'input': str,
        'async': NotRequired[Literal[False] | None],
    },
)


class ResponseRequestInput4Caller(TypedDict):
    type: Literal['direct']


class ResponseRequestInput4OutputPromptCacheBreakpoint(TypedDict):
    mode: Literal['explicit']
    ttl: NotRequired[Literal['30m', '12h']]


class ResponseRequestInput4Output(TypedDict):
    type: Literal['input_text']
    text: str
    prompt_cache_breakpoint: NotRequired[ResponseRequestInput4OutputPromptCacheBreakpoint | None]


class ResponseRequestInput4Output1PromptCacheBreakpoint(TypedDict):
    mode: Literal['explicit']
    ttl: NotRequired[Literal['30m', '12h']]


class ResponseRequestInput4Output1(TypedDict):
    type: Literal['input_image']
    file_id: NotRequired[str | None]
    """Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL."""
    image_url: NotRequired[str | None]
    """An address or a data: URL."""
    detail: NotRequired[Literal['auto', 'low', 'high', 'original'] | None]
    prompt_cache_breakpoint: NotRequired[ResponseRequestInput4Output1PromptCacheBreakpoint | None]


class ResponseRequestInput4Output2PromptCacheBreakpoint(TypedDict):
    mode: Literal['explicit']
    ttl: NotRequired[Literal['30m', '12h']]


class ResponseRequestInput4Output2(TypedDict):
    type: Literal['input_file']
    file_id: NotRequired[str | None]
    """Id of a file of the workspace, such as one of purpose `user_data`. It reaches the model as a data: URL."""
    file_url: NotRequired[None]
    file_data: NotRequired[str | None]
    """The file as a data: URL."""
    filename: NotRequired[str | None]
    detail: NotRequired[Literal['auto'] | None]
    prompt_cache_breakpoint: NotRequired[ResponseRequestInput4Output2PromptCacheBreakpoint | None]


class ResponseRequestInput4(TypedDict):
    id: NotRequired[Any]
    status: NotRequired[Any]
    created_by: NotRequired[Any]
    caller: NotRequired[ResponseRequestInput4Caller | None]
    namespace: NotRequired[None]
    type: Literal['custom_tool_call_output']
    call_id: str
    output: str | list[ResponseRequestInput4Output | ResponseRequestInput4Output1 | ResponseRequestInput4Output2]


class ResponseRequestInput5(TypedDict):
    id: NotRequired[Any]
    status: NotRequired[Any]
    created_by: NotRequired[Any]
    type: Literal['mcp_approval_request']
    arguments: str
    name: str
    server_label: str


class ResponseRequestInput6(TypedDict):
    id: NotRequired[Any]
    status: NotRequired[Any]
    created_by: NotRequired[Any]
    type: Literal['mcp_approval_response']
    approval_request_id: str
    """Of the `mcp_approval_request` in the answer of an agent."""
    approve: bool
    reason: NotRequired[str | None]
    """Of a refusal: the agent’s model reads it."""


class ResponseRequestInput7(TypedDict):
    type: Literal['reasoning']


class ResponseRequestInput8(TypedDict):
    type: Literal['item_reference']
    id: str
    """Id of an output item of the last 24 hours, of a response whose `store` was not false."""


class ResponseRequestTools(TypedDict):
    type: Literal['function']
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]
    strict: NotRequired[bool | None]


class ResponseRequestTools1Format(TypedDict):
    type: Literal['text']


class ResponseRequestTools1Format1(TypedDict):
    type: Literal['grammar']
    definition: str
    syntax: Literal['lark', 'regex']


class ResponseRequestTools1(TypedDict):
    type: Literal['custom']
    name: str
    description: NotRequired[str | None]
    format: NotRequired[ResponseRequestTools1Format | ResponseRequestTools1Format1 | None]


class ResponseRequestToolChoice(TypedDict):
    type: Literal['function']
    name: str


class ResponseRequestToolChoice1(TypedDict):
    type: Literal['custom']
    name: str


class ResponseRequestToolChoice2Tools(TypedDict):
    type: Literal['function']
    name: str


class ResponseRequestToolChoice2Tools1(TypedDict):
    type: Literal['custom']
    name: str


class ResponseRequestToolChoice2(TypedDict):
    type: Literal['allowed_tools']
    mode: Literal['auto', 'required']
    tools: list[ResponseRequestToolChoice2Tools | ResponseRequestToolChoice2Tools1]


class ResponseRequestTextFormat(TypedDict):
    type: Literal['text']


class ResponseRequestTextFormat1(TypedDict):
    type: Literal['json_object']


class ResponseRequestTextFormat2(TypedDict):
    type: Literal['json_schema']
    name: str
    description: NotRequired[str | None]
    schema: dict[str, Any]
    """A JSON Schema."""
    strict: NotRequired[bool | None]


class ResponseRequestText(TypedDict):
    format: NotRequired[ResponseRequestTextFormat | ResponseRequestTextFormat1 | ResponseRequestTextFormat2 | None]
    verbosity: NotRequired[Literal['low', 'medium', 'high'] | None]


class ResponseRequestReasoning(TypedDict):
    effort: NotRequired[Literal['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] | None]
    summary: NotRequired[Literal['auto', 'concise', 'detailed'] | None]
    """With any value, the reasoning of the model is the `summary` of its item, in full, instead of its `content`."""
    generate_summary: NotRequired[Literal['auto', 'concise', 'detailed'] | None]
    context: NotRequired[Literal['auto', 'current_turn'] | None]
    mode: NotRequired[Literal['standard'] | None]


class ResponseRequestStreamOptions(TypedDict):
    include_obfuscation: NotRequired[bool | None]


class ResponseRequest(TypedDict):
    model: str
    """Id or alias of a model, as listed by GET /models."""
    input: str | list[ResponseRequestInput | ResponseRequestInput1 | ResponseRequestInput2 | ResponseRequestInput3 | ResponseRequestInput4 | ResponseRequestInput5 | ResponseRequestInput6 | ResponseRequestInput7 | ResponseRequestInput8]
    instructions: NotRequired[str]
    max_output_tokens: NotRequired[int]
    temperature: NotRequired[float]
    top_p: NotRequired[float]
    top_logprobs: NotRequired[int]
    tools: NotRequired[list[ResponseRequestTools | ResponseRequestTools1]]
    tool_choice: NotRequired[Literal['none', 'auto', 'required'] | ResponseRequestToolChoice | ResponseRequestToolChoice1 | ResponseRequestToolChoice2]
    parallel_tool_calls: NotRequired[bool]
    text: NotRequired[ResponseRequestText]
    reasoning: NotRequired[ResponseRequestReasoning]
    include: NotRequired[list[Literal['reasoning.encrypted_content', 'message.output_text.logprobs']]]
    truncation: NotRequired[Literal['auto', 'disabled']]
    max_tool_calls: NotRequired[int]
    """Limits calls of built-in tools, of which this service has none."""
    stream: NotRequired[bool]
    stream_options: NotRequired[ResponseRequestStreamOptions]
    store: NotRequired[bool]
    metadata: NotRequired[dict[str, str]]
    """Key-value pairs of your own."""
    user: NotRequired[str]
    safety_identifier: NotRequired[str]
    service_tier: NotRequired[str]


class ResponseOutputContentLogprob(TypedDict):
    token: str
    logprob: float


class ResponseOutputContent(TypedDict):
    type: Literal['output_text']
    text: str
    annotations: list[dict[str, Any]]
    logprobs: list[ResponseOutputContentLogprob]


class ResponseOutputContent1(TypedDict):
    type: Literal['refusal']
    refusal: str


class ResponseOutput(TypedDict):
    type: Literal['message']
    id: str
    status: Literal['in_progress', 'completed', 'incomplete']
    role: Literal['assistant']
    content: list[ResponseOutputContent | ResponseOutputContent1]


class ResponseOutput1(TypedDict):
    type: Literal['function_call']
    id: str
    status: Literal['in_progress', 'completed', 'incomplete']
    call_id: str
    name: str
    arguments: str
    """JSON, as the model wrote it."""


class ResponseOutput2(TypedDict):
    type: Literal['custom_tool_call']
    id: str
    status: Literal['in_progress', 'completed', 'incomplete']
    call_id: str
    name: str
    input: str


class ResponseOutput3(TypedDict):
    """With an agent as the model: the run waits. Answer by `mcp_approval_response` at the end of the next input."""

    type: Literal['mcp_approval_request']
    id: str
    name: str
    arguments: str
    server_label: str


class ResponseOutput4SummaryItem(TypedDict):
    type: Literal['summary_text']
    text: str


class ResponseOutput4ContentItem(TypedDict):
    type: Literal['reasoning_text']
    text: str


class ResponseOutput4(TypedDict):
    type: Literal['reasoning']
    id: str
    status: Literal['in_progress', 'completed', 'incomplete']
    summary: list[ResponseOutput4SummaryItem]
    """The reasoning, where `reasoning.summary` asks for it; otherwise it is the `content`."""
    content: list[ResponseOutput4ContentItem]


class ResponseUsageInputTokensDetails(TypedDict):
    cached_tokens: int
    cache_write_tokens: int


class ResponseUsageOutputTokensDetails(TypedDict):
    reasoning_tokens: int


class ResponseUsage(TypedDict):
    input_tokens: int
    input_tokens_details: ResponseUsageInputTokensDetails
    output_tokens: int
    """Reasoning tokens included: they are billed as output."""
    output_tokens_details: ResponseUsageOutputTokensDetails
    total_tokens: int
    cost: NotRequired[float]
    """What was charged, in US dollars: the amount in the ledger."""


class ResponseRunFile(TypedDict):
    file_id: str
    filename: str
    media_type: str
    size_bytes: int


class ResponseRun(TypedDict):
    """Only of an agent in the place of a model."""

    id: str
    session_id: str
    files: list[ResponseRunFile]
    """What the agent has made: `GET /v1/files/{file_id}/content`."""


class ResponseError(TypedDict):
    code: str
    message: str


class ResponseIncompleteDetails(TypedDict):
    reason: Literal['max_output_tokens', 'content_filter']


class ResponseToolChoice(TypedDict):
    type: str


class ResponseTool(TypedDict):
    type: str


class Response(TypedDict):
    id: str
    object: Literal['response']
    created_at: int
    """Seconds since 1970."""
    completed_at: int | None
    service_tier: NotRequired[str]
    status: Literal['in_progress', 'completed', 'incomplete', 'failed']
    model: str
    output: list[ResponseOutput | ResponseOutput1 | ResponseOutput2 | ResponseOutput3 | ResponseOutput4]
    usage: ResponseUsage | None
    run: NotRequired[ResponseRun]
    """Only of an agent in the place of a model."""
    error: ResponseError | None
    incomplete_details: ResponseIncompleteDetails | None
    instructions: str | None
    metadata: dict[str, str]
    parallel_tool_calls: bool
    temperature: float | None
    top_p: float | None
    text: dict[str, Any]
    tool_choice: str | ResponseToolChoice
    tools: list[ResponseTool]
    store: bool
    """Whether the response and its items are kept for 24 hours, for reading and for requests that refer to them."""
    expires_at: int | None
    """Until when it is kept; null when `store` is false."""


class ResponseEventItemContentLogprob(TypedDict):
    token: str
    logprob: float


class ResponseEventItemContent(TypedDict):
    type: Literal['output_text']
    text: str
    annotations: list[dict[str, Any]]
    logprobs: list[ResponseEventItemContentLogprob]


class ResponseEventItemContent1(TypedDict):
    type: Literal['refusal']
    refusal: str


class ResponseEventItem(TypedDict):
    type: Literal['message']
    id: str
    status: Literal['in_progress', 'completed', 'incomplete']
    role: Literal['assistant']
    content: list[ResponseEventItemContent | ResponseEventItemContent1]


class ResponseEventItem1(TypedDict):
    type: Literal['function_call']
    id: str
    status: Literal['in_progress', 'completed', 'incomplete']
    call_id: str
    name: str
    arguments: str
    """JSON, as the model wrote it."""


class ResponseEventItem2(TypedDict):
    type: Literal['custom_tool_call']
    id: str
    status: Literal['in_progress', 'completed', 'incomplete']
    call_id: str
    name: str
    input: str


class ResponseEventItem3(TypedDict):
    """With an agent as the model: the run waits. Answer by `mcp_approval_response` at the end of the next input."""

    type: Literal['mcp_approval_request']
    id: str
    name: str
    arguments: str
    server_label: str


class ResponseEventItem4SummaryItem(TypedDict):
    type: Literal['summary_text']
    text: str


class ResponseEventItem4ContentItem(TypedDict):
    type: Literal['reasoning_text']
    text: str


class ResponseEventItem4(TypedDict):
    type: Literal['reasoning']
    id: str
    status: Literal['in_progress', 'completed', 'incomplete']
    summary: list[ResponseEventItem4SummaryItem]
    """The reasoning, where `reasoning.summary` asks for it; otherwise it is the `content`."""
    content: list[ResponseEventItem4ContentItem]


class ResponseEventPart(TypedDict):
    type: str


class ResponseEvent(TypedDict):
    """One event of the stream. The last is response.completed, response.incomplete or response.failed."""

    type: Literal['response.created', 'response.in_progress', 'response.output_item.added', 'response.content_part.added', 'response.output_text.delta', 'response.output_text.done', 'response.refusal.delta', 'response.refusal.done', 'response.reasoning_text.delta', 'response.reasoning_text.done', 'response.reasoning_summary_part.added', 'response.reasoning_summary_text.delta', 'response.reasoning_summary_text.done', 'response.reasoning_summary_part.done', 'response.function_call_arguments.delta', 'response.function_call_arguments.done', 'response.custom_tool_call_input.delta', 'response.custom_tool_call_input.done', 'response.content_part.done', 'response.output_item.done', 'response.completed', 'response.incomplete', 'response.failed']
    sequence_number: int
    """Rises by one with each event."""
    response: NotRequired[Response]
    item: NotRequired[ResponseEventItem | ResponseEventItem1 | ResponseEventItem2 | ResponseEventItem3 | ResponseEventItem4]
    item_id: NotRequired[str]
    output_index: NotRequired[int]
    content_index: NotRequired[int]
    summary_index: NotRequired[int]
    part: NotRequired[ResponseEventPart]
    delta: NotRequired[str]


class ResponseInputTokens(TypedDict):
    object: Literal['response.input_tokens']
    input_tokens: int


class Deleted(TypedDict):
    id: str
    object: str
    deleted: Literal[True]


EmbeddingsRequestInputItem: TypeAlias = str


EmbeddingsRequestInputItem1: TypeAlias = int


EmbeddingsRequestInputItem2EmbeddingsRequestInputItem2Item: TypeAlias = int


EmbeddingsRequestInputItem2: TypeAlias = list[EmbeddingsRequestInputItem2EmbeddingsRequestInputItem2Item]


class EmbeddingsRequest(TypedDict):
    model: str
    """Id or alias of a model, as listed by GET /models."""
    input: str | list[EmbeddingsRequestInputItem] | list[EmbeddingsRequestInputItem1] | list[EmbeddingsRequestInputItem2]
    """A text, texts, token numbers, or lists of token numbers."""
    dimensions: NotRequired[int]
    encoding_format: NotRequired[Literal['float', 'base64']]
    user: NotRequired[str]


class EmbeddingsUsage(TypedDict):
    prompt_tokens: int
    total_tokens: int
    cost: NotRequired[float]
    """What was charged, in US dollars: the amount in the ledger."""


class SpeechRequestVoice(TypedDict):
    """A preset voice by its OpenAI or ElevenLabs name or id, or a cloned voice."""

    id: str


class SpeechRequest(TypedDict):
    model: str
    """Id or alias of a model, as listed by GET /models."""
    input: str
    """The text to speak. The embedded voices speak English: a text with letters of other scripts is refused with `unsupported_language`, one with nothing to speak with `invalid_value`."""
    voice: str | SpeechRequestVoice
    """A preset voice by its OpenAI or ElevenLabs name or id, or a cloned voice."""
    response_format: NotRequired[Literal['mp3', 'opus', 'aac', 'flac', 'wav', 'pcm']]
    """Default: `mp3`. `pcm` is 24 kHz, 16 bits, mono."""
    speed: NotRequired[float]
    instructions: NotRequired[str]
    """How to speak. The embedded voices refuse it: leave it out."""
    stream_format: NotRequired[Literal['audio', 'sse']]


class SpeechEventSpeechEvent(TypedDict):
    type: Literal['speech.audio.delta']
    audio: str
    """Sound, in base64."""


class SpeechEventSpeechEvent1Usage(TypedDict):
    """Tokens as OpenAI counts them, and the billed characters."""

    input_tokens: int
    """Tokens of the text, in o200k_base."""
    output_tokens: int
    """Of 50 ms of sound each."""
    total_tokens: int
    input_characters: int
    """What is billed."""


class SpeechEventSpeechEvent1(TypedDict):
    type: Literal['speech.audio.done']
    usage: SpeechEventSpeechEvent1Usage
    """Tokens as OpenAI counts them, and the billed characters."""


SpeechEvent: TypeAlias = SpeechEventSpeechEvent | SpeechEventSpeechEvent1


TranscriptionForm = TypedDict(
    'TranscriptionForm',
    {
        'model': str,
        'language': NotRequired[str],
        'prompt': NotRequired[str],
        'response_format': NotRequired[Literal['json', 'text', 'srt', 'vtt', 'verbose_json']],
        'temperature': NotRequired[float],
        'timestamp_granularities[]': NotRequired[list[Literal['word', 'segment']]],
        'include[]': NotRequired[list[Literal['logprobs']]],
        'chunking_strategy': NotRequired[str],
        'stream': NotRequired[bool],
        'file': bytes,
    },
)


class TranscriptionUsage(TypedDict):
    type: Literal['duration']
    seconds: int


class TranscriptionSegment(TypedDict):
    id: int
    seek: int
    start: float
    end: float
    text: str
    tokens: list[int]
    temperature: float
    avg_logprob: float
    compression_ratio: float
    """From the model, else computed from the text."""
    no_speech_prob: float
    """From the model, else 1 minus its confidence in the words."""


class TranscriptionWord(TypedDict):
    word: str
    start: float
    end: float


class TranscriptionEventTranscriptionEventLogprob(TypedDict):
    token: str
    logprob: float
    bytes: list[int]


class TranscriptionEventTranscriptionEvent(TypedDict):
    type: Literal['transcript.text.delta']
    delta: str
    logprobs: NotRequired[list[TranscriptionEventTranscriptionEventLogprob]]


class TranscriptionEventTranscriptionEvent1Logprob(TypedDict):
    token: str
    logprob: float
    bytes: list[int]


class TranscriptionEventTranscriptionEvent1UsageInputTokenDetails(TypedDict):
    audio_tokens: int
    text_tokens: int


class TranscriptionEventTranscriptionEvent1Usage(TypedDict):
    """Of the whole answer: tokens as OpenAI’s clients require them, and the billed seconds."""

    type: Literal['tokens']
    input_tokens: int
    """Of 100 ms of sound each."""
    input_token_details: TranscriptionEventTranscriptionEvent1UsageInputTokenDetails
    output_tokens: int
    """Tokens of the text, in o200k_base."""
    total_tokens: int
    seconds: int
    """What is billed, rounded up."""


class TranscriptionEventTranscriptionEvent1(TypedDict):
    type: Literal['transcript.text.done']
    text: str
    logprobs: NotRequired[list[TranscriptionEventTranscriptionEvent1Logprob]]
    usage: TranscriptionEventTranscriptionEvent1Usage
    """Of the whole answer: tokens as OpenAI’s clients require them, and the billed seconds."""


TranscriptionEvent: TypeAlias = TranscriptionEventTranscriptionEvent | TranscriptionEventTranscriptionEvent1


class TranslationForm(TypedDict):
    model: str
    """Id or alias of a model, as listed by GET /models."""
    prompt: NotRequired[str]
    """What was said before, or words that may be said. Of the embedded recognisers, Whisper takes it; where the model’s `engine` is another, it is refused."""
    response_format: NotRequired[Literal['json', 'text', 'srt', 'vtt', 'verbose_json']]
    temperature: NotRequired[float]
    """The embedded recogniser supports 0 only."""
    chunking_strategy: NotRequired[str]
    """`auto` lets the model choose."""
    file: bytes


class ModelArchitecture(TypedDict):
    modality: str
    """`text+image->text`: what it takes, and what it makes."""
    input_modalities: list[str]
    output_modalities: list[str]
    tokenizer: str


class ModelPricingBatch(TypedDict):
    """The same for a line of a batch, where it differs."""

    prompt: str
    completion: str


class ModelPricing(TypedDict):
    """US dollars for one unit, as decimal text: a token (`prompt`, `completion`), a character, a minute, a second. `request`: what each call costs at least. An agent’s other prices are in `/v1/agents/{namespace}/{slug}`."""

    prompt: NotRequired[str]
    completion: NotRequired[str]
    input_cache_read: NotRequired[str]
    input_cache_write: NotRequired[str]
    request: str
    input_character: NotRequired[str]
    output_character: NotRequired[str]
    audio_minute: NotRequired[str]
    audio_second: NotRequired[str]
    batch: NotRequired[ModelPricingBatch]
    """The same for a line of a batch, where it differs."""


class Model(TypedDict):
    id: str
    object: Literal['model']
    created: int
    """Seconds since 1970."""
    owned_by: str
    name: str
    description: str
    kind: Literal['text', 'embedding', 'speech', 'transcription', 'conversion', 'realtime', 'agent']
    aliases: list[str]
    """Other names that mean this model."""
    context_length: int | None
    """Tokens of prompt and answer; null for models that count none."""
    max_output_tokens: int | None
    architecture: ModelArchitecture
    pricing: ModelPricing
    """US dollars for one unit, as decimal text: a token (`prompt`, `completion`), a character, a minute, a second. `request`: what each call costs at least. An agent’s other prices are in `/v1/agents/{namespace}/{slug}`."""
    supported_parameters: list[str]
    engine: NotRequired[str]
    """The embedded engine that answers now, for models of sound that run beside the API: a better one replaces a basic one once it has been fetched."""
    engine_ready: NotRequired[bool]
    """Whether that engine is on this machine: until it has been fetched, the model answers 503 `model_unavailable`."""


class ClientSecretRequestExpiresAfter(TypedDict):
    anchor: NotRequired[Literal['created_at']]
    seconds: NotRequired[int]
    """Default: 600."""


class ClientSecretRequestSessionReasoning(TypedDict):
    effort: NotRequired[Literal['minimal', 'low', 'medium', 'high', 'xhigh'] | None]


class ClientSecretRequestSessionTool(TypedDict):
    type: NotRequired[Literal['function']]
    name: str
    description: NotRequired[str | None]
    parameters: NotRequired[dict[str, Any] | None]


class ClientSecretRequestSessionToolChoice(TypedDict):
    type: Literal['function']
    name: str


class ClientSecretRequestSessionAudioInputFormat(TypedDict):
    type: Literal['audio/pcm']
    rate: NotRequired[Literal[24000]]


class ClientSecretRequestSessionAudioInputTranscription(TypedDict):
    """Whether transcripts of the input are sent as events. Null: they are not."""

    model: NotRequired[str]
    language: NotRequired[str | None]
    prompt: NotRequired[str | None]
    delay: NotRequired[None]
    keywords: NotRequired[None]
    languages: NotRequired[None]


class ClientSecretRequestSessionAudioInputTurnDetection(TypedDict):
    """Null, also as its type: the client commits the buffer and creates responses itself."""

    type: Literal['server_vad']
    threshold: NotRequired[float]
    """Default: 0.5. A higher one needs louder speech."""
    prefix_padding_ms: NotRequired[int]
    """Sound kept from before the speech. Default: 300."""
    silence_duration_ms: NotRequired[int]
    """Silence that ends a turn. Default: 500."""
    idle_timeout_ms: NotRequired[int | None]
    """After so much silence following a response, the model speaks first."""
    create_response: NotRequired[bool]
    """Whether the end of a turn starts a response. Default: true."""
    interrupt_response: NotRequired[bool]
    """Whether speech stops the running response. Default: true."""


class ClientSecretRequestSessionAudioInput(TypedDict):
    format: NotRequired[ClientSecretRequestSessionAudioInputFormat | None]
    transcription: NotRequired[ClientSecretRequestSessionAudioInputTranscription | None]
    """Whether transcripts of the input are sent as events. Null: they are not."""
    turn_detection: NotRequired[ClientSecretRequestSessionAudioInputTurnDetection | None]
    """Null, also as its type: the client commits the buffer and creates responses itself."""
    noise_reduction: NotRequired[None]


class ClientSecretRequestSessionAudioOutputFormat(TypedDict):
    type: Literal['audio/pcm']
    rate: NotRequired[Literal[24000]]


class ClientSecretRequestSessionAudioOutputVoice(TypedDict):
    """A preset voice by its OpenAI or ElevenLabs name or id, or a cloned voice."""

    id: str


class ClientSecretRequestSessionAudioOutput(TypedDict):
    format: NotRequired[ClientSecretRequestSessionAudioOutputFormat | None]
    voice: NotRequired[str | ClientSecretRequestSessionAudioOutputVoice | None]
    """A preset voice by its OpenAI or ElevenLabs name or id, or a cloned voice."""
    speed: NotRequired[float | None]


class ClientSecretRequestSessionAudio(TypedDict):
    input: NotRequired[ClientSecretRequestSessionAudioInput | None]
    output: NotRequired[ClientSecretRequestSessionAudioOutput | None]


class ClientSecretRequestSession(TypedDict):
    """What its sessions are set to. Default: a realtime session."""

    type: Literal['realtime']
    model: NotRequired[str | None]
    instructions: NotRequired[str | None]
    max_output_tokens: NotRequired[Literal['inf'] | int | None]
    output_modalities: NotRequired[list[Literal['audio', 'text']] | None]
    """`["audio"]`, which comes with its transcript, or `["text"]`."""
    parallel_tool_calls: NotRequired[bool | None]
    reasoning: NotRequired[ClientSecretRequestSessionReasoning | None]
    tools: NotRequired[list[ClientSecretRequestSessionTool] | None]
    tool_choice: NotRequired[Literal['auto', 'none', 'required'] | ClientSecretRequestSessionToolChoice | None]
    prompt: NotRequired[None]
    audio: NotRequired[ClientSecretRequestSessionAudio | None]
    include: NotRequired[list[Literal['item.input_audio_transcription.logprobs']] | None]
    tracing: NotRequired[Any]
    temperature: NotRequired[float | None]
    truncation: NotRequired[Literal['auto', 'disabled'] | None]


class ClientSecretRequestSession1AudioInputFormat(TypedDict):
    type: Literal['audio/pcm']
    rate: NotRequired[Literal[24000]]


class ClientSecretRequestSession1AudioInputTranscription(TypedDict):
    """Whether transcripts of the input are sent as events. Null: they are not."""

    model: NotRequired[str]
    language: NotRequired[str | None]
    prompt: NotRequired[str | None]
    delay: NotRequired[None]
    keywords: NotRequired[None]
    languages: NotRequired[None]


class ClientSecretRequestSession1AudioInputTurnDetection(TypedDict):
    """Null, also as its type: the client commits the buffer and creates responses itself."""

    type: Literal['server_vad']
    threshold: NotRequired[float]
    """Default: 0.5. A higher one needs louder speech."""
    prefix_padding_ms: NotRequired[int]
    """Sound kept from before the speech. Default: 300."""
    silence_duration_ms: NotRequired[int]
    """Silence that ends a turn. Default: 500."""
    idle_timeout_ms: NotRequired[int | None]
    """After so much silence following a response, the model speaks first."""
    create_response: NotRequired[bool]
    """Whether the end of a turn starts a response. Default: true."""
    interrupt_response: NotRequired[bool]
    """Whether speech stops the running response. Default: true."""


class ClientSecretRequestSession1AudioInput(TypedDict):
    format: NotRequired[ClientSecretRequestSession1AudioInputFormat | None]
    transcription: NotRequired[ClientSecretRequestSession1AudioInputTranscription | None]
    """Whether transcripts of the input are sent as events. Null: they are not."""
    turn_detection: NotRequired[ClientSecretRequestSession1AudioInputTurnDetection | None]
    """Null, also as its type: the client commits the buffer and creates responses itself."""
    noise_reduction: NotRequired[None]


class ClientSecretRequestSession1Audio(TypedDict):
    input: NotRequired[ClientSecretRequestSession1AudioInput | None]


class ClientSecretRequestSession1(TypedDict):
    """What its sessions are set to. Default: a realtime session."""

    type: Literal['transcription']
    audio: NotRequired[ClientSecretRequestSession1Audio | None]
    include: NotRequired[list[Literal['item.input_audio_transcription.logprobs']] | None]


class ClientSecretRequest(TypedDict):
    expires_after: NotRequired[ClientSecretRequestExpiresAfter]
    session: NotRequired[ClientSecretRequestSession | ClientSecretRequestSession1]
    """What its sessions are set to. Default: a realtime session."""
    max_session_seconds: NotRequired[int]
    """How long a session may last."""
    spend_limit_usd: NotRequired[float]
    """The most that all sessions of the secret may cost together."""
    max_sessions: NotRequired[int]
    """How many sessions it may open. Default: no limit."""


class ClientSecretSession(TypedDict):
    id: str
    object: Literal['realtime.session', 'realtime.transcription_session']
    type: Literal['realtime', 'transcription']


class ClientSecret(TypedDict):
    value: str
    """The secret, `ek_…`. It is shown this once."""
    expires_at: int
    """Unix seconds. Sessions that are open then go on."""
    session: ClientSecretSession


class OlderSessionRequestClientSecretExpiresAfter(TypedDict):
    anchor: NotRequired[Literal['created_at']]
    seconds: NotRequired[int]
    """Default: 600."""


class OlderSessionRequestClientSecret(TypedDict):
    expires_after: NotRequired[OlderSessionRequestClientSecretExpiresAfter]


class OlderSessionRequest(TypedDict):
    model: NotRequired[str]
    modalities: NotRequired[list[Literal['text', 'audio']]]
    instructions: NotRequired[Any]
    voice: NotRequired[Any]
    speed: NotRequired[Any]
    input_audio_format: NotRequired[Literal['pcm16']]
    output_audio_format: NotRequired[Literal['pcm16']]
    input_audio_transcription: NotRequired[Any]
    input_audio_noise_reduction: NotRequired[None]
    turn_detection: NotRequired[Any]
    tools: NotRequired[Any]
    tool_choice: NotRequired[Any]
    max_response_output_tokens: NotRequired[Any]
    temperature: NotRequired[Any]
    tracing: NotRequired[Any]
    client_secret: NotRequired[OlderSessionRequestClientSecret]
    max_session_seconds: NotRequired[int]
    """How long a session may last."""
    spend_limit_usd: NotRequired[float]
    """The most that all sessions of the secret may cost together."""
    max_sessions: NotRequired[int]
    """How many sessions it may open. Default: no limit."""


class OlderSessionClientSecret(TypedDict):
    value: str
    expires_at: int


class OlderSession(TypedDict):
    id: str
    object: Literal['realtime.session']
    client_secret: OlderSessionClientSecret


class InspectedKeyRateLimit(TypedDict):
    rpm: int
    concurrency: int


class InspectedKey(TypedDict):
    label: str
    prefix: str
    """The first 12 characters of the key."""
    limit: float | None
    """The spend ceiling in US dollars, null for none."""
    limit_remaining: float | None
    limit_reset: Literal['daily', 'monthly'] | None
    """When the ceiling resets."""
    usage_daily: float
    usage_monthly: float
    rate_limit: InspectedKeyRateLimit
    balance: float
    """The balance of the account in US dollars."""
    log_days: int
    """For how many days prompts and answers of this key’s calls are kept; 0: they are not."""
    no_retention: bool
    """Whether its calls go only to upstreams that keep nothing of them."""


DerivedKeyOrderAllowedAgent: TypeAlias = str


class DerivedKeyOrder(TypedDict):
    name: str
    scopes: NotRequired[list[Literal['llm', 'voice', 'batch', 'agents', 'publisher', 'contents', 'manage']]]
    """Some of the calling key’s; all of them when left out, without `manage`."""
    spend_limit: NotRequired[float]
    """In US dollars: the most that the key and those it makes may spend, in all or in each `spend_limit_period`."""
    spend_limit_period: NotRequired[Literal['daily', 'monthly']]
    """When the ceiling resets (UTC); never, when it is null."""
    rpm_limit: NotRequired[int]
    """At most the calling key’s."""
    concurrency_limit: NotRequired[int]
    """At most the calling key’s."""
    expires_at: NotRequired[str]
    """Not after the calling key’s."""
    allowed_agents: NotRequired[list[DerivedKeyOrderAllowedAgent]]
    """The agents that it may run, as `<namespace>/<slug>`; all when left out."""


class DerivedKey(TypedDict):
    id: str
    name: str
    prefix: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    revoked_at: str | None
    """When the key was revoked; its spending stays listed. Null for a live key."""
    scopes: list[str]
    spend_daily: float
    spend_monthly: float
    spend_limit: float | None
    """Null for none."""
    spend_limit_period: Literal['daily', 'monthly'] | None
    """When the ceiling resets."""
    rpm_limit: int | None
    """Null for the default tier."""
    concurrency_limit: int | None
    """Null for the default tier."""
    is_calling_key: bool
    parent_id: str | None
    """The key that made this one; null: none."""
    allowed_agents: list[str] | None
    """The agents that it may run; null: all."""
    log_days: int
    """For how many days the contents of its calls are kept; 0: they are not."""
    no_retention: bool
    """Whether it demands that of the upstreams, too."""
    project_id: str
    """Its project: `default`, or the id of another."""
    key: str | None
    """The secret, shown this once. Null for a retry."""


class RequestTotals(TypedDict):
    object: Literal['request.totals']
    count: int
    """Entries of the list."""
    calls: int
    """How many calls they stand for."""
    cost_usd: float | None
    """Null when `is_capped`."""
    is_capped: bool
    """There are more than 500000 entries: they are not counted further."""


class EndedRequestRoutingAttempt(TypedDict):
    upstream: str
    outcome: Literal['answered', 'failed', 'overloaded', 'unreachable', 'stalled', 'account', 'unavailable', 'refused', 'late', 'skipped']
    """`late`: another one answered first; `skipped`: not tried in its order."""
    ms: int | None
    """Until it answered, failed or was left."""


class EndedRequestRouting(TypedDict):
    """Why that supplier; null where the model has one."""

    by: Literal['order', 'weighted', 'price', 'latency', 'errors', 'explore', 'probe']
    """The rule of its model; `explore`: its figures were not known; `probe`: it was tried again after failures."""
    healthy: int
    """How many suppliers were healthy."""
    of: int
    """How many could serve the call."""
    reason: str
    """The same in words."""
    attempts: list[EndedRequestRoutingAttempt]
    """Empty where the first one answered."""


class EndedRequestError(TypedDict):
    """Why it was refused or failed, as it was answered. Kept for 7 days; null for what succeeded."""

    code: str
    message: str


class OverviewSpendDaysBeforeItem(TypedDict):
    day: str
    cost_usd: float


class OverviewRefusedLastHourItem(TypedDict):
    status: int
    code: str
    calls: int
    message: str
    """Of the last one."""
    last_request_id: str


class OverviewBlocked(TypedDict):
    """Why a paid call of this key would be refused now; null when it would not be."""

    code: str
    message: str


class OverviewNotice(TypedDict):
    type: str
    message: str
    created_at: str


class ExplanationRun(TypedDict):
    id: str
    object: Literal['run']
    agent: str
    version: str
    status: str
    total_usd: float
    absorbed_usd: float
    """What a failed run consumed, which the platform bears."""
    created_at: str
    settled_at: str | None


class ExplanationPrice(TypedDict):
    """The price that held when the call started; null for runs, and for calls from before prices were kept."""

    id: str
    source: Literal['file', 'operator']
    """The catalogue file, or operators while it runs."""
    valid_from: str
    set_by: str | None
    """The operator who proposed it; null for a price of the file."""
    approved_by: str | None
    """The operator who approved it, a second person."""


class ExplanationEntry(TypedDict):
    id: str
    object: Literal['ledger.entry']
    kind: str
    """`topup`, `debit`, `refund`, `correction` of a bill that was estimated, `adjustment`, `payout` of earnings, …; and without a change of the balance: `earning` of an agent, `absorbed`, the cost of a failed run that is not billed."""
    amount_usd: float
    balance_after_usd: float | None
    """Null where the entry does not change the balance."""
    request_id: str | None
    run_id: str | None
    key_prefix: str | None
    model: str | None
    """Of the call."""
    route: str | None
    agent: str | None
    """Of the run: `<namespace>/<slug>`."""
    receipt_url: str | None
    """The receipt of a payment."""
    created_at: str
    hash: str | None
    """Hash of the entry and of the previous hash. Null where the entry does not change the balance."""
    prev_hash: str | None


class UsageReportDatumUnit(TypedDict):
    unit: str
    quantity: float


class UsageReportDatum(TypedDict):
    label: NotRequired[str]
    """The name of the key, agent, member or project."""
    requests: int
    """Calls that have ended."""
    runs: int
    """Runs of agents that have ended."""
    errors: int
    """Calls that failed, and runs. Calls whose clients disconnected are none."""
    cost_usd: float
    units: list[UsageReportDatumUnit]


class UsageReportTotal(TypedDict):
    requests: int
    """Calls that have ended."""
    runs: int
    """Runs of agents that have ended."""
    errors: int
    """Calls that failed, and runs. Calls whose clients disconnected are none."""
    cost_usd: float


class UsageReportErrorsByCodeItem(TypedDict):
    status: int
    code: str
    calls: int
    message: str
    """Of the last one."""
    last_request_id: str


UsageReport = TypedDict(
    'UsageReport',
    {
        'object': Literal['usage'],
        'from': str,
        'to': str,
        'group_by': list[Literal['day', 'hour', 'minute', 'model', 'key', 'route', 'agent', 'product', 'meter', 'member', 'project']],
        'data': list[UsageReportDatum],
        'total': UsageReportTotal,
        'errors_by_code': list[UsageReportErrorsByCodeItem],
    },
)


class LatencyReportDatumDurationMs(TypedDict):
    """From the beginning of a call to the end of its answer; null without a call."""

    p50: int
    p95: int


class LatencyReportDatumFirstByteMs(TypedDict):
    """Of streams, from the beginning of a call to its first event: the time to first token. Null without a stream."""

    p50: int
    p95: int


class LatencyReportDatum(TypedDict):
    label: NotRequired[str]
    """The name of the key, agent, member or project."""
    requests: int
    """Calls that succeeded."""
    duration_ms: LatencyReportDatumDurationMs | None
    """From the beginning of a call to the end of its answer; null without a call."""
    first_byte_ms: LatencyReportDatumFirstByteMs | None
    """Of streams, from the beginning of a call to its first event: the time to first token. Null without a stream."""


class LatencyReportTotalDurationMs(TypedDict):
    """From the beginning of a call to the end of its answer; null without a call."""

    p50: int
    p95: int


class LatencyReportTotalFirstByteMs(TypedDict):
    """Of streams, from the beginning of a call to its first event: the time to first token. Null without a stream."""

    p50: int
    p95: int


class LatencyReportTotal(TypedDict):
    requests: int
    """Calls that succeeded."""
    duration_ms: LatencyReportTotalDurationMs | None
    """From the beginning of a call to the end of its answer; null without a call."""
    first_byte_ms: LatencyReportTotalFirstByteMs | None
    """Of streams, from the beginning of a call to its first event: the time to first token. Null without a stream."""


LatencyReport = TypedDict(
    'LatencyReport',
    {
        'object': Literal['usage.latency'],
        'from': str,
        'to': str,
        'group_by': list[Literal['day', 'hour', 'minute', 'model', 'key', 'product', 'member', 'project']],
        'data': list[LatencyReportDatum],
        'total': LatencyReportTotal,
    },
)


class ErrorReportDatum(TypedDict):
    label: NotRequired[str]
    """The name of the key, agent, member or project."""
    calls: int
    """Refused and failed ones."""
    refused: int
    """Calls that were refused before anything ran."""
    failed: int
    """Calls that ran and failed."""


class ErrorReportTotal(TypedDict):
    calls: int
    """Refused and failed ones."""
    refused: int
    """Calls that were refused before anything ran."""
    failed: int
    """Calls that ran and failed."""


ErrorReport = TypedDict(
    'ErrorReport',
    {
        'object': Literal['usage.errors'],
        'from': str,
        'to': str,
        'refused_since': str,
        'group_by': list[Literal['day', 'hour', 'minute', 'code', 'model', 'key', 'product', 'member', 'project']],
        'data': list[ErrorReportDatum],
        'total': ErrorReportTotal,
    },
)


class Balance(TypedDict):
    balance_usd: float
    held_usd: float
    """What running calls and runs may still cost, at most. Calls of other server processes are counted within a second."""
    available_usd: float


class LedgerTotals(TypedDict):
    object: Literal['ledger.totals']
    count: int
    """Entries of the list."""
    amount_usd: float | None
    """The sum of the entries that change the balance; null when `is_capped`."""
    beside_usd: float | None
    """The sum of the others: earnings of agents, and costs of failed runs that are not billed."""
    is_capped: bool
    """There are more than 500000 entries: they are not counted further."""


class RequestContent(TypedDict):
    id: str
    """The id of the request."""
    object: Literal['request.content']
    ended: Literal['complete', 'client_left', 'failed']
    """`client_left`: the answer is what was produced until then. `failed`: it is null, or what was sent before."""
    request: Any
    """The body as it was sent. Images, sounds, files and vectors are replaced by their type and size."""
    answer: Any
    """The answer as it was sent, of a stream the joined one; null: there is none."""
    is_truncated: bool
    """Texts were cut: of the request and of the answer 256 KiB each are kept."""
    created_at: str
    expires_at: str
    """When it is deleted."""


class DeletedContent(TypedDict):
    id: str
    object: Literal['request.content']
    deleted: Literal[True]


class DeletedContents(TypedDict):
    id: str
    """The id of the key."""
    object: Literal['api_key.contents']
    deleted: int
    """How many contents were deleted."""


class AuditEntryActor(TypedDict):
    """One of the workspace’s people or keys, or the platform."""

    type: Literal['person', 'key', 'platform']
    id: str | None
    name: str | None
    email: str | None


class AuditEntry(TypedDict):
    id: str
    object: Literal['audit.entry']
    workspace_id: str
    action: str
    subject_type: str
    subject_id: str
    actor: AuditEntryActor
    """One of the workspace’s people or keys, or the platform."""
    detail: dict[str, Any]
    """Of a change: `before` and `after`. Never a secret."""
    request_id: str
    created_at: str


class Workspace(TypedDict):
    id: str
    object: Literal['workspace']
    name: str
    mode: Literal['live', 'test']
    logo_file_id: str | None
    logo_url: str | None
    """An image, for pages. Whoever knows the address can load it."""
    logo_is_public: bool
    no_retention: bool
    created_at: str


class WorkspaceChange(TypedDict):
    name: NotRequired[str]
    logo_file_id: NotRequired[str | None]
    """A file with the purpose `workspace_logo`; null removes the logo. The file of the logo before is deleted."""
    logo_is_public: NotRequired[bool]
    """Whether the public pages of its agents show the logo."""
    no_retention: NotRequired[bool]
    """Whether calls of all its keys go only to upstreams that keep nothing of them. It holds within a second."""


class BillingDetailsTaxId(TypedDict):
    type: str
    value: str


class BillingDetails(TypedDict):
    object: Literal['billing_details']
    company: str | None
    line1: str | None
    line2: str | None
    city: str | None
    region: str | None
    postal_code: str | None
    country: str | None
    tax_id: BillingDetailsTaxId | None
    purchase_order: str | None
    email: str | None
    updated_at: str | None
    """Null before they are first set."""


class BillingDetailsChangeTaxId(TypedDict):
    """The form of the value is checked for common types."""

    type: Literal['ad_nrt', 'ae_trn', 'al_tin', 'am_tin', 'ao_tin', 'ar_cuit', 'au_abn', 'au_arn', 'aw_tin', 'az_tin', 'ba_tin', 'bb_tin', 'bd_bin', 'bf_ifu', 'bg_uic', 'bh_vat', 'bj_ifu', 'bo_tin', 'br_cnpj', 'br_cpf', 'bs_tin', 'by_tin', 'ca_bn', 'ca_gst_hst', 'ca_pst_bc', 'ca_pst_mb', 'ca_pst_sk', 'ca_qst', 'cd_nif', 'ch_uid', 'ch_vat', 'cl_tin', 'cm_niu', 'cn_tin', 'co_nit', 'cr_tin', 'cv_nif', 'de_stn', 'do_rcn', 'ec_ruc', 'eg_tin', 'es_cif', 'et_tin', 'eu_oss_vat', 'eu_vat', 'gb_vat', 'ge_vat', 'gn_nif', 'hk_br', 'hr_oib', 'hu_tin', 'id_npwp', 'il_vat', 'in_gst', 'is_vat', 'jp_cn', 'jp_rn', 'jp_trn', 'ke_pin', 'kg_tin', 'kh_tin', 'kr_brn', 'kz_bin', 'la_tin', 'li_uid', 'li_vat', 'ma_vat', 'md_vat', 'me_pib', 'mk_vat', 'mr_nif', 'mx_rfc', 'my_frp', 'my_itn', 'my_sst', 'ng_tin', 'no_vat', 'no_voec', 'np_pan', 'nz_gst', 'om_vat', 'pe_ruc', 'ph_tin', 'pl_nip', 'ro_tin', 'rs_pib', 'ru_inn', 'ru_kpp', 'sa_vat', 'sg_gst', 'sg_uen', 'si_tin', 'sn_ninea', 'sr_fin', 'sv_nit', 'th_vat', 'tj_tin', 'tr_tin', 'tw_vat', 'tz_vat', 'ua_vat', 'ug_tin', 'us_ein', 'uy_ruc', 'uz_tin', 'uz_vat', 've_rif', 'vn_tin', 'za_vat', 'zm_tin', 'zw_tin']
    """A type of Stripe’s tax IDs, such as `eu_vat`."""
    value: str


class BillingDetailsChange(TypedDict):
    """What is sent is changed; null removes it. Invoices that were issued before keep what they say."""

    company: NotRequired[str | None]
    line1: NotRequired[str | None]
    line2: NotRequired[str | None]
    city: NotRequired[str | None]
    region: NotRequired[str | None]
    postal_code: NotRequired[str | None]
    country: NotRequired[str | None]
    tax_id: NotRequired[BillingDetailsChangeTaxId | None]
    purchase_order: NotRequired[str | None]
    email: NotRequired[str | None]


class InvoiceSeller(TypedDict):
    name: str
    address: list[str]
    tax_id: str | None
    email: str | None


class InvoiceCustomerTaxId(TypedDict):
    type: str
    value: str


class InvoiceCustomer(TypedDict):
    workspace_name: str
    company: str | None
    line1: str | None
    line2: str | None
    city: str | None
    region: str | None
    postal_code: str | None
    country: str | None
    tax_id: InvoiceCustomerTaxId | None
    purchase_order: str | None
    email: str | None


NewAlertNewAlertPercentage: TypeAlias = int


NewAlertNewAlertMailToItem: TypeAlias = str


class NewAlertNewAlert(TypedDict):
    type: Literal['spend']
    amount_usd: float
    """The budget of a period, in US dollars."""
    period: Literal['daily', 'monthly']
    """When the spending counts anew (UTC)."""
    percentages: NotRequired[list[NewAlertNewAlertPercentage]]
    """The parts of the budget that are told of, in per cent."""
    key_id: NotRequired[str | None]
    """The key, with those derived from it, whose spending counts; null: the whole workspace’s."""
    project_id: NotRequired[str | None]
    """The project whose spending counts; null: any. An alert has a key or a project, not both."""
    mail: NotRequired[bool]
    """Whether people get a mail too."""
    mail_to: NotRequired[list[NewAlertNewAlertMailToItem] | None]
    """The ids of the members who get it; null: owners and finance people, and also once no chosen one is left."""


NewAlertNewAlert1MailToItem: TypeAlias = str


class NewAlertNewAlert1(TypedDict):
    type: Literal['runway']
    days: int
    """Told of when the balance lasts less long, at the pace of seven days."""
    mail: NotRequired[bool]
    """Whether people get a mail too."""
    mail_to: NotRequired[list[NewAlertNewAlert1MailToItem] | None]
    """The ids of the members who get it; null: owners and finance people, and also once no chosen one is left."""


NewAlert: TypeAlias = NewAlertNewAlert | NewAlertNewAlert1


class Alert(TypedDict):
    id: str
    object: Literal['alert']
    type: Literal['spend', 'runway']
    key_id: str | None
    key_name: str | None
    project_id: str | None
    project_name: str | None
    amount_usd: float | None
    period: Literal['daily', 'monthly'] | None
    percentages: list[int]
    days: int | None
    mail: bool
    mail_to: list[str] | None
    """Members by their ids; null: owners and finance people."""
    spent_usd: float | None
    """In this period; null for a runway."""
    reached_percentage: int | None
    """The largest of the percentages that is reached; null: none."""
    runway_days: float | None
    """How long the balance lasts; null while nothing is spent, and for budgets."""
    is_reached: bool
    created_at: str


AlertChangePercentage: TypeAlias = int


AlertChangeMailToItem: TypeAlias = str


class AlertChange(TypedDict):
    """What is sent is changed: `days` of a runway, the others of spending, `mail` and `mail_to` of both."""

    amount_usd: NotRequired[float]
    """The budget of a period, in US dollars."""
    period: NotRequired[Literal['daily', 'monthly']]
    """When the spending counts anew (UTC)."""
    percentages: NotRequired[list[AlertChangePercentage]]
    """The parts of the budget that are told of, in per cent."""
    days: NotRequired[int]
    """Told of when the balance lasts less long, at the pace of seven days."""
    mail: NotRequired[bool]
    """Whether people get a mail too."""
    mail_to: NotRequired[list[AlertChangeMailToItem] | None]
    """The ids of the members who get it; null: owners and finance people, and also once no chosen one is left."""


class DeletedAlert(TypedDict):
    id: str
    object: Literal['alert']
    deleted: Literal[True]


class NewFlowRuleConcurrency(TypedDict):
    """How many runs of the agent run at once."""

    limit: int
    """Further runs wait in a queue."""
    key: NotRequired[str | None]
    """A JSON pointer into the order, below `/metadata` or `/input/data` (of a typed input): runs with the same value there are counted together, and so are those without one. Null: all runs of the agent."""


class NewFlowRuleRate(TypedDict):
    """How many runs of the agent start in a period."""

    limit: int
    period_seconds: int
    """At most `limit` runs start within any such period."""
    key: NotRequired[str | None]
    """A JSON pointer into the order, below `/metadata` or `/input/data` (of a typed input): runs with the same value there are counted together, and so are those without one. Null: all runs of the agent."""
    when_exceeded: NotRequired[Literal['queue', 'refuse']]
    """`queue`: further runs wait (throttle). `refuse`: 429 `run_rate_exceeded` with `retry-after`."""


class NewFlowRule(TypedDict):
    agent: str
    """`<namespace>/<slug>`: the runs of this agent that the workspace orders."""
    concurrency: NotRequired[NewFlowRuleConcurrency | None]
    """How many runs of the agent run at once."""
    rate: NotRequired[NewFlowRuleRate | None]
    """How many runs of the agent start in a period."""


class FlowRuleConcurrency(TypedDict):
    limit: int
    key: str | None


class FlowRuleRate(TypedDict):
    limit: int
    period_seconds: int
    key: str | None
    when_exceeded: Literal['queue', 'refuse']


class FlowRule(TypedDict):
    id: str
    object: Literal['flow_rule']
    agent: str
    concurrency: FlowRuleConcurrency | None
    rate: FlowRuleRate | None
    created_at: str


class FlowRuleChangeConcurrency(TypedDict):
    """How many runs of the agent run at once."""

    limit: int
    """Further runs wait in a queue."""
    key: NotRequired[str | None]
    """A JSON pointer into the order, below `/metadata` or `/input/data` (of a typed input): runs with the same value there are counted together, and so are those without one. Null: all runs of the agent."""


class FlowRuleChangeRate(TypedDict):
    """How many runs of the agent start in a period."""

    limit: int
    period_seconds: int
    """At most `limit` runs start within any such period."""
    key: NotRequired[str | None]
    """A JSON pointer into the order, below `/metadata` or `/input/data` (of a typed input): runs with the same value there are counted together, and so are those without one. Null: all runs of the agent."""
    when_exceeded: NotRequired[Literal['queue', 'refuse']]
    """`queue`: further runs wait (throttle). `refuse`: 429 `run_rate_exceeded` with `retry-after`."""


class FlowRuleChange(TypedDict):
    """What is sent is replaced as a whole; null removes it."""

    concurrency: NotRequired[FlowRuleChangeConcurrency | None]
    """How many runs of the agent run at once."""
    rate: NotRequired[FlowRuleChangeRate | None]
    """How many runs of the agent start in a period."""


class DeletedFlowRule(TypedDict):
    id: str
    object: Literal['flow_rule']
    deleted: Literal[True]


class NewProject(TypedDict):
    name: str
    spend_limit: NotRequired[float | None]
    spend_limit_period: NotRequired[Literal['daily', 'monthly'] | None]


class Project(TypedDict):
    id: str
    """`default` for the default project."""
    object: Literal['project']
    name: str
    status: Literal['active', 'archived']
    created_at: str | None
    """Null for the default project."""
    archived_at: str | None
    spend_limit: float | None
    """Null for none."""
    spend_limit_period: Literal['daily', 'monthly'] | None
    spend_limit_remaining: float | None
    """What is left of the ceiling in its period; null: no ceiling."""
    spend_daily: float
    spend_monthly: float
    spend_total: float
    keys: int
    """Keys that are neither revoked nor expired."""


class ProjectChange(TypedDict):
    name: NotRequired[str]
    spend_limit: NotRequired[float | None]
    spend_limit_period: NotRequired[Literal['daily', 'monthly'] | None]
    status: NotRequired[Literal['active', 'archived']]
    """The keys of an archived project are refused, and its usage stays readable. It can be made active again."""


class TestClock(TypedDict):
    object: Literal['test_clock']
    status: Literal['ready', 'advancing']
    """`advancing`: what is due until its target happens first, in its order. Read it again until it is `ready`."""
    now: str
    """The time of the test workspace."""
    target: str
    """Where it is being moved to; the same as `now` when it is ready."""
    ahead_seconds: int
    """How far that is ahead of the real time."""


class ClockBody(TypedDict):
    seconds: NotRequired[int]
    """By so many seconds: at most 366 days."""
    to: NotRequired[str]
    """To this time, which is not before the clock’s."""


class CheckoutBody(TypedDict):
    amount: float


class CheckoutSession(TypedDict):
    url: str
    """The page where it is paid."""
    session_id: str
    amount: float
    """In US dollars."""


class CardBodyAutoTopup(TypedDict):
    """The card pays by itself once it is saved. Without it, what is set stays: the card pays nothing unless that is on already."""

    threshold_usd: float
    """The card pays when the balance falls below this."""
    amount_usd: float
    """How much it pays each time."""
    monthly_cap_usd: float
    """The most it pays in a month (UTC)."""


class CardBody(TypedDict):
    return_url: NotRequired[str]
    """Where the page leads back to. A member in the console comes back to the console, whatever is sent."""
    auto_topup: NotRequired[CardBodyAutoTopup]
    """The card pays by itself once it is saved. Without it, what is set stays: the card pays nothing unless that is on already."""


class CardSession(TypedDict):
    url: str
    """The page where it is paid."""
    session_id: str


class WebhookAnswer(TypedDict):
    received: Literal[True]
    outcome: Literal['credited', 'noted', 'repeated', 'ignored', 'unknown', 'mismatch']
    """What came of the event. `unknown` and `mismatch` credit nothing."""


class AccountStatementSpendByProjectItem(TypedDict):
    project_id: str
    name: str
    requests: int
    cost_usd: float


class AccountStatementRow(TypedDict):
    line: Literal['opening_balance', 'topups', 'refunds', 'adjustments', 'payouts', 'spend', 'closing_balance']
    label: str
    product: Literal['text', 'embeddings', 'speech', 'transcription', 'voice_conversion', 'realtime', 'batch', 'agents'] | None
    name: str | None
    """The model or agent of a spend line."""
    requests: int | None
    amount_usd: float
    """Signed by its effect on the balance."""


class AutoTopupCard(TypedDict):
    """Null before a card is saved."""

    brand: str
    last4: str


class AutoTopup(TypedDict):
    enabled: bool
    threshold_usd: float | None
    """The card pays when the balance falls below this."""
    amount_usd: float | None
    """How much it pays each time."""
    monthly_cap_usd: float | None
    """The most it pays in a month (UTC)."""
    spent_this_month_usd: float
    card: AutoTopupCard | None
    """Null before a card is saved."""
    last_error: str | None
    """Why the card was declined the last time, or that it was removed; null once one has paid."""


class AutoTopupChange(TypedDict):
    enabled: NotRequired[bool]
    threshold_usd: NotRequired[float]
    """The card pays when the balance falls below this."""
    amount_usd: NotRequired[float]
    """How much it pays each time."""
    monthly_cap_usd: NotRequired[float]
    """The most it pays in a month (UTC)."""


class EventResource(TypedDict):
    type: str
    id: str


class Event(TypedDict):
    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: EventResource
    type: str
    """For example `run.completed`. New types may come: ignore those you do not know."""
    data: Any
    """The last event of a run holds the run."""


class NewWebhookEndpoint(TypedDict):
    url: str
    """Where events are posted: an https address on the public internet, without a user name and password."""
    event_types: NotRequired[list[Literal['*', 'run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached', 'schedule.paused', 'batch.completed', 'batch.failed', 'batch.expired', 'batch.cancelled', 'deployment.approved', 'deployment.changes_requested', 'deployment.rejected', 'deployment.withdrawn', 'deployment.suspended', 'deployment.reinstated', 'deployment.rollout_advanced', 'deployment.rollout_completed', 'deployment.rolled_back', 'agent.failing', 'agent.recovered', 'agent.run_shared', 'agent.price_increase', 'agent.channel_moved', 'agent.taken_down', 'agent.deprecated', 'agent.restored', 'payout.sent', 'payout.rejected', 'balance.low', 'balance.depleted', 'alert.spend_reached', 'alert.runway_short', 'invoice.issued', 'topup.succeeded', 'topup.failed', 'audit.entry_recorded', 'workspace.erasure_ordered', 'workspace.erasure_cancelled', 'key.created', 'key.revoked', 'key.spend_threshold', 'key.limit_reached']] | None]
    """The types to deliver, by name. `*`, an empty list or none: all, with those that come later."""
    description: NotRequired[str | None]
    disabled: NotRequired[bool | None]
    """A disabled endpoint gets nothing, and what happens meanwhile is not sent later."""


class CreatedWebhookEndpoint(TypedDict):
    id: str
    object: Literal['webhook_endpoint']
    url: str
    event_types: list[str]
    """`*`: all."""
    description: str | None
    disabled: bool
    disabled_reason: Literal['requested', 'gone', 'failing'] | None
    """`gone`: it answered 410. `failing`: no attempt succeeded for 5 days."""
    disabled_at: str | None
    failing_since: str | None
    """Since when no attempt has succeeded."""
    previous_secret_expires_at: str | None
    """Until when a secret from before a rotation signs too."""
    created_at: str
    secret: str | None
    """Shown this once. Null for a retry: rotate the secret to get another one."""


class WebhookEndpoint(TypedDict):
    id: str
    object: Literal['webhook_endpoint']
    url: str
    event_types: list[str]
    """`*`: all."""
    description: str | None
    disabled: bool
    disabled_reason: Literal['requested', 'gone', 'failing'] | None
    """`gone`: it answered 410. `failing`: no attempt succeeded for 5 days."""
    disabled_at: str | None
    failing_since: str | None
    """Since when no attempt has succeeded."""
    previous_secret_expires_at: str | None
    """Until when a secret from before a rotation signs too."""
    created_at: str


class WebhookEndpointChange(TypedDict):
    url: NotRequired[str]
    """Where events are posted: an https address on the public internet, without a user name and password."""
    event_types: NotRequired[list[Literal['*', 'run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached', 'schedule.paused', 'batch.completed', 'batch.failed', 'batch.expired', 'batch.cancelled', 'deployment.approved', 'deployment.changes_requested', 'deployment.rejected', 'deployment.withdrawn', 'deployment.suspended', 'deployment.reinstated', 'deployment.rollout_advanced', 'deployment.rollout_completed', 'deployment.rolled_back', 'agent.failing', 'agent.recovered', 'agent.run_shared', 'agent.price_increase', 'agent.channel_moved', 'agent.taken_down', 'agent.deprecated', 'agent.restored', 'payout.sent', 'payout.rejected', 'balance.low', 'balance.depleted', 'alert.spend_reached', 'alert.runway_short', 'invoice.issued', 'topup.succeeded', 'topup.failed', 'audit.entry_recorded', 'workspace.erasure_ordered', 'workspace.erasure_cancelled', 'key.created', 'key.revoked', 'key.spend_threshold', 'key.limit_reached']] | None]
    """The types to deliver, by name. `*`, an empty list or none: all, with those that come later."""
    description: NotRequired[str | None]
    disabled: NotRequired[bool | None]
    """A disabled endpoint gets nothing, and what happens meanwhile is not sent later."""


class DeletedWebhookEndpoint(TypedDict):
    id: str
    object: Literal['webhook_endpoint']
    deleted: Literal[True]


class RotatedWebhookEndpoint(TypedDict):
    id: str
    object: Literal['webhook_endpoint']
    url: str
    event_types: list[str]
    """`*`: all."""
    description: str | None
    disabled: bool
    disabled_reason: Literal['requested', 'gone', 'failing'] | None
    """`gone`: it answered 410. `failing`: no attempt succeeded for 5 days."""
    disabled_at: str | None
    failing_since: str | None
    """Since when no attempt has succeeded."""
    previous_secret_expires_at: str | None
    """Until when a secret from before a rotation signs too."""
    created_at: str
    secret: str
    """The signing secret, shown this once: `whsec_` and 32 bytes in base64."""


class WorkspaceEventPage(TypedDict):
    object: Literal['list']
    data: list[Event]
    has_more: bool
    next_cursor: str | None


class Redelivery(TypedDict):
    endpoint_id: NotRequired[str | None]
    """The endpoint that gets it, whatever its types. Without one: each enabled endpoint that gets events of this type."""


class RunOrderInput(TypedDict):
    type: Literal['input_text']
    text: str


class RunOrderInput1(TypedDict):
    type: Literal['input_file']
    file_id: str


class RunOrderInput2(TypedDict):
    type: Literal['input_data']
    data: dict[str, Any]
    """Fits the agent’s `input_schema`."""


class RunOrderInput3Content(TypedDict):
    type: Literal['input_text']
    text: str


class RunOrderInput3Content1(TypedDict):
    type: Literal['input_file']
    file_id: str


class RunOrderInput3(TypedDict):
    type: Literal['message']
    role: Literal['system', 'developer', 'user', 'assistant']
    """The agent’s own instructions stand above those of `system` and `developer`."""
    name: NotRequired[str]
    content: str | list[RunOrderInput3Content | RunOrderInput3Content1]
    """Files only in messages of the user."""


class RunOrderInput4(TypedDict):
    type: Literal['function_call']
    call_id: str
    name: str
    arguments: str


class RunOrderInput5(TypedDict):
    type: Literal['function_call_output']
    call_id: str
    output: str


class RunOrderResponseFormatJsonSchema(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    schema: dict[str, Any]
    strict: NotRequired[bool | None]


class RunOrderResponseFormat(TypedDict):
    """The schema of this run’s `output_data`, for agents with `accepts_response_format`."""

    type: Literal['json_schema']
    json_schema: RunOrderResponseFormatJsonSchema


class RunOrderConcurrency(TypedDict):
    """Waits in a queue while as many runs with this key run. A run keeps its place until it has ended."""

    key: str
    """Runs of the workspace with the same key are counted together, whichever agent they are of."""
    limit: int
    """A run starts when fewer than so many of them run."""


class RunOrderDebounce(TypedDict):
    """Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`."""

    key: str
    """Orders of the same agent with the same key are one burst."""
    seconds: int
    """The run starts so long after the last order of its burst."""
    max_seconds: NotRequired[int]
    """At the latest so long after the first order; while orders come, it waits on when left out."""


class RunOrder(TypedDict):
    agent: str
    """`<namespace>/<slug>`, or with `@` and a channel or a version: `acme/poet@beta`."""
    version: NotRequired[str]
    """A date label or `aver_…`; the current one when left out."""
    visibility: NotRequired[Literal['public', 'private']]
    quote_id: NotRequired[str]
    """Runs the version of this quote at its price, while the quote holds."""
    session_id: NotRequired[str]
    """A new session when left out."""
    input: str | list[RunOrderInput | RunOrderInput1 | RunOrderInput2 | RunOrderInput3 | RunOrderInput4 | RunOrderInput5]
    """A text; or the texts, files and data of one message; or a conversation of items `message`, `function_call` and `function_call_output`, whose last one is a message of the user."""
    response_format: NotRequired[RunOrderResponseFormat]
    """The schema of this run’s `output_data`, for agents with `accepts_response_format`."""
    max_cost_usd: NotRequired[float]
    """The agent’s maximum when left out."""
    on_limit: NotRequired[Literal['stop', 'pause']]
    """With `pause` the run waits for a higher limit, while it is below the agent’s maximum."""
    if_session_busy: NotRequired[Literal['reject', 'enqueue', 'interrupt']]
    concurrency: NotRequired[RunOrderConcurrency]
    """Waits in a queue while as many runs with this key run. A run keeps its place until it has ended."""
    priority: NotRequired[int]
    """Seconds: it starts before runs that were ordered up to so long ago. A negative one lets others go first."""
    debounce: NotRequired[RunOrderDebounce]
    """Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`."""
    timeout_seconds: NotRequired[int]
    metadata: NotRequired[dict[str, str]]
    user: NotRequired[str]
    """Your end user, by an id of your own: an agent with memory remembers for this user, across sessions."""
    state: NotRequired[dict[str, Any]]
    """The state of the new session, as a JSON object."""
    stream: NotRequired[bool]
    """Answers with the run’s events."""
    include: NotRequired[list[Literal['steps', 'deltas', 'reasoning', 'cost']]]
    """For `stream`. Of the groups `steps`, `deltas` (pieces of text), `reasoning` and `cost`, only these; other events always come. Pieces that the reader has not fetched yet come as one, with the id of the last. When left out, everything, piece by piece."""
    on_disconnect: NotRequired[Literal['continue', 'cancel']]
    """`cancel` only with `stream`; `continue` when left out."""
    webhook_url: NotRequired[str]
    """The address of one of your webhook endpoints, with a query of its own if you like: events of this run go there."""
    webhook_events: NotRequired[list[Literal['run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached']]]
    """Which events go to `webhook_url`; all of these when left out."""
    start_after_seconds: NotRequired[int]
    source: NotRequired[Literal['api', 'chat', 'workstream']]


class RunOutput(TypedDict):
    type: Literal['output_text']
    text: str


class RunOutput1(TypedDict):
    type: Literal['output_file']
    file_id: str
    filename: str
    media_type: str
    size_bytes: int


class RunOutput2(TypedDict):
    type: Literal['output_data']
    data: Any


class RunRequiredAction(TypedDict):
    """What it waits for: the first of `required_actions`, for clients that show one."""

    type: Literal['text', 'form', 'tool_approval', 'raise_limit', 'plugin_secret', 'plugin_sign_in']
    step_id: NotRequired[str]
    """Names the action in an answer."""
    expires_at: NotRequired[str]
    """Without an answer by then its `default` is taken; without a default the run ends as `limit_reached`."""
    question: NotRequired[str]
    """For `text` and `form`."""
    schema: NotRequired[dict[str, Any]]
    """For `form`: the JSON Schema of the answer’s `data`, a flat object as in MCP’s elicitation."""
    default: NotRequired[Any]
    """For `text` and `form`: what is taken when the time is up."""
    name: NotRequired[str]
    """For `tool_approval`: the tool."""
    arguments: NotRequired[dict[str, Any]]
    """For `tool_approval`: what the tool is called with, as the model wrote it."""
    input_schema: NotRequired[dict[str, Any] | None]
    """For `tool_approval`: the JSON Schema that changed arguments have to fit. Not in events."""
    expected_cost_usd: NotRequired[float | None]
    """For `tool_approval`: what the call probably costs; null when it is not known. US dollars."""
    maximum_cost_usd: NotRequired[float | None]
    """For `tool_approval`: the most that it costs; null without a limit. US dollars."""
    max_cost_usd: NotRequired[float]
    """For `raise_limit`: the limit now."""
    held_usd: NotRequired[float]
    """For `raise_limit`: what the run held when it stopped. While it waits, it holds no more than it has used."""
    plugin: NotRequired[str]
    """For what a plugin needs: its id."""
    secret: NotRequired[str]
    """For `plugin_secret`: the name of the secret."""
    message: NotRequired[str]
    """For what a plugin needs: how it is given."""
    url: NotRequired[str]
    """For what a plugin needs: the page of the console where it is given."""


class RunRequiredAction1(TypedDict):
    type: Literal['text', 'form', 'tool_approval', 'raise_limit', 'plugin_secret', 'plugin_sign_in']
    step_id: NotRequired[str]
    """Names the action in an answer."""
    expires_at: NotRequired[str]
    """Without an answer by then its `default` is taken; without a default the run ends as `limit_reached`."""
    question: NotRequired[str]
    """For `text` and `form`."""
    schema: NotRequired[dict[str, Any]]
    """For `form`: the JSON Schema of the answer’s `data`, a flat object as in MCP’s elicitation."""
    default: NotRequired[Any]
    """For `text` and `form`: what is taken when the time is up."""
    name: NotRequired[str]
    """For `tool_approval`: the tool."""
    arguments: NotRequired[dict[str, Any]]
    """For `tool_approval`: what the tool is called with, as the model wrote it."""
    input_schema: NotRequired[dict[str, Any] | None]
    """For `tool_approval`: the JSON Schema that changed arguments have to fit. Not in events."""
    expected_cost_usd: NotRequired[float | None]
    """For `tool_approval`: what the call probably costs; null when it is not known. US dollars."""
    maximum_cost_usd: NotRequired[float | None]
    """For `tool_approval`: the most that it costs; null without a limit. US dollars."""
    max_cost_usd: NotRequired[float]
    """For `raise_limit`: the limit now."""
    held_usd: NotRequired[float]
    """For `raise_limit`: what the run held when it stopped. While it waits, it holds no more than it has used."""
    plugin: NotRequired[str]
    """For what a plugin needs: its id."""
    secret: NotRequired[str]
    """For `plugin_secret`: the name of the secret."""
    message: NotRequired[str]
    """For what a plugin needs: how it is given."""
    url: NotRequired[str]
    """For what a plugin needs: the page of the console where it is given."""


class RunError(TypedDict):
    message: str
    type: str
    param: str | None
    code: str


class RunLimit(TypedDict):
    kind: Literal['max_cost', 'key_spend', 'balance', 'timeout', 'steps', 'model_output_limit']
    """`model_output_limit`: the answer is longer than the model writes; in tokens of one call."""
    value: float
    used: float


class RunUsageMeter(TypedDict):
    id: str
    unit: str
    quantity: float
    price_usd: float
    """US dollars."""
    platform_cost_usd: float
    """The part of the price that passes through to the platform, US dollars."""
    cost_usd: float
    """US dollars."""


class RunUsage(TypedDict):
    meters: list[RunUsageMeter]
    subtotal_usd: float
    """US dollars."""
    platform_cost_usd: float
    """The platform’s part for model and sandbox in US dollars, from the subtotal and its own subsidy."""
    network_fee_usd: float
    """US dollars."""
    total_usd: float
    """US dollars."""
    children_usd: float
    """What the runs have cost that this one started: billed as theirs, and not in `total_usd`. US dollars."""
    settled: bool
    """`true`: this is the bill. `false`: the cost so far."""


class RunRerunOf(TypedDict):
    run_id: str
    from_step: int
    """The first step that ran anew; the results of those before are reused."""


class RunConcurrency(TypedDict):
    """As it was sent."""

    key: str
    limit: int


class RunDebounce(TypedDict):
    """As it was sent."""

    key: str
    seconds: int
    max_seconds: NotRequired[int]


class RunQueue(TypedDict):
    """What a queued run waits for. Null for a run that waits for nothing, and in events and lists of events."""

    waits_for: Literal['session', 'concurrency', 'rate', 'debounce', 'start_time']
    """The end of its session’s runs, a place for its key, its share of a rate, the end of a burst, or its time."""
    position: int | None
    """1: the next one; at most 1001. Null for a time."""
    key: str | None
    """Whose runs are counted together."""
    limit: int | None
    period_seconds: int | None
    """Of a rate."""
    starts_at: str | None
    """At the earliest, when it waits for a time."""


class RunLinks(TypedDict):
    self: str
    events: str
    cancel: str


class Run(TypedDict):
    id: str
    object: Literal['run']
    agent: str
    agent_id: str
    version_id: str
    version: str
    session_id: str
    status: Literal['queued', 'in_progress', 'requires_action', 'cancelling', 'completed', 'limit_reached', 'cancelled', 'failed']
    """The last four are final."""
    status_reason: str | None
    """Why it ended so. `waits_for_worker`: it goes on when a worker is free, until its timeout."""
    input: Any
    """As it was sent; null when it was deleted, 30 days after the end."""
    response_format: dict[str, Any] | None
    """As it was sent: the schema of this run’s `output_data`."""
    output: list[RunOutput | RunOutput1 | RunOutput2]
    required_action: RunRequiredAction | None
    """What it waits for: the first of `required_actions`, for clients that show one."""
    required_actions: list[RunRequiredAction1]
    """All that it waits for: the questions and approvals of one turn. Each is answered once, in any order."""
    error: RunError | None
    fault: Literal['platform', 'provider', 'agent', 'caller'] | None
    """The cause of a failure."""
    limit: RunLimit | None
    max_cost_usd: float
    """US dollars."""
    held_usd: float
    """The hold of the run in US dollars."""
    usage: RunUsage
    rerun_of: RunRerunOf | None
    parent_run_id: str | None
    """The run whose agent started this one."""
    priority: int
    """As it was sent."""
    concurrency: RunConcurrency | None
    """As it was sent."""
    debounce: RunDebounce | None
    """As it was sent."""
    queue: RunQueue | None
    source: str
    metadata: dict[str, str]
    user: str | None
    """The end user that the order named."""
    created_at: str
    started_at: str | None
    completed_at: str | None
    cancel_requested_at: str | None
    duration_seconds: float | None
    last_event_id: str | None
    links: RunLinks


class RunCreatedEventResource(TypedDict):
    type: str
    id: str


class RunCreatedEventDataRerunOf(TypedDict):
    """Of a rerun."""

    run_id: str
    from_step: int
    """The first step that ran anew; the results of those before are reused."""


class RunCreatedEventData(TypedDict):
    agent: str
    version: str
    session_id: str
    status: str
    max_cost_usd: float
    """US dollars."""
    held_usd: float
    """US dollars."""
    rerun_of: NotRequired[RunCreatedEventDataRerunOf]
    """Of a rerun."""
    parent_run_id: NotRequired[str]
    """The run whose agent started this one."""


class RunCreatedEvent(TypedDict):
    """The run is stored, and its money held."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunCreatedEventResource
    type: Literal['run.created']
    data: RunCreatedEventData


class RunQueuedEventResource(TypedDict):
    type: str
    id: str


class RunQueuedEventData(TypedDict):
    status: str
    waiting: bool
    """For an earlier run of its session, or for its turn: see `queue` of the run."""
    start_at: str


class RunQueuedEvent(TypedDict):
    """It waits for its time, its session, its turn or a worker."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunQueuedEventResource
    type: Literal['run.queued']
    data: RunQueuedEventData


class RunInProgressEventResource(TypedDict):
    type: str
    id: str


class RunInProgressEvent(TypedDict):
    """It has begun, or goes on after an answer."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunInProgressEventResource
    type: Literal['run.in_progress']
    data: dict[str, Any]


class RunRequiresActionEventResource(TypedDict):
    type: str
    id: str


class RunRequiresActionEventDataRequiredAction(TypedDict):
    """The first of `required_actions`."""

    type: Literal['text', 'form', 'tool_approval', 'raise_limit', 'plugin_secret', 'plugin_sign_in']
    step_id: NotRequired[str]
    """Names the action in an answer."""
    expires_at: NotRequired[str]
    """Without an answer by then its `default` is taken; without a default the run ends as `limit_reached`."""
    question: NotRequired[str]
    """For `text` and `form`."""
    schema: NotRequired[dict[str, Any]]
    """For `form`: the JSON Schema of the answer’s `data`, a flat object as in MCP’s elicitation."""
    default: NotRequired[Any]
    """For `text` and `form`: what is taken when the time is up."""
    name: NotRequired[str]
    """For `tool_approval`: the tool."""
    arguments: NotRequired[dict[str, Any]]
    """For `tool_approval`: what the tool is called with, as the model wrote it."""
    input_schema: NotRequired[dict[str, Any] | None]
    """For `tool_approval`: the JSON Schema that changed arguments have to fit. Not in events."""
    expected_cost_usd: NotRequired[float | None]
    """For `tool_approval`: what the call probably costs; null when it is not known. US dollars."""
    maximum_cost_usd: NotRequired[float | None]
    """For `tool_approval`: the most that it costs; null without a limit. US dollars."""
    max_cost_usd: NotRequired[float]
    """For `raise_limit`: the limit now."""
    held_usd: NotRequired[float]
    """For `raise_limit`: what the run held when it stopped. While it waits, it holds no more than it has used."""
    plugin: NotRequired[str]
    """For what a plugin needs: its id."""
    secret: NotRequired[str]
    """For `plugin_secret`: the name of the secret."""
    message: NotRequired[str]
    """For what a plugin needs: how it is given."""
    url: NotRequired[str]
    """For what a plugin needs: the page of the console where it is given."""


class RunRequiresActionEventDataRequiredAction1(TypedDict):
    type: Literal['text', 'form', 'tool_approval', 'raise_limit', 'plugin_secret', 'plugin_sign_in']
    step_id: NotRequired[str]
    """Names the action in an answer."""
    expires_at: NotRequired[str]
    """Without an answer by then its `default` is taken; without a default the run ends as `limit_reached`."""
    question: NotRequired[str]
    """For `text` and `form`."""
    schema: NotRequired[dict[str, Any]]
    """For `form`: the JSON Schema of the answer’s `data`, a flat object as in MCP’s elicitation."""
    default: NotRequired[Any]
    """For `text` and `form`: what is taken when the time is up."""
    name: NotRequired[str]
    """For `tool_approval`: the tool."""
    arguments: NotRequired[dict[str, Any]]
    """For `tool_approval`: what the tool is called with, as the model wrote it."""
    input_schema: NotRequired[dict[str, Any] | None]
    """For `tool_approval`: the JSON Schema that changed arguments have to fit. Not in events."""
    expected_cost_usd: NotRequired[float | None]
    """For `tool_approval`: what the call probably costs; null when it is not known. US dollars."""
    maximum_cost_usd: NotRequired[float | None]
    """For `tool_approval`: the most that it costs; null without a limit. US dollars."""
    max_cost_usd: NotRequired[float]
    """For `raise_limit`: the limit now."""
    held_usd: NotRequired[float]
    """For `raise_limit`: what the run held when it stopped. While it waits, it holds no more than it has used."""
    plugin: NotRequired[str]
    """For what a plugin needs: its id."""
    secret: NotRequired[str]
    """For `plugin_secret`: the name of the secret."""
    message: NotRequired[str]
    """For what a plugin needs: how it is given."""
    url: NotRequired[str]
    """For what a plugin needs: the page of the console where it is given."""


class RunRequiresActionEventData(TypedDict):
    required_action: RunRequiresActionEventDataRequiredAction
    """The first of `required_actions`."""
    required_actions: NotRequired[list[RunRequiresActionEventDataRequiredAction1]]
    """All that are open. Older events lack it."""
    held_usd: float
    """US dollars."""


class RunRequiresActionEvent(TypedDict):
    """It waits for you: answer by `POST /v1/runs/{run_id}/input`, or give to a plugin what it needs. It comes again with what is left when one of several actions was answered."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunRequiresActionEventResource
    type: Literal['run.requires_action']
    data: RunRequiresActionEventData


class RunStepReusedEventResource(TypedDict):
    type: str
    id: str


class RunStepReusedEventData(TypedDict):
    step_id: str
    kind: Literal['model', 'tool', 'sandbox', 'file', 'compaction']
    """`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads."""
    name: str
    """The tool, or the model; of a compaction `summarize` or `truncate`."""
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    model: NotRequired[str]
    """Of a step of the kind `model`."""
    reused_from: str
    """The step of the repeated run."""
    is_error: bool
    error_code: str | None
    arguments: NotRequired[str]
    """As the model wrote them, at most 4096 bytes."""
    arguments_truncated: NotRequired[bool]
    result_preview: NotRequired[str]
    """At most 1024 bytes."""
    result_truncated: NotRequired[bool]


class RunStepReusedEvent(TypedDict):
    """A rerun has taken over a step with its result. It costs nothing, unless the repeated run failed and was not billed."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunStepReusedEventResource
    type: Literal['run.step.reused']
    data: RunStepReusedEventData


class RunStepStartedEventResource(TypedDict):
    type: str
    id: str


class RunStepStartedEventData(TypedDict):
    step_id: str
    kind: Literal['model', 'tool', 'sandbox', 'file', 'compaction']
    """`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads."""
    name: str
    """The tool, or the model; of a compaction `summarize` or `truncate`."""
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    model: NotRequired[str]
    """Of a step of the kind `model`."""
    arguments: NotRequired[str]
    """As the model wrote them, at most 4096 bytes."""
    arguments_truncated: NotRequired[bool]


class RunStepStartedEvent(TypedDict):
    """An attempt of a step has begun."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunStepStartedEventResource
    type: Literal['run.step.started']
    data: RunStepStartedEventData


class RunStepRetryingEventResource(TypedDict):
    type: str
    id: str


class RunStepRetryingEventData(TypedDict):
    step_id: str
    kind: Literal['model', 'tool', 'sandbox', 'file', 'compaction']
    """`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads."""
    name: str
    """The tool, or the model; of a compaction `summarize` or `truncate`."""
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    model: NotRequired[str]
    """Of a step of the kind `model`."""
    is_error: bool
    error_code: str | None
    started_at: str
    """Of the first attempt."""
    ended_at: str
    duration_ms: int
    input_tokens: float | None
    """Of a model, and of a compaction."""
    output_tokens: float | None
    """Of a model, and of a compaction."""
    sandbox_seconds: float | None
    """Of a sandbox."""
    cost_usd: float
    """US dollars, before the fee, the minimum and the limit of the whole run."""
    result_preview: NotRequired[str]
    """At most 1024 bytes."""
    result_truncated: NotRequired[bool]
    code: str
    """The same as `error_code`."""
    retry_at: str


class RunStepRetryingEvent(TypedDict):
    """An attempt failed; the next one begins at `retry_at`."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunStepRetryingEventResource
    type: Literal['run.step.retrying']
    data: RunStepRetryingEventData


class RunStepCompletedEventResource(TypedDict):
    type: str
    id: str


class RunStepCompletedEventData(TypedDict):
    step_id: str
    kind: Literal['model', 'tool', 'sandbox', 'file', 'compaction']
    """`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads."""
    name: str
    """The tool, or the model; of a compaction `summarize` or `truncate`."""
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    model: NotRequired[str]
    """Of a step of the kind `model`."""
    is_error: bool
    error_code: str | None
    started_at: str
    """Of the first attempt."""
    ended_at: str
    duration_ms: int
    input_tokens: float | None
    """Of a model, and of a compaction."""
    output_tokens: float | None
    """Of a model, and of a compaction."""
    sandbox_seconds: float | None
    """Of a sandbox."""
    cost_usd: float
    """US dollars, before the fee, the minimum and the limit of the whole run."""
    result_preview: NotRequired[str]
    """At most 1024 bytes."""
    result_truncated: NotRequired[bool]


class RunStepCompletedEvent(TypedDict):
    """A step has its result."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunStepCompletedEventResource
    type: Literal['run.step.completed']
    data: RunStepCompletedEventData


class RunStepFailedEventResource(TypedDict):
    type: str
    id: str


class RunStepFailedEventData(TypedDict):
    step_id: str
    kind: Literal['model', 'tool', 'sandbox', 'file', 'compaction']
    """`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads."""
    name: str
    """The tool, or the model; of a compaction `summarize` or `truncate`."""
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    model: NotRequired[str]
    """Of a step of the kind `model`."""
    is_error: bool
    error_code: str | None
    started_at: str
    """Of the first attempt."""
    ended_at: str
    duration_ms: int
    input_tokens: float | None
    """Of a model, and of a compaction."""
    output_tokens: float | None
    """Of a model, and of a compaction."""
    sandbox_seconds: float | None
    """Of a sandbox."""
    cost_usd: float
    """US dollars, before the fee, the minimum and the limit of the whole run."""
    result_preview: NotRequired[str]
    """At most 1024 bytes."""
    result_truncated: NotRequired[bool]
    reason: str
    """The same as `error_code`."""
    message: NotRequired[str]
    """What the model reads."""


class RunStepFailedEvent(TypedDict):
    """A step failed; or has an error as its result, which the model reads: of a tool, or about an output that does not fit; or was open when its run ended."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunStepFailedEventResource
    type: Literal['run.step.failed']
    data: RunStepFailedEventData


class RunReasoningDeltaEventResource(TypedDict):
    type: str
    id: str


class RunReasoningDeltaEventData(TypedDict):
    step_id: str
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    delta: str
    offset: int
    """How many characters (UTF-16 units) came before: what a reader already has beyond them is replaced."""


class RunReasoningDeltaEvent(TypedDict):
    """What the model thinks, where its upstream shows it."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunReasoningDeltaEventResource
    type: Literal['run.reasoning.delta']
    data: RunReasoningDeltaEventData


class RunProgressEventResource(TypedDict):
    type: str
    id: str


class RunProgressEventData(TypedDict):
    step_id: str
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    elapsed_ms: int
    output_tokens: float


class RunProgressEvent(TypedDict):
    """The model works, but has nothing to show yet."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunProgressEventResource
    type: Literal['run.progress']
    data: RunProgressEventData


class RunToolProgressEventResource(TypedDict):
    type: str
    id: str


class RunToolProgressEventData(TypedDict):
    step_id: str
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    tool: str
    message: str
    percentage: float | None
    """From 0 to 100."""


class RunToolProgressEvent(TypedDict):
    """A tool that is code of its publisher says how far it is."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunToolProgressEventResource
    type: Literal['run.tool.progress']
    data: RunToolProgressEventData


class RunOutputTextDeltaEventResource(TypedDict):
    type: str
    id: str


class RunOutputTextDeltaEventData(TypedDict):
    item_id: str
    """Names the text. A later attempt of the step writes it anew under another id; a step that goes on with a text that a limit cut keeps its id, and a later attempt of that step begins again at the `offset` where it went on."""
    delta: str
    offset: int
    """How many characters (UTF-16 units) came before: what a reader already has beyond them is replaced."""


class RunOutputTextDeltaEvent(TypedDict):
    """A piece of a text."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunOutputTextDeltaEventResource
    type: Literal['run.output_text.delta']
    data: RunOutputTextDeltaEventData


class RunOutputTextDoneEventResource(TypedDict):
    type: str
    id: str


class RunOutputTextDoneEventData(TypedDict):
    item_id: str
    """Names the text. A later attempt of the step writes it anew under another id; a step that goes on with a text that a limit cut keeps its id, and a later attempt of that step begins again at the `offset` where it went on."""
    text: str


class RunOutputTextDoneEvent(TypedDict):
    """A whole text, which replaces its pieces. It comes when no step goes on with it."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunOutputTextDoneEventResource
    type: Literal['run.output_text.done']
    data: RunOutputTextDoneEventData


class RunOutputFileCreatedEventResource(TypedDict):
    type: str
    id: str


class RunOutputFileCreatedEventData(TypedDict):
    type: Literal['output_file']
    file_id: str
    filename: str
    media_type: str
    size_bytes: int


class RunOutputFileCreatedEvent(TypedDict):
    """A file was written."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunOutputFileCreatedEventResource
    type: Literal['run.output_file.created']
    data: RunOutputFileCreatedEventData


class RunOutputDataDoneEventResource(TypedDict):
    type: str
    id: str


class RunOutputDataDoneEventData(TypedDict):
    type: Literal['output_data']
    data: Any


class RunOutputDataDoneEvent(TypedDict):
    """Data was returned."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunOutputDataDoneEventResource
    type: Literal['run.output_data.done']
    data: RunOutputDataDoneEventData


class RunStateUpdatedEventResource(TypedDict):
    type: str
    id: str


class RunStateUpdatedEventData(TypedDict):
    session_id: str
    version: int
    step_id: str | None
    """Null: by a caller."""


class RunStateUpdatedEvent(TypedDict):
    """The state of its session was changed: by a step, or by a caller while it works or waits."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunStateUpdatedEventResource
    type: Literal['run.state.updated']
    data: RunStateUpdatedEventData


class RunUsageUpdatedEventResource(TypedDict):
    type: str
    id: str


class RunUsageUpdatedEventDataMeter(TypedDict):
    id: str
    unit: str
    quantity: float
    price_usd: float
    """US dollars."""
    platform_cost_usd: float
    """The part of the price that passes through to the platform, US dollars."""
    cost_usd: float
    """US dollars."""


class RunUsageUpdatedEventData(TypedDict):
    meters: list[RunUsageUpdatedEventDataMeter]
    total_usd: float
    """US dollars."""
    children_usd: NotRequired[float]
    """What the agents have cost that it called, beside `total_usd`. Missing in events of earlier releases."""
    held_usd: float
    """US dollars."""


class RunUsageUpdatedEvent(TypedDict):
    """What the run has consumed and costs so far."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunUsageUpdatedEventResource
    type: Literal['run.usage.updated']
    data: RunUsageUpdatedEventData


class RunBudgetWarningEventResource(TypedDict):
    type: str
    id: str


class RunBudgetWarningEventData(TypedDict):
    total_usd: float
    """US dollars."""
    max_cost_usd: float
    """US dollars."""
    share: float


class RunBudgetWarningEvent(TypedDict):
    """The run and the agents that it called have used four fifths of its limit: `total_usd` is what all of them cost."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunBudgetWarningEventResource
    type: Literal['run.budget.warning']
    data: RunBudgetWarningEventData


class RunCancellingEventResource(TypedDict):
    type: str
    id: str


class RunCancellingEventData(TypedDict):
    status: Literal['cancelling']
    mode: Literal['graceful', 'immediate']
    reason: str | None


class RunCancellingEvent(TypedDict):
    """It is being cancelled."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunCancellingEventResource
    type: Literal['run.cancelling']
    data: RunCancellingEventData


class RunCompletedEventResource(TypedDict):
    type: str
    id: str


class RunCompletedEvent(TypedDict):
    """The end: the work is done."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunCompletedEventResource
    type: Literal['run.completed']
    data: Run


class RunLimitReachedEventResource(TypedDict):
    type: str
    id: str


class RunLimitReachedEvent(TypedDict):
    """The end: money, time or steps were used up."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunLimitReachedEventResource
    type: Literal['run.limit_reached']
    data: Run


class RunCancelledEventResource(TypedDict):
    type: str
    id: str


class RunCancelledEvent(TypedDict):
    """The end: it was cancelled."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunCancelledEventResource
    type: Literal['run.cancelled']
    data: Run


class RunFailedEventResource(TypedDict):
    type: str
    id: str


class RunFailedEvent(TypedDict):
    """The end: it failed, and costs nothing."""

    id: str
    """Send it as `Last-Event-ID` to go on after it."""
    object: Literal['event']
    created_at: str
    timestamp: str
    """The same as `created_at`."""
    sequence: int
    """Numbers the events of a run from 1, without a gap; with `include`, those that are left out or joined are missing."""
    run_id: str | None
    resource: RunFailedEventResource
    type: Literal['run.failed']
    data: Run


class RunQuotePriceMeter(TypedDict):
    id: Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls']
    unit: str
    price_usd: float
    """For a unit, before the network fee."""
    platform_cost_usd: float
    """The part of the price that passes through to the platform."""
    description: str


class RunQuotePrice(TypedDict):
    id: str
    currency: Literal['USD']
    minimum_cost_usd: float
    maximum_cost_usd: float
    network_fee_percentage: float
    subsidised: bool
    """Whether the platform pays the part of its own cost that the prices do not cover."""
    meters: list[RunQuotePriceMeter]


class RunQuoteUpcomingVersionPricingMeter(TypedDict):
    id: Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls']
    unit: str
    price_usd: float
    """For a unit, before the network fee."""
    platform_cost_usd: float
    """The part of the price that passes through to the platform."""
    description: str


class RunQuoteUpcomingVersionPricing(TypedDict):
    id: str
    currency: Literal['USD']
    minimum_cost_usd: float
    maximum_cost_usd: float
    network_fee_percentage: float
    subsidised: bool
    """Whether the platform pays the part of its own cost that the prices do not cover."""
    meters: list[RunQuoteUpcomingVersionPricingMeter]


class RunQuoteUpcomingVersion(TypedDict):
    """A more expensive version that orders of the same name get at this time. Null for an order that names a version."""

    version: str
    effective_at: str
    pricing: RunQuoteUpcomingVersionPricing


class RunQuote(TypedDict):
    id: str
    """Send it as `quote_id` to run at this price, within 15 minutes."""
    object: Literal['run.quote']
    agent: str
    version: str
    version_id: str
    p50_usd: float | None
    """Half of the runs cost at most this. Null while there are too few runs."""
    p90_usd: float | None
    """Nine of ten runs cost at most this. Null while there are too few runs."""
    max_usd: float
    """The run costs at most this: the `max_cost_usd` that was sent, or the agent’s maximum."""
    sample_size: int
    """How many runs the estimate is made of."""
    based_on: Literal['version', 'other_versions', 'rate_card']
    """`version`: what runs of this version consumed, at this price. `other_versions`: the same of the agent’s other versions. `rate_card`: there are too few runs, so all that is known is `price` and `max_usd`."""
    price: RunQuotePrice
    upcoming_version: RunQuoteUpcomingVersion | None
    """A more expensive version that orders of the same name get at this time. Null for an order that names a version."""
    expires_at: str


class RunPage(TypedDict):
    object: Literal['list']
    data: list[Run]
    has_more: bool
    next_cursor: str | None


class RunTotals(TypedDict):
    object: Literal['run.totals']
    count: int
    """Runs of the list."""
    cost_usd: float | None
    """The sum of their bills, in US dollars: a run is billed when it ends. Null when `is_capped`."""
    is_capped: bool
    """There are more than 500000 runs: they are not counted further."""


class RunStepChildRun(TypedDict):
    """The run of another agent that the step has started. It is billed as a run of its own."""

    id: str
    status: str
    total_usd: float
    """With the runs below it, US dollars."""


class RunStepResultToolCall(TypedDict):
    step_id: str | None
    """Null for a call that is not run: the output of the run, over the limit of 20 in one answer, or cut by the model’s limit."""
    id: str
    name: str
    arguments: str


class RunStepResult(TypedDict):
    text: str
    """What the model wrote, what the tool returned, or the summary."""
    refusal: str | None
    """Why the output in it does not fit its schema, as the model reads it."""
    tool_calls: list[RunStepResultToolCall]


class RunStep(TypedDict):
    id: str
    """The same as `step_id`."""
    object: Literal['run.step']
    run_id: str
    number: int
    """Orders the steps of the run."""
    step_id: str
    kind: Literal['model', 'tool', 'sandbox', 'file', 'compaction']
    """`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads."""
    name: str
    """The tool, or the model; of a compaction `summarize` or `truncate`."""
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    model: str | None
    status: Literal['in_progress', 'retrying', 'completed', 'failed', 'cancelled']
    """`failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first."""
    retry_at: str | None
    """When the next attempt begins, while one waits."""
    is_error: bool
    error_code: str | None
    reused_from: str | None
    """The step of the repeated run whose result this is. It costs nothing if that run was billed; if that one failed, it costs what it did there, and is shown once this run has begun. Null for a step of this run itself."""
    child_run: RunStepChildRun | None
    """The run of another agent that the step has started. It is billed as a run of its own."""
    started_at: str
    """Of the first attempt."""
    ended_at: str | None
    """Of the last attempt."""
    duration_ms: int | None
    input_tokens: float | None
    """Of a model, and of a compaction."""
    output_tokens: float | None
    """Of a model, and of a compaction."""
    sandbox_seconds: float | None
    """Of a sandbox."""
    cost_usd: float
    """US dollars, before the fee, the minimum and the limit of the whole run."""
    arguments: str | None
    """The whole arguments."""
    result: RunStepResult | None
    instructions: str | None
    """What the agent tells its model; only for the workspace of the agent."""


ReplayOrder = TypedDict(
    'ReplayOrder',
    {
        'agent': NotRequired[str],
        'version': NotRequired[str],
        'session_id': NotRequired[str],
        'schedule_id': NotRequired[str],
        'parent_run_id': NotRequired[str],
        'source': NotRequired[Literal['api', 'chat', 'workstream', 'schedule', 'agent', 'test']],
        'user': NotRequired[str],
        'fault': NotRequired[Literal['platform', 'provider', 'agent', 'caller']],
        'error_code': NotRequired[str],
        'error': NotRequired[str],
        'metadata': NotRequired[dict[str, str]],
        'from': NotRequired[str],
        'to': NotRequired[str],
        'status': NotRequired[list[Literal['limit_reached', 'cancelled', 'failed']]],
        'replay_version': NotRequired[str],
        'max_cost_usd': NotRequired[float],
        'limit': NotRequired[int],
        'cursor': NotRequired[str],
    },
)


class ReplayQuote(TypedDict):
    object: Literal['run.replay_quote']
    count: int
    """Runs that would be repeated, of this page."""
    refused: int
    """Runs that cannot be repeated: their agent, version or limit is gone."""
    p50_usd: float | None
    """The sum of what half of such runs cost at most. Null when too few are known."""
    p90_usd: float | None
    max_usd: float
    """They cost at most this together, and this is held when they start."""
    run_ids: list[str]
    has_more: bool
    next_cursor: str | None
    """Send it as `cursor` for the next runs that fit."""


class ReplayStoppedBy(TypedDict):
    """Why it ended before the last run: no money, or too many open runs. Go on later, at `next_cursor`."""

    code: str
    message: str


class RerunOrderResponseFormatJsonSchema(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    schema: dict[str, Any]
    strict: NotRequired[bool | None]


class RerunOrderResponseFormat(TypedDict):
    """The schema of this run’s `output_data`, for agents with `accepts_response_format`."""

    type: Literal['json_schema']
    json_schema: RerunOrderResponseFormatJsonSchema


class RerunOrderConcurrency(TypedDict):
    """Waits in a queue while as many runs with this key run. A run keeps its place until it has ended."""

    key: str
    """Runs of the workspace with the same key are counted together, whichever agent they are of."""
    limit: int
    """A run starts when fewer than so many of them run."""


class RerunOrderDebounce(TypedDict):
    """Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`."""

    key: str
    """Orders of the same agent with the same key are one burst."""
    seconds: int
    """The run starts so long after the last order of its burst."""
    max_seconds: NotRequired[int]
    """At the latest so long after the first order; while orders come, it waits on when left out."""


class RerunOrderInput(TypedDict):
    type: Literal['input_text']
    text: str


class RerunOrderInput1(TypedDict):
    type: Literal['input_file']
    file_id: str


class RerunOrderInput2(TypedDict):
    type: Literal['input_data']
    data: dict[str, Any]
    """Fits the agent’s `input_schema`."""


class RerunOrderInput3Content(TypedDict):
    type: Literal['input_text']
    text: str


class RerunOrderInput3Content1(TypedDict):
    type: Literal['input_file']
    file_id: str


class RerunOrderInput3(TypedDict):
    type: Literal['message']
    role: Literal['system', 'developer', 'user', 'assistant']
    """The agent’s own instructions stand above those of `system` and `developer`."""
    name: NotRequired[str]
    content: str | list[RerunOrderInput3Content | RerunOrderInput3Content1]
    """Files only in messages of the user."""


class RerunOrderInput4(TypedDict):
    type: Literal['function_call']
    call_id: str
    name: str
    arguments: str


class RerunOrderInput5(TypedDict):
    type: Literal['function_call_output']
    call_id: str
    output: str


class RerunOrder(TypedDict):
    from_step: int | str
    """The first step to run anew, by number or id. The results of the steps before it are reused."""
    version: NotRequired[str]
    """A date label or `aver_…` of the same agent; that of the run when left out."""
    visibility: NotRequired[Literal['public', 'private']]
    """That of the run when left out."""
    response_format: NotRequired[RerunOrderResponseFormat]
    """The schema of this run’s `output_data`, for agents with `accepts_response_format`."""
    max_cost_usd: NotRequired[float]
    """The agent’s maximum when left out."""
    on_limit: NotRequired[Literal['stop', 'pause']]
    """With `pause` the run waits for a higher limit, while it is below the agent’s maximum."""
    concurrency: NotRequired[RerunOrderConcurrency]
    """Waits in a queue while as many runs with this key run. A run keeps its place until it has ended."""
    priority: NotRequired[int]
    """Seconds: it starts before runs that were ordered up to so long ago. A negative one lets others go first."""
    debounce: NotRequired[RerunOrderDebounce]
    """Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`."""
    timeout_seconds: NotRequired[int]
    metadata: NotRequired[dict[str, str]]
    user: NotRequired[str]
    """Your end user, by an id of your own: an agent with memory remembers for this user, across sessions."""
    stream: NotRequired[bool]
    """Answers with the run’s events."""
    include: NotRequired[list[Literal['steps', 'deltas', 'reasoning', 'cost']]]
    """For `stream`. Of the groups `steps`, `deltas` (pieces of text), `reasoning` and `cost`, only these; other events always come. Pieces that the reader has not fetched yet come as one, with the id of the last. When left out, everything, piece by piece."""
    on_disconnect: NotRequired[Literal['continue', 'cancel']]
    """`cancel` only with `stream`; `continue` when left out."""
    webhook_url: NotRequired[str]
    """The address of one of your webhook endpoints, with a query of its own if you like: events of this run go there."""
    webhook_events: NotRequired[list[Literal['run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached']]]
    """Which events go to `webhook_url`; all of these when left out."""
    input: NotRequired[str | list[RerunOrderInput | RerunOrderInput1 | RerunOrderInput2 | RerunOrderInput3 | RerunOrderInput4 | RerunOrderInput5]]
    """That of the run when left out."""
    source: NotRequired[Literal['api', 'chat', 'workstream']]


class RunComparisonFirstRerunOf(TypedDict):
    run_id: str
    from_step: int
    """The first step that ran anew; the results of those before are reused."""


class RunComparisonFirstOutput(TypedDict):
    type: Literal['output_text']
    text: str


class RunComparisonFirstOutput1(TypedDict):
    type: Literal['output_file']
    file_id: str
    filename: str
    media_type: str
    size_bytes: int


class RunComparisonFirstOutput2(TypedDict):
    type: Literal['output_data']
    data: Any


class RunComparisonFirstError(TypedDict):
    message: str
    type: str
    param: str | None
    code: str


class RunComparisonFirst(TypedDict):
    id: str
    agent: str
    version: str
    version_id: str
    status: Literal['queued', 'in_progress', 'requires_action', 'cancelling', 'completed', 'limit_reached', 'cancelled', 'failed']
    """The last four are final."""
    rerun_of: RunComparisonFirstRerunOf | None
    input: Any
    """As it was sent; null when it was deleted, 30 days after the end."""
    output: list[RunComparisonFirstOutput | RunComparisonFirstOutput1 | RunComparisonFirstOutput2]
    error: RunComparisonFirstError | None
    created_at: str
    duration_seconds: float | None
    total_usd: float
    """US dollars."""
    input_tokens: float
    output_tokens: float
    steps: int
    steps_truncated: bool
    """It has more than the 1000 steps that are compared and counted here."""
    reused_steps: int
    """Those that cost nothing, because their results are another run’s."""


class RunComparisonSecondRerunOf(TypedDict):
    run_id: str
    from_step: int
    """The first step that ran anew; the results of those before are reused."""


class RunComparisonSecondOutput(TypedDict):
    type: Literal['output_text']
    text: str


class RunComparisonSecondOutput1(TypedDict):
    type: Literal['output_file']
    file_id: str
    filename: str
    media_type: str
    size_bytes: int


class RunComparisonSecondOutput2(TypedDict):
    type: Literal['output_data']
    data: Any


class RunComparisonSecondError(TypedDict):
    message: str
    type: str
    param: str | None
    code: str


class RunComparisonSecond(TypedDict):
    id: str
    agent: str
    version: str
    version_id: str
    status: Literal['queued', 'in_progress', 'requires_action', 'cancelling', 'completed', 'limit_reached', 'cancelled', 'failed']
    """The last four are final."""
    rerun_of: RunComparisonSecondRerunOf | None
    input: Any
    """As it was sent; null when it was deleted, 30 days after the end."""
    output: list[RunComparisonSecondOutput | RunComparisonSecondOutput1 | RunComparisonSecondOutput2]
    error: RunComparisonSecondError | None
    created_at: str
    duration_seconds: float | None
    total_usd: float
    """US dollars."""
    input_tokens: float
    output_tokens: float
    steps: int
    steps_truncated: bool
    """It has more than the 1000 steps that are compared and counted here."""
    reused_steps: int
    """Those that cost nothing, because their results are another run’s."""


class RunCancellation(TypedDict):
    reason: NotRequired[str]
    mode: NotRequired[Literal['graceful', 'immediate']]
    """`graceful` lets the running tool finish, within 30 seconds, unless `immediate` is sent."""


class RunAnswerRunAnswer(TypedDict):
    """One answer, or `answers` to several actions: all of them are taken or none."""

    type: Literal['text']
    step_id: NotRequired[str]
    """The action that is answered; the first open one of the type when left out."""
    text: str


class RunAnswerRunAnswer1(TypedDict):
    """One answer, or `answers` to several actions: all of them are taken or none."""

    type: Literal['form']
    step_id: NotRequired[str]
    """The action that is answered; the first open one of the type when left out."""
    data: dict[str, Any]
    """The fields of the form: fits the `schema` of the action."""


class RunAnswerRunAnswer2(TypedDict):
    """One answer, or `answers` to several actions: all of them are taken or none."""

    type: Literal['tool_approval']
    step_id: NotRequired[str]
    """The action that is answered; the first open one of the type when left out."""
    decision: Literal['approve', 'refuse']
    arguments: NotRequired[dict[str, Any]]
    """With `approve`: the arguments to use instead. They fit the `input_schema` of the action."""
    reason: NotRequired[str]
    """With `refuse`: what the model reads."""


class RunAnswerRunAnswer3(TypedDict):
    """One answer, or `answers` to several actions: all of them are taken or none."""

    type: Literal['raise_limit']
    step_id: NotRequired[str]
    """The action that is answered; the first open one of the type when left out."""
    max_cost_usd: float
    """US dollars."""


class RunAnswerRunAnswer4Answers(TypedDict):
    type: Literal['text']
    step_id: NotRequired[str]
    """The action that is answered; the first open one of the type when left out."""
    text: str


class RunAnswerRunAnswer4Answers1(TypedDict):
    type: Literal['form']
    step_id: NotRequired[str]
    """The action that is answered; the first open one of the type when left out."""
    data: dict[str, Any]
    """The fields of the form: fits the `schema` of the action."""


class RunAnswerRunAnswer4Answers2(TypedDict):
    type: Literal['tool_approval']
    step_id: NotRequired[str]
    """The action that is answered; the first open one of the type when left out."""
    decision: Literal['approve', 'refuse']
    arguments: NotRequired[dict[str, Any]]
    """With `approve`: the arguments to use instead. They fit the `input_schema` of the action."""
    reason: NotRequired[str]
    """With `refuse`: what the model reads."""


class RunAnswerRunAnswer4Answers3(TypedDict):
    type: Literal['raise_limit']
    step_id: NotRequired[str]
    """The action that is answered; the first open one of the type when left out."""
    max_cost_usd: float
    """US dollars."""


class RunAnswerRunAnswer4(TypedDict):
    """One answer, or `answers` to several actions: all of them are taken or none."""

    answers: list[RunAnswerRunAnswer4Answers | RunAnswerRunAnswer4Answers1 | RunAnswerRunAnswer4Answers2 | RunAnswerRunAnswer4Answers3]


RunAnswer: TypeAlias = RunAnswerRunAnswer | RunAnswerRunAnswer1 | RunAnswerRunAnswer2 | RunAnswerRunAnswer3 | RunAnswerRunAnswer4
"""One answer, or `answers` to several actions: all of them are taken or none."""


class RunFeedbackRunFeedback(TypedDict):
    id: str
    object: Literal['run.feedback']
    run_id: str
    session_id: str
    agent: str
    outcome: str
    reason: str
    source: str
    created_at: str
    updated_at: str


RunFeedback: TypeAlias = RunFeedbackRunFeedback | None


class FeedbackOrder(TypedDict):
    outcome: Literal['complete', 'partial', 'failed']
    """Whether the run did what it was asked."""
    reason: NotRequired[str]
    source: NotRequired[Literal['api', 'chat', 'workstream']]
    """The run’s own when left out."""


class WorkspaceUsageTotals(TypedDict):
    spent_usd: float
    """US dollars."""
    tasks: int
    completed: int
    failed: int
    limit_reached: int
    failed_cost_usd: float
    """The cost of failed runs, which is not billed."""
    completion_rate: float
    """From 0 to 1."""
    median_cost_usd: float | None
    """Null for fewer than five completed runs."""
    median_duration_seconds: float | None


class WorkspaceUsagePrior(TypedDict):
    """The same of as many days before; null when no run ended on them."""

    spent_usd: float
    """US dollars."""
    tasks: int
    completed: int
    failed: int
    limit_reached: int
    failed_cost_usd: float
    """The cost of failed runs, which is not billed."""
    completion_rate: float
    """From 0 to 1."""
    median_cost_usd: float | None
    """Null for fewer than five completed runs."""
    median_duration_seconds: float | None


class WorkspaceUsageByAgentItem(TypedDict):
    agent_id: str
    agent_name: str
    spent_usd: float
    """US dollars."""
    tasks: int
    completed: int
    failed: int
    failed_cost_usd: float
    """US dollars."""
    median_cost_usd: float | None
    daily_spent_usd: list[float]


class WorkspaceUsageBySourceItem(TypedDict):
    source: str
    label: str
    spent_usd: float
    """US dollars."""
    tasks: int


class WorkspaceUsageByMeterItem(TypedDict):
    id: str
    label: str
    unit: str
    quantity: float
    cost_usd: float
    """US dollars."""
    share: float
    """Part of the whole spending, from 0 to 1. The network fee is one of the parts."""


class RunShare(TypedDict):
    object: Literal['run.share']
    run_id: str
    is_shareable: bool
    """An ended run of another workspace’s agent, with its content."""
    status: Literal['none', 'active', 'expired', 'revoked']
    created_at: str | None
    expires_at: str | None
    revoked_at: str | None
    read_at: str | None
    """When the publisher first read it."""


class RunShareOrder(TypedDict):
    days: NotRequired[int]
    """How long the publisher may read it, from now."""


class NewScheduleRunInput(TypedDict):
    type: Literal['input_text']
    text: str


class NewScheduleRunInput1(TypedDict):
    type: Literal['input_file']
    file_id: str


class NewScheduleRunInput2(TypedDict):
    type: Literal['input_data']
    data: dict[str, Any]
    """Fits the agent’s `input_schema`."""


class NewScheduleRunInput3Content(TypedDict):
    type: Literal['input_text']
    text: str


class NewScheduleRunInput3Content1(TypedDict):
    type: Literal['input_file']
    file_id: str


class NewScheduleRunInput3(TypedDict):
    type: Literal['message']
    role: Literal['system', 'developer', 'user', 'assistant']
    """The agent’s own instructions stand above those of `system` and `developer`."""
    name: NotRequired[str]
    content: str | list[NewScheduleRunInput3Content | NewScheduleRunInput3Content1]
    """Files only in messages of the user."""


class NewScheduleRunInput4(TypedDict):
    type: Literal['function_call']
    call_id: str
    name: str
    arguments: str


class NewScheduleRunInput5(TypedDict):
    type: Literal['function_call_output']
    call_id: str
    output: str


class NewScheduleRunResponseFormatJsonSchema(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    schema: dict[str, Any]
    strict: NotRequired[bool | None]


class NewScheduleRunResponseFormat(TypedDict):
    """The schema of this run’s `output_data`, for agents with `accepts_response_format`."""

    type: Literal['json_schema']
    json_schema: NewScheduleRunResponseFormatJsonSchema


class NewScheduleRunConcurrency(TypedDict):
    """Waits in a queue while as many runs with this key run. A run keeps its place until it has ended."""

    key: str
    """Runs of the workspace with the same key are counted together, whichever agent they are of."""
    limit: int
    """A run starts when fewer than so many of them run."""


class NewScheduleRunDebounce(TypedDict):
    """Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`."""

    key: str
    """Orders of the same agent with the same key are one burst."""
    seconds: int
    """The run starts so long after the last order of its burst."""
    max_seconds: NotRequired[int]
    """At the latest so long after the first order; while orders come, it waits on when left out."""


class NewScheduleRun(TypedDict):
    """The body of each run, as of POST /v1/runs. With `session_id` all runs use that session."""

    agent: str
    """`<namespace>/<slug>`, or with `@` and a channel or a version: `acme/poet@beta`."""
    version: NotRequired[str]
    """A date label or `aver_…`; at each firing the current one when left out."""
    visibility: NotRequired[Literal['public', 'private']]
    session_id: NotRequired[str]
    """A new session when left out."""
    input: str | list[NewScheduleRunInput | NewScheduleRunInput1 | NewScheduleRunInput2 | NewScheduleRunInput3 | NewScheduleRunInput4 | NewScheduleRunInput5]
    """A text; or the texts, files and data of one message; or a conversation of items `message`, `function_call` and `function_call_output`, whose last one is a message of the user."""
    response_format: NotRequired[NewScheduleRunResponseFormat]
    """The schema of this run’s `output_data`, for agents with `accepts_response_format`."""
    max_cost_usd: NotRequired[float]
    """The agent’s maximum when left out."""
    on_limit: NotRequired[Literal['stop', 'pause']]
    """With `pause` the run waits for a higher limit, while it is below the agent’s maximum."""
    if_session_busy: NotRequired[Literal['reject', 'enqueue', 'interrupt']]
    concurrency: NotRequired[NewScheduleRunConcurrency]
    """Waits in a queue while as many runs with this key run. A run keeps its place until it has ended."""
    priority: NotRequired[int]
    """Seconds: it starts before runs that were ordered up to so long ago. A negative one lets others go first."""
    debounce: NotRequired[NewScheduleRunDebounce]
    """Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`."""
    timeout_seconds: NotRequired[int]
    metadata: NotRequired[dict[str, str]]
    user: NotRequired[str]
    """Your end user, by an id of your own: an agent with memory remembers for this user, across sessions."""
    state: NotRequired[dict[str, Any]]
    """The state of the new session, as a JSON object."""
    webhook_url: NotRequired[str]
    """The address of one of your webhook endpoints, with a query of its own if you like: events of this run go there."""
    webhook_events: NotRequired[list[Literal['run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached']]]
    """Which events go to `webhook_url`; all of these when left out."""


class NewSchedule(TypedDict):
    name: NotRequired[str | None]
    """For lists."""
    cron: NotRequired[str | None]
    every_seconds: NotRequired[int | None]
    timezone: NotRequired[str]
    """The zone of `cron`: a name of the IANA database."""
    jitter_seconds: NotRequired[int]
    """Each firing is delayed by a random time up to this."""
    start_at: NotRequired[str | None]
    """No firing before it."""
    end_at: NotRequired[str | None]
    """No firing after it."""
    overlap: NotRequired[Literal['skip', 'buffer_one', 'cancel_other', 'allow']]
    """A firing that is due while the run of an earlier one is open: is skipped, waits for its end (one at most), cancels it, or runs beside it."""
    catchup_window_seconds: NotRequired[int]
    """How late a firing may be that the service could not start in time; and how far a resumption looks back."""
    remaining_runs: NotRequired[int | None]
    """Firings until the schedule ends; null: no limit."""
    pause_after_misses: NotRequired[int]
    """Firings in a row that the balance or the key’s limit does not cover, after which it is paused."""
    run: NewScheduleRun
    """The body of each run, as of POST /v1/runs. With `session_id` all runs use that session."""
    paused: NotRequired[bool]
    """Whether it is made paused."""
    pause_note: NotRequired[str | None]
    """Why, for people."""


class ScheduleRun(TypedDict):
    agent: str


class ScheduleChangeRunInput(TypedDict):
    type: Literal['input_text']
    text: str


class ScheduleChangeRunInput1(TypedDict):
    type: Literal['input_file']
    file_id: str


class ScheduleChangeRunInput2(TypedDict):
    type: Literal['input_data']
    data: dict[str, Any]
    """Fits the agent’s `input_schema`."""


class ScheduleChangeRunInput3Content(TypedDict):
    type: Literal['input_text']
    text: str


class ScheduleChangeRunInput3Content1(TypedDict):
    type: Literal['input_file']
    file_id: str


class ScheduleChangeRunInput3(TypedDict):
    type: Literal['message']
    role: Literal['system', 'developer', 'user', 'assistant']
    """The agent’s own instructions stand above those of `system` and `developer`."""
    name: NotRequired[str]
    content: str | list[ScheduleChangeRunInput3Content | ScheduleChangeRunInput3Content1]
    """Files only in messages of the user."""


class ScheduleChangeRunInput4(TypedDict):
    type: Literal['function_call']
    call_id: str
    name: str
    arguments: str


class ScheduleChangeRunInput5(TypedDict):
    type: Literal['function_call_output']
    call_id: str
    output: str


class ScheduleChangeRunResponseFormatJsonSchema(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    schema: dict[str, Any]
    strict: NotRequired[bool | None]


class ScheduleChangeRunResponseFormat(TypedDict):
    """The schema of this run’s `output_data`, for agents with `accepts_response_format`."""

    type: Literal['json_schema']
    json_schema: ScheduleChangeRunResponseFormatJsonSchema


class ScheduleChangeRunConcurrency(TypedDict):
    """Waits in a queue while as many runs with this key run. A run keeps its place until it has ended."""

    key: str
    """Runs of the workspace with the same key are counted together, whichever agent they are of."""
    limit: int
    """A run starts when fewer than so many of them run."""


class ScheduleChangeRunDebounce(TypedDict):
    """Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`."""

    key: str
    """Orders of the same agent with the same key are one burst."""
    seconds: int
    """The run starts so long after the last order of its burst."""
    max_seconds: NotRequired[int]
    """At the latest so long after the first order; while orders come, it waits on when left out."""


class ScheduleChangeRun(TypedDict):
    """The body of each run, as of POST /v1/runs. With `session_id` all runs use that session."""

    agent: str
    """`<namespace>/<slug>`, or with `@` and a channel or a version: `acme/poet@beta`."""
    version: NotRequired[str]
    """A date label or `aver_…`; at each firing the current one when left out."""
    visibility: NotRequired[Literal['public', 'private']]
    session_id: NotRequired[str]
    """A new session when left out."""
    input: str | list[ScheduleChangeRunInput | ScheduleChangeRunInput1 | ScheduleChangeRunInput2 | ScheduleChangeRunInput3 | ScheduleChangeRunInput4 | ScheduleChangeRunInput5]
    """A text; or the texts, files and data of one message; or a conversation of items `message`, `function_call` and `function_call_output`, whose last one is a message of the user."""
    response_format: NotRequired[ScheduleChangeRunResponseFormat]
    """The schema of this run’s `output_data`, for agents with `accepts_response_format`."""
    max_cost_usd: NotRequired[float]
    """The agent’s maximum when left out."""
    on_limit: NotRequired[Literal['stop', 'pause']]
    """With `pause` the run waits for a higher limit, while it is below the agent’s maximum."""
    if_session_busy: NotRequired[Literal['reject', 'enqueue', 'interrupt']]
    concurrency: NotRequired[ScheduleChangeRunConcurrency]
    """Waits in a queue while as many runs with this key run. A run keeps its place until it has ended."""
    priority: NotRequired[int]
    """Seconds: it starts before runs that were ordered up to so long ago. A negative one lets others go first."""
    debounce: NotRequired[ScheduleChangeRunDebounce]
    """Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`."""
    timeout_seconds: NotRequired[int]
    metadata: NotRequired[dict[str, str]]
    user: NotRequired[str]
    """Your end user, by an id of your own: an agent with memory remembers for this user, across sessions."""
    state: NotRequired[dict[str, Any]]
    """The state of the new session, as a JSON object."""
    webhook_url: NotRequired[str]
    """The address of one of your webhook endpoints, with a query of its own if you like: events of this run go there."""
    webhook_events: NotRequired[list[Literal['run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached']]]
    """Which events go to `webhook_url`; all of these when left out."""


class ScheduleChange(TypedDict):
    name: NotRequired[str | None]
    """For lists."""
    cron: NotRequired[str | None]
    every_seconds: NotRequired[int | None]
    timezone: NotRequired[str]
    """The zone of `cron`: a name of the IANA database."""
    jitter_seconds: NotRequired[int]
    """Each firing is delayed by a random time up to this."""
    start_at: NotRequired[str | None]
    """No firing before it."""
    end_at: NotRequired[str | None]
    """No firing after it."""
    overlap: NotRequired[Literal['skip', 'buffer_one', 'cancel_other', 'allow']]
    """A firing that is due while the run of an earlier one is open: is skipped, waits for its end (one at most), cancels it, or runs beside it."""
    catchup_window_seconds: NotRequired[int]
    """How late a firing may be that the service could not start in time; and how far a resumption looks back."""
    remaining_runs: NotRequired[int | None]
    """Firings until the schedule ends; null: no limit."""
    pause_after_misses: NotRequired[int]
    """Firings in a row that the balance or the key’s limit does not cover, after which it is paused."""
    run: NotRequired[ScheduleChangeRun]
    """The body of each run, as of POST /v1/runs. With `session_id` all runs use that session."""


class SchedulePause(TypedDict):
    note: NotRequired[str | None]
    """Why, for people."""


class ScheduleResumption(TypedDict):
    catch_up: NotRequired[bool]
    """Makes up for the times that passed during the pause, within the catch-up window and by the overlap policy."""


class VoiceSpeechRequestVoiceSettings(TypedDict):
    stability: NotRequired[float | None]
    similarity_boost: NotRequired[float | None]
    style: NotRequired[float | None]
    use_speaker_boost: NotRequired[bool | None]
    speed: NotRequired[float | None]


class VoiceSpeechRequest(TypedDict):
    text: str
    """At most 40000 characters. The embedded voices refuse letters of other scripts (`unsupported_language`) and a text with nothing to speak (`invalid_value`)."""
    model_id: NotRequired[str]
    """Any id of the vendor’s models."""
    language_code: NotRequired[str]
    """The embedded voices support English only and refuse others."""
    voice_settings: NotRequired[VoiceSpeechRequestVoiceSettings]
    seed: NotRequired[int]
    previous_text: NotRequired[str]
    """The embedded voices speak each text by itself."""
    next_text: NotRequired[str]
    apply_text_normalization: NotRequired[Literal['auto', 'on', 'off']]


class TimedSpeechAlignment(TypedDict):
    """Null when the engine reports no times."""

    characters: list[str]
    character_start_times_seconds: list[float]
    character_end_times_seconds: list[float]


class TimedSpeechNormalizedAlignment(TypedDict):
    """Null when the engine reports no times."""

    characters: list[str]
    character_start_times_seconds: list[float]
    character_end_times_seconds: list[float]


class TimedSpeech(TypedDict):
    audio_base64: str
    alignment: TimedSpeechAlignment | None
    """Null when the engine reports no times."""
    normalized_alignment: TimedSpeechNormalizedAlignment | None
    """Null when the engine reports no times."""


class HearingForm(TypedDict):
    model_id: str
    language_code: NotRequired[str]
    temperature: NotRequired[float]
    timestamps_granularity: NotRequired[Literal['none', 'word']]
    file_format: NotRequired[Literal['other']]
    tag_audio_events: NotRequired[bool]
    """The embedded recogniser detects no events."""
    seed: NotRequired[int]
    file: bytes


class ConversionFormVoiceSettings(TypedDict):
    """As JSON text."""

    stability: NotRequired[float | None]
    similarity_boost: NotRequired[float | None]
    style: NotRequired[float | None]
    use_speaker_boost: NotRequired[bool | None]
    speed: NotRequired[float | None]


class ConversionForm(TypedDict):
    model_id: NotRequired[str]
    voice_settings: NotRequired[ConversionFormVoiceSettings]
    """As JSON text."""
    seed: NotRequired[int]
    remove_background_noise: NotRequired[bool]
    audio: bytes


class NewVoiceForm(TypedDict):
    name: str
    description: NotRequired[str]
    labels: NotRequired[str]
    """A JSON object of texts."""
    remove_background_noise: NotRequired[bool]
    files: list[bytes]


class NewVoice(TypedDict):
    voice_id: str
    requires_verification: Literal[False]


class VoiceSettings(TypedDict):
    stability: float
    similarity_boost: float
    style: float
    use_speaker_boost: bool
    speed: float


class VoiceSample(TypedDict):
    sample_id: str
    file_name: str
    mime_type: str
    size_bytes: int
    hash: str


class VoiceDone(TypedDict):
    status: Literal['ok']


class VoiceChangeForm(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    labels: NotRequired[str]
    """A JSON object of texts."""
    remove_background_noise: NotRequired[bool]
    files: NotRequired[list[bytes]]


class VoiceSettingsRequest(TypedDict):
    stability: NotRequired[float | None]
    similarity_boost: NotRequired[float | None]
    style: NotRequired[float | None]
    use_speaker_boost: NotRequired[bool | None]
    speed: NotRequired[float | None]


class VoiceModelsVoiceModelLanguage(TypedDict):
    language_id: str
    name: str


class VoiceModelsVoiceModel(TypedDict):
    model_id: str
    name: str
    can_do_text_to_speech: bool
    can_do_voice_conversion: bool
    languages: list[VoiceModelsVoiceModelLanguage]


VoiceModels: TypeAlias = list[VoiceModelsVoiceModel]


class VoiceSubscription(TypedDict):
    tier: Literal['prepaid']
    status: Literal['active']
    character_count: int
    character_limit: int
    """The characters that the balance buys."""


HistoryDownloadHistoryItemId: TypeAlias = str


class HistoryDownload(TypedDict):
    history_item_ids: list[HistoryDownloadHistoryItemId]
    output_format: NotRequired[Literal['default', 'wav']]
    """`default`: as each item was made. `wav`: for items that were made as WAV or PCM."""


class SpeechHistoryItem(TypedDict):
    history_item_id: str
    request_id: str
    voice_id: str
    voice_name: str
    voice_category: Literal['premade', 'cloned']
    model_id: str
    text: str
    date_unix: int
    character_count_change_from: int
    character_count_change_to: int
    content_type: str
    state: Literal['created']
    output_format: str
    """As the request named it."""
    source: Literal['TTS', 'STS']


FileForm = TypedDict(
    'FileForm',
    {
        'file': bytes,
        'purpose': Literal['agent_input', 'agent_icon', 'workspace_logo', 'batch', 'user_data', 'vision', 'assistants'],
        'expires_after[anchor]': NotRequired[Literal['created_at']],
        'expires_after[seconds]': NotRequired[int],
    },
)


class OpenAiFile(TypedDict):
    id: str
    object: Literal['file']
    bytes: int
    created_at: int
    """Seconds since 1970."""
    expires_at: int | None
    filename: str
    purpose: str
    status: Literal['processed']
    status_details: None


class UploadRequestExpiresAfter(TypedDict):
    anchor: Literal['created_at']
    seconds: int


class UploadRequest(TypedDict):
    filename: str
    purpose: Literal['agent_input', 'agent_icon', 'workspace_logo', 'batch', 'user_data', 'vision', 'assistants']
    bytes: int
    """The size of the whole file."""
    mime_type: str
    """The file’s own content decides its type."""
    expires_after: NotRequired[UploadRequestExpiresAfter]


class Upload(TypedDict):
    id: str
    object: Literal['upload']
    bytes: int
    created_at: int
    """Seconds since 1970."""
    expires_at: int
    """Seconds since 1970."""
    filename: str
    purpose: str
    status: Literal['pending', 'completed', 'cancelled']
    file: OpenAiFile | None


class UploadPartForm(TypedDict):
    data: bytes


class UploadPart(TypedDict):
    id: str
    object: Literal['upload.part']
    created_at: int
    """Seconds since 1970."""
    upload_id: str


UploadCompletionPartId: TypeAlias = str


class UploadCompletion(TypedDict):
    part_ids: list[UploadCompletionPartId]
    """In the order of the file."""
    md5: NotRequired[str]
    """Hexadecimal; compared with the whole file."""


class FileFile(TypedDict):
    """Files of agents and of OpenAI’s purposes have different members."""

    id: str
    object: Literal['file']
    purpose: str
    filename: str
    media_type: str
    size_bytes: int
    created_at: str
    expires_at: str | None


File: TypeAlias = FileFile | OpenAiFile
"""Files of agents and of OpenAI’s purposes have different members."""


class FileList(TypedDict):
    object: Literal['list']
    data: list[File]
    first_id: str | None
    last_id: str | None
    """Send it as `after` for the next page."""
    has_more: bool
    next_cursor: str | None


class BatchRequestOutputExpiresAfter(TypedDict):
    """How long the files of results are kept. Default: 30 days."""

    anchor: Literal['created_at']
    seconds: int


class BatchRequest(TypedDict):
    input_file_id: str
    """A file of the purpose `batch`."""
    endpoint: str
    """The route of every line: /v1/chat/completions, /v1/completions, /v1/responses, /v1/embeddings. The prefix `/textapi` may be before it."""
    completion_window: Literal['24h']
    metadata: NotRequired[dict[str, str]]
    """Key-value pairs of your own."""
    output_expires_after: NotRequired[BatchRequestOutputExpiresAfter]
    """How long the files of results are kept. Default: 30 days."""


class BatchErrorsDatum(TypedDict):
    code: str
    line: int | None
    """The line of the file, from 1; null for the file as a whole."""
    message: str
    param: str | None


class BatchErrors(TypedDict):
    """Why the file could not be run: the first thousand errors."""

    object: Literal['list']
    data: list[BatchErrorsDatum]


class BatchRequestCounts(TypedDict):
    total: int
    completed: int
    failed: int


class BatchUsageInputTokensDetails(TypedDict):
    cached_tokens: int


class BatchUsageOutputTokensDetails(TypedDict):
    reasoning_tokens: int


class BatchUsage(TypedDict):
    input_tokens: int
    input_tokens_details: BatchUsageInputTokensDetails
    output_tokens: int
    output_tokens_details: BatchUsageOutputTokensDetails
    total_tokens: int
    cost: float
    """What its answered lines cost so far, in US dollars."""


class BatchEstimate(TypedDict):
    """Known once the file is checked."""

    max_cost: float
    """What its lines cost at most, in US dollars: with their whole prompts and as much output as allowed. Earlier items that a line refers to are not in it."""


class Batch(TypedDict):
    id: str
    object: Literal['batch']
    endpoint: str
    errors: BatchErrors | None
    """Why the file could not be run: the first thousand errors."""
    input_file_id: str
    completion_window: str
    status: Literal['validating', 'failed', 'in_progress', 'finalizing', 'completed', 'expired', 'cancelling', 'cancelled']
    output_file_id: str | None
    error_file_id: str | None
    created_at: int
    in_progress_at: int | None
    """Seconds since 1970."""
    expires_at: int | None
    """Seconds since 1970."""
    finalizing_at: int | None
    """Seconds since 1970."""
    completed_at: int | None
    """Seconds since 1970."""
    failed_at: int | None
    """Seconds since 1970."""
    expired_at: int | None
    """Seconds since 1970."""
    cancelling_at: int | None
    """Seconds since 1970."""
    cancelled_at: int | None
    """Seconds since 1970."""
    request_counts: BatchRequestCounts
    usage: BatchUsage
    estimate: BatchEstimate | None
    """Known once the file is checked."""
    metadata: dict[str, str] | None


class BatchList(TypedDict):
    object: Literal['list']
    data: list[Batch]
    first_id: str | None
    last_id: str | None
    """Send it as `after` for the next page."""
    has_more: bool


class NewSession(TypedDict):
    title: NotRequired[str]
    metadata: NotRequired[dict[str, str]]
    state: NotRequired[dict[str, Any]]
    """The state of the new session, as a JSON object."""


class Session(TypedDict):
    id: str
    object: Literal['session']
    title: str | None
    status: Literal['idle', 'busy']
    """Busy while a run of it has not ended."""
    active_run_id: str | None
    created_at: str
    updated_at: str
    metadata: dict[str, str]


class SessionPage(TypedDict):
    object: Literal['list']
    data: list[Session]
    has_more: bool
    next_cursor: str | None


class SessionFileListSaveError(TypedDict):
    message: str
    type: str
    param: str | None
    code: str


class SessionFileListSaveOperationError(TypedDict):
    message: str
    type: str
    param: str | None
    code: str


class SessionFileListSaveOperation(TypedDict):
    """A step of a run that is saving files or has failed to. Null when there is none."""

    id: str
    run_id: str
    tool_step_id: str
    last_committed_generation: int
    state: Literal['saving', 'saved', 'failed']
    recovery: Literal['none', 'retrying', 'required']
    error: SessionFileListSaveOperationError | None


class NewSessionFileNewSessionFile(TypedDict):
    kind: Literal['directory']
    name: str
    parent_id: NotRequired[str]


class NewSessionFileNewSessionFile1(TypedDict):
    kind: NotRequired[Literal['file']]
    file_id: str
    parent_id: NotRequired[str]
    name: NotRequired[str]


NewSessionFile: TypeAlias = NewSessionFileNewSessionFile | NewSessionFileNewSessionFile1


class SessionFileForm(TypedDict):
    parent_id: NotRequired[str]
    name: NotRequired[str]
    file: bytes


class SessionFileFile(TypedDict):
    """Null for a directory."""

    id: str
    object: Literal['file']
    purpose: str
    filename: str
    media_type: str
    size_bytes: int
    created_at: str
    expires_at: str | None


class SessionFile(TypedDict):
    id: str
    session_id: str
    parent_id: str
    """The directory that contains it. The top directory has an id but is not an entry."""
    name: str
    path: str
    """Path from the top directory, with slashes."""
    kind: Literal['file', 'directory']
    file: SessionFileFile | None
    """Null for a directory."""
    revision_id: str
    """Changes with the content."""
    updated_at: str


class SessionFileChange(TypedDict):
    name: NotRequired[str | None]
    parent_id: NotRequired[str | None]


class SessionState(TypedDict):
    object: Literal['session.state']
    session_id: str
    version: int
    """Rises by one with each change; 0 before the first."""
    size_bytes: int
    """As JSON."""
    run_id: str | None
    """The run whose step changed it; null: a caller."""
    step_id: str | None
    changed_at: str
    state: dict[str, Any]


class SessionStateReplacement(TypedDict):
    state: dict[str, Any]
    """The whole new state, a JSON object."""


class SessionStatePatch(TypedDict):
    state: dict[str, Any]
    """A JSON Merge Patch (RFC 7396): each member replaces that of the state, null deletes it, objects are merged."""


class DeletedMemories(TypedDict):
    object: Literal['memory.deletion']
    user: str
    agent: str | None
    deleted: int
    """How many were deleted."""


class Memory(TypedDict):
    id: str
    object: Literal['memory']
    agent: str
    user: str
    project_id: str | None
    """The project of the run; null: the default one."""
    text: str
    run_id: str
    """The run that remembered it."""
    created_at: str
    updated_at: str
    """When a run last remembered the same."""
    expires_at: str | None
    """Null: it stays until it is deleted."""


class DeletedMemory(TypedDict):
    id: str
    object: Literal['memory']
    deleted: Literal[True]


class PluginSecretValues(TypedDict):
    secrets: dict[str, str]


class PluginSignIn(TypedDict):
    object: Literal['plugin.sign_in']
    plugin_id: str
    status: Literal['connected', 'ended', 'missing']
    """`ended`: the plugin no longer accepts it. Runs that need it wait until somebody signs in again."""
    account: str | None
    """The account at the plugin, when its authorization server names it."""
    connected_by: str | None
    """The mail address of the member who signed in."""
    connected_at: str | None
    scope: str | None
    issuer: str | None
    """The authorization server."""
    url: str
    """The page of the console where a member signs in."""


class AgentProvider(TypedDict):
    id: str
    name: str
    verified: bool
    website: str
    logo_url: str | None
    """An image that needs no key, if the publisher shows one."""


class AgentInput(TypedDict):
    text: bool
    files: bool
    data: bool
    """Takes one object that fits `input_schema`, in place of texts."""
    accepted_media_types: list[str]


class AgentPlugin(TypedDict):
    plugin_id: str
    version: str


class AgentHttpTool(TypedDict):
    name: str
    description: str
    host: str


class AgentPricingMeter(TypedDict):
    id: Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls']
    unit: str
    price_usd: float
    """For a unit, before the network fee."""
    platform_cost_usd: float
    """The part of the price that passes through to the platform."""
    description: str


class AgentPricing(TypedDict):
    id: str
    currency: Literal['USD']
    minimum_cost_usd: float
    maximum_cost_usd: float
    network_fee_percentage: float
    subsidised: bool
    """Whether the platform pays the part of its own cost that the prices do not cover."""
    meters: list[AgentPricingMeter]


class AgentDataPolicy(TypedDict):
    retention: str
    retention_days: int | None
    training: bool
    hosts: list[str]
    """Hosts outside the platform that get data of a run: those of `http_tools`."""
    remembers: bool
    """Whether it remembers the `user` of a run, for the caller’s workspace alone: see `/v1/memories`."""
    memory_days: int | None
    """How long; null: until the workspace deletes it."""
    policy_url: str


class AgentUpcomingVersionPricingMeter(TypedDict):
    id: Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls']
    unit: str
    price_usd: float
    """For a unit, before the network fee."""
    platform_cost_usd: float
    """The part of the price that passes through to the platform."""
    description: str


class AgentUpcomingVersionPricing(TypedDict):
    id: str
    currency: Literal['USD']
    minimum_cost_usd: float
    maximum_cost_usd: float
    network_fee_percentage: float
    subsidised: bool
    """Whether the platform pays the part of its own cost that the prices do not cover."""
    meters: list[AgentUpcomingVersionPricingMeter]


class AgentUpcomingVersion(TypedDict):
    """A more expensive version that becomes the default at this time, 14 days after its approval. Runs may name it before."""

    version: str
    effective_at: str
    pricing: AgentUpcomingVersionPricing


class AgentChannelPricingMeter(TypedDict):
    id: Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls']
    unit: str
    price_usd: float
    """For a unit, before the network fee."""
    platform_cost_usd: float
    """The part of the price that passes through to the platform."""
    description: str


class AgentChannelPricing(TypedDict):
    id: str
    currency: Literal['USD']
    minimum_cost_usd: float
    maximum_cost_usd: float
    network_fee_percentage: float
    subsidised: bool
    """Whether the platform pays the part of its own cost that the prices do not cover."""
    meters: list[AgentChannelPricingMeter]


class AgentChannelUpcomingVersionPricingMeter(TypedDict):
    id: Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls']
    unit: str
    price_usd: float
    """For a unit, before the network fee."""
    platform_cost_usd: float
    """The part of the price that passes through to the platform."""
    description: str


class AgentChannelUpcomingVersionPricing(TypedDict):
    id: str
    currency: Literal['USD']
    minimum_cost_usd: float
    maximum_cost_usd: float
    network_fee_percentage: float
    subsidised: bool
    """Whether the platform pays the part of its own cost that the prices do not cover."""
    meters: list[AgentChannelUpcomingVersionPricingMeter]


class AgentChannelUpcomingVersion(TypedDict):
    """A more expensive version that the channel gets at this time."""

    version: str
    effective_at: str
    pricing: AgentChannelUpcomingVersionPricing


class AgentChannel(TypedDict):
    name: str
    agent: str
    """What an order names: `<namespace>/<slug>@<channel>`."""
    version: str
    pricing: AgentChannelPricing
    upcoming_version: AgentChannelUpcomingVersion | None
    """A more expensive version that the channel gets at this time."""


class AgentTakenDown(TypedDict):
    """Its publisher has taken it down: new orders are refused with this message. Runs that have begun end as usual."""

    at: str
    message: str


class AgentDeprecation(TypedDict):
    """Its publisher has deprecated it."""

    deprecated_at: str
    sunset_at: str
    """New orders are refused from this time on."""
    successor: str | None
    """The agent to use instead."""
    message: str | None


class Agent(TypedDict):
    id: str
    """`<namespace>/<slug>`"""
    object: Literal['agent']
    name: str
    description: str
    provider: AgentProvider
    version: str
    """A date, such as `2026-11-21`."""
    status: Literal['available', 'unavailable', 'taken_down', 'retired']
    """`unavailable`: its model is no longer offered. `taken_down` and `retired`: new orders are refused; see `taken_down` and `deprecation`."""
    categories: list[str]
    input: AgentInput
    output_types: list[Literal['text', 'file', 'data']]
    tools: list[str]
    plugins: list[AgentPlugin]
    http_tools: list[AgentHttpTool]
    """Code of its publisher: its host gets the arguments that the model sends."""
    agents: list[str]
    """Agents that it may call: what it gives to them is read by them."""
    example_prompts: list[str]
    """With an `input_schema`, input as JSON."""
    icon_file_id: str | None
    icon_url: str | None
    """An image that needs no key."""
    input_schema: dict[str, Any] | None
    output_schema: dict[str, Any] | None
    accepts_response_format: bool
    """Runs may send a `response_format`."""
    max_steps: int
    """How often a run calls the model at most."""
    model: str
    """The model that runs use: its price is in `pricing`."""
    pricing: AgentPricing
    data_policy: AgentDataPolicy
    upcoming_version: AgentUpcomingVersion | None
    """A more expensive version that becomes the default at this time, 14 days after its approval. Runs may name it before."""
    channels: list[AgentChannel]
    """Named channels beside the default, which is `stable`."""
    taken_down: AgentTakenDown | None
    deprecation: AgentDeprecation | None
    runs: int
    """Runs that callers started in the last 30 days: those of its quality."""
    updated_at: str


class AgentQuality(TypedDict):
    object: Literal['agent.quality']
    agent: str
    days: Literal[30]
    runs: int
    completed: int
    completion_rate: float | None
    median_cost_usd: float | None
    median_duration_seconds: float | None
    refund_rate: float | None


class McpMessage(TypedDict):
    jsonrpc: Literal['2.0']
    id: NotRequired[str | float]
    method: str
    params: NotRequired[dict[str, Any]]


class McpAnswer(TypedDict):
    jsonrpc: Literal['2.0']


NewAgentTool: TypeAlias = str


class NewAgentPlugin(TypedDict):
    plugin_id: str
    version: str


class NewAgentPricingRate(TypedDict):
    meter: Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls']
    price_usd: float


class NewAgentPricing(TypedDict):
    minimum_cost_usd: float
    maximum_cost_usd: float
    rates: list[NewAgentPricingRate]


NewAgentCategory: TypeAlias = str


NewAgentExamplePrompt: TypeAlias = str


class NewAgentCompaction(TypedDict):
    """What becomes of earlier turns when a run’s conversation nears the model’s context. The instructions, the caller’s input and the last turns stay. When null: `summarize` for a version with `max_steps` above 32, otherwise `off`."""

    mode: Literal['summarize', 'truncate', 'off']
    """`summarize`: a step of its own lets the model summarize what is replaced; it is billed as any call of the model and counts as one. `truncate`: it is left out, at no cost. `off`: a run whose conversation is longer than the context fails."""
    compact_threshold: NotRequired[int | None]
    """Tokens of a call of the model above which earlier turns are replaced; four fifths of its context when null."""
    keep_turns: NotRequired[int | None]
    """The last turns that stay as they are, if they fit; 3 when null."""
    instructions: NotRequired[str | None]
    """What a summary has to keep."""


NewAgentAgent: TypeAlias = str


NewAgentRequiresApprovalItem: TypeAlias = str


class NewAgentHttpTool(TypedDict):
    name: str
    """What the model calls it: letters, digits, hyphens and single underscores, beginning with a letter."""
    description: str
    """For the model: what it does, and when to use it."""
    input_schema: dict[str, Any]
    """JSON Schema of an object: the arguments that the model sends."""
    url: str
    """An https address on the public internet, with a name as its host."""
    timeout_seconds: NotRequired[int | None]
    """Of one call with its retries; 60 when null."""


class NewAgent(TypedDict):
    namespace: str
    slug: str
    name: NotRequired[str]
    description: NotRequired[str]
    instructions: NotRequired[str]
    tools: NotRequired[list[NewAgentTool]]
    """Any of run_code, read_file, write_file, write_table, draw_chart, list_files, search_files, fetch_url, return_data, get_state, set_state, remember, recall, forget, ask_user."""
    plugins: NotRequired[list[NewAgentPlugin]]
    pricing: NotRequired[NewAgentPricing]
    icon_file_id: NotRequired[str | None]
    categories: NotRequired[list[NewAgentCategory]]
    example_prompts: NotRequired[list[NewAgentExamplePrompt]]
    model: NotRequired[str | None]
    """A text model of `/textapi/v1/models`; the platform’s model for agents when null."""
    max_steps: NotRequired[int | None]
    """How often a run may call the model; 32 when null. The last call has to answer."""
    compaction: NotRequired[NewAgentCompaction | None]
    """What becomes of earlier turns when a run’s conversation nears the model’s context. The instructions, the caller’s input and the last turns stay. When null: `summarize` for a version with `max_steps` above 32, otherwise `off`."""
    temperature: NotRequired[float | None]
    tool_choice: NotRequired[str | None]
    """Of the first call of a run: `auto`, `required`, or the name of one of its tools."""
    input_schema: NotRequired[dict[str, Any] | None]
    """JSON Schema of an object: runs then take `{"type": "input_data", "data": …}` that fits it."""
    output_schema: NotRequired[dict[str, Any] | None]
    """JSON Schema of an object: a completed run has then returned `output_data` that fits it."""
    accepts_response_format: NotRequired[bool]
    """Runs may send a `response_format` of their own."""
    agents: NotRequired[list[NewAgentAgent] | None]
    """Agents that it may call by the tool `call_agent`: public ones, and private ones in runs of their own workspace. Their runs are paid out of the caller’s limit for its run."""
    question_forms: NotRequired[bool]
    """`ask_user` may ask with a form (choices, fields), a default answer and a deadline."""
    requires_approval: NotRequired[list[NewAgentRequiresApprovalItem] | None]
    """Tools that a run uses only after its caller has approved the call: of `tools`, of `http_tools`, `<plugin_id>__<tool>` of a plugin, `call_agent`."""
    http_tools: NotRequired[list[NewAgentHttpTool] | None]
    """The publisher’s own code as tools: each call is a signed POST to its address. The host is shown to callers, and receives the arguments that the model sends."""
    memory_days: NotRequired[int | None]
    """For how many days the tool `remember` keeps a memory; until it is deleted when null."""


class PublisherAgentTakenDown(TypedDict):
    """Its publisher has taken it down: new orders are refused with this message. Runs that have begun end as usual."""

    at: str
    message: str


class PublisherAgentDeprecation(TypedDict):
    """Its publisher has deprecated it."""

    deprecated_at: str
    sunset_at: str
    """New orders are refused from this time on."""
    successor: str | None
    """The agent to use instead."""
    message: str | None


class ConfigurationPlugin(TypedDict):
    plugin_id: str
    version: str


class ConfigurationPricingRate(TypedDict):
    meter: Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls']
    price_usd: float


class ConfigurationPricing(TypedDict):
    minimum_cost_usd: float
    maximum_cost_usd: float
    rates: list[ConfigurationPricingRate]


class ConfigurationCompaction(TypedDict):
    """What becomes of earlier turns when a run’s conversation nears the model’s context. The instructions, the caller’s input and the last turns stay. When null: `summarize` for a version with `max_steps` above 32, otherwise `off`."""

    mode: Literal['summarize', 'truncate', 'off']
    """`summarize`: a step of its own lets the model summarize what is replaced; it is billed as any call of the model and counts as one. `truncate`: it is left out, at no cost. `off`: a run whose conversation is longer than the context fails."""
    compact_threshold: NotRequired[int | None]
    """Tokens of a call of the model above which earlier turns are replaced; four fifths of its context when null."""
    keep_turns: NotRequired[int | None]
    """The last turns that stay as they are, if they fit; 3 when null."""
    instructions: NotRequired[str | None]
    """What a summary has to keep."""


ConfigurationAgent: TypeAlias = str


ConfigurationRequiresApprovalItem: TypeAlias = str


class ConfigurationHttpTool(TypedDict):
    name: str
    """What the model calls it: letters, digits, hyphens and single underscores, beginning with a letter."""
    description: str
    """For the model: what it does, and when to use it."""
    input_schema: dict[str, Any]
    """JSON Schema of an object: the arguments that the model sends."""
    url: str
    """An https address on the public internet, with a name as its host."""
    timeout_seconds: NotRequired[int | None]
    """Of one call with its retries; 60 when null."""


class Configuration(TypedDict):
    name: str
    description: str
    instructions: str
    tools: list[str]
    plugins: list[ConfigurationPlugin]
    pricing: ConfigurationPricing
    icon_file_id: str | None
    categories: list[str]
    example_prompts: list[str]
    model: NotRequired[str | None]
    """A text model of `/textapi/v1/models`; the platform’s model for agents when null."""
    max_steps: NotRequired[int | None]
    """How often a run may call the model; 32 when null. The last call has to answer."""
    compaction: NotRequired[ConfigurationCompaction | None]
    """What becomes of earlier turns when a run’s conversation nears the model’s context. The instructions, the caller’s input and the last turns stay. When null: `summarize` for a version with `max_steps` above 32, otherwise `off`."""
    temperature: NotRequired[float | None]
    tool_choice: NotRequired[str | None]
    """Of the first call of a run: `auto`, `required`, or the name of one of its tools."""
    input_schema: NotRequired[dict[str, Any] | None]
    """JSON Schema of an object: runs then take `{"type": "input_data", "data": …}` that fits it."""
    output_schema: NotRequired[dict[str, Any] | None]
    """JSON Schema of an object: a completed run has then returned `output_data` that fits it."""
    accepts_response_format: NotRequired[bool]
    """Runs may send a `response_format` of their own."""
    agents: NotRequired[list[ConfigurationAgent] | None]
    """Agents that it may call by the tool `call_agent`: public ones, and private ones in runs of their own workspace. Their runs are paid out of the caller’s limit for its run."""
    question_forms: NotRequired[bool]
    """`ask_user` may ask with a form (choices, fields), a default answer and a deadline."""
    requires_approval: NotRequired[list[ConfigurationRequiresApprovalItem] | None]
    """Tools that a run uses only after its caller has approved the call: of `tools`, of `http_tools`, `<plugin_id>__<tool>` of a plugin, `call_agent`."""
    http_tools: NotRequired[list[ConfigurationHttpTool] | None]
    """The publisher’s own code as tools: each call is a signed POST to its address. The host is shown to callers, and receives the arguments that the model sends."""
    memory_days: NotRequired[int | None]
    """For how many days the tool `remember` keeps a memory; until it is deleted when null."""


DraftChangeTool: TypeAlias = str


class DraftChangePlugin(TypedDict):
    plugin_id: str
    version: str


class DraftChangePricingRate(TypedDict):
    meter: Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls']
    price_usd: float


class DraftChangePricing(TypedDict):
    minimum_cost_usd: float
    maximum_cost_usd: float
    rates: list[DraftChangePricingRate]


DraftChangeCategory: TypeAlias = str


DraftChangeExamplePrompt: TypeAlias = str


class DraftChangeCompaction(TypedDict):
    """What becomes of earlier turns when a run’s conversation nears the model’s context. The instructions, the caller’s input and the last turns stay. When null: `summarize` for a version with `max_steps` above 32, otherwise `off`."""

    mode: Literal['summarize', 'truncate', 'off']
    """`summarize`: a step of its own lets the model summarize what is replaced; it is billed as any call of the model and counts as one. `truncate`: it is left out, at no cost. `off`: a run whose conversation is longer than the context fails."""
    compact_threshold: NotRequired[int | None]
    """Tokens of a call of the model above which earlier turns are replaced; four fifths of its context when null."""
    keep_turns: NotRequired[int | None]
    """The last turns that stay as they are, if they fit; 3 when null."""
    instructions: NotRequired[str | None]
    """What a summary has to keep."""


DraftChangeAgent: TypeAlias = str


DraftChangeRequiresApprovalItem: TypeAlias = str


class DraftChangeHttpTool(TypedDict):
    name: str
    """What the model calls it: letters, digits, hyphens and single underscores, beginning with a letter."""
    description: str
    """For the model: what it does, and when to use it."""
    input_schema: dict[str, Any]
    """JSON Schema of an object: the arguments that the model sends."""
    url: str
    """An https address on the public internet, with a name as its host."""
    timeout_seconds: NotRequired[int | None]
    """Of one call with its retries; 60 when null."""


class DraftChange(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    instructions: NotRequired[str]
    tools: NotRequired[list[DraftChangeTool]]
    """Any of run_code, read_file, write_file, write_table, draw_chart, list_files, search_files, fetch_url, return_data, get_state, set_state, remember, recall, forget, ask_user."""
    plugins: NotRequired[list[DraftChangePlugin]]
    pricing: NotRequired[DraftChangePricing]
    icon_file_id: NotRequired[str | None]
    categories: NotRequired[list[DraftChangeCategory]]
    example_prompts: NotRequired[list[DraftChangeExamplePrompt]]
    model: NotRequired[str | None]
    """A text model of `/textapi/v1/models`; the platform’s model for agents when null."""
    max_steps: NotRequired[int | None]
    """How often a run may call the model; 32 when null. The last call has to answer."""
    compaction: NotRequired[DraftChangeCompaction | None]
    """What becomes of earlier turns when a run’s conversation nears the model’s context. The instructions, the caller’s input and the last turns stay. When null: `summarize` for a version with `max_steps` above 32, otherwise `off`."""
    temperature: NotRequired[float | None]
    tool_choice: NotRequired[str | None]
    """Of the first call of a run: `auto`, `required`, or the name of one of its tools."""
    input_schema: NotRequired[dict[str, Any] | None]
    """JSON Schema of an object: runs then take `{"type": "input_data", "data": …}` that fits it."""
    output_schema: NotRequired[dict[str, Any] | None]
    """JSON Schema of an object: a completed run has then returned `output_data` that fits it."""
    accepts_response_format: NotRequired[bool]
    """Runs may send a `response_format` of their own."""
    agents: NotRequired[list[DraftChangeAgent] | None]
    """Agents that it may call by the tool `call_agent`: public ones, and private ones in runs of their own workspace. Their runs are paid out of the caller’s limit for its run."""
    question_forms: NotRequired[bool]
    """`ask_user` may ask with a form (choices, fields), a default answer and a deadline."""
    requires_approval: NotRequired[list[DraftChangeRequiresApprovalItem] | None]
    """Tools that a run uses only after its caller has approved the call: of `tools`, of `http_tools`, `<plugin_id>__<tool>` of a plugin, `call_agent`."""
    http_tools: NotRequired[list[DraftChangeHttpTool] | None]
    """The publisher’s own code as tools: each call is a signed POST to its address. The host is shown to callers, and receives the arguments that the model sends."""
    memory_days: NotRequired[int | None]
    """For how many days the tool `remember` keeps a memory; until it is deleted when null."""


class TestRunOrderInput(TypedDict):
    type: Literal['input_text']
    text: str


class TestRunOrderInput1(TypedDict):
    type: Literal['input_file']
    file_id: str


class TestRunOrderInput2(TypedDict):
    type: Literal['input_data']
    data: dict[str, Any]
    """Fits the agent’s `input_schema`."""


class TestRunOrderInput3Content(TypedDict):
    type: Literal['input_text']
    text: str


class TestRunOrderInput3Content1(TypedDict):
    type: Literal['input_file']
    file_id: str


class TestRunOrderInput3(TypedDict):
    type: Literal['message']
    role: Literal['system', 'developer', 'user', 'assistant']
    """The agent’s own instructions stand above those of `system` and `developer`."""
    name: NotRequired[str]
    content: str | list[TestRunOrderInput3Content | TestRunOrderInput3Content1]
    """Files only in messages of the user."""


class TestRunOrderInput4(TypedDict):
    type: Literal['function_call']
    call_id: str
    name: str
    arguments: str


class TestRunOrderInput5(TypedDict):
    type: Literal['function_call_output']
    call_id: str
    output: str


class TestRunOrderResponseFormatJsonSchema(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    schema: dict[str, Any]
    strict: NotRequired[bool | None]


class TestRunOrderResponseFormat(TypedDict):
    """The schema of this run’s `output_data`, for agents with `accepts_response_format`."""

    type: Literal['json_schema']
    json_schema: TestRunOrderResponseFormatJsonSchema


class TestRunOrderConcurrency(TypedDict):
    """Waits in a queue while as many runs with this key run. A run keeps its place until it has ended."""

    key: str
    """Runs of the workspace with the same key are counted together, whichever agent they are of."""
    limit: int
    """A run starts when fewer than so many of them run."""


class TestRunOrderDebounce(TypedDict):
    """Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`."""

    key: str
    """Orders of the same agent with the same key are one burst."""
    seconds: int
    """The run starts so long after the last order of its burst."""
    max_seconds: NotRequired[int]
    """At the latest so long after the first order; while orders come, it waits on when left out."""


class TestRunOrder(TypedDict):
    session_id: NotRequired[str]
    """A new session when left out."""
    input: str | list[TestRunOrderInput | TestRunOrderInput1 | TestRunOrderInput2 | TestRunOrderInput3 | TestRunOrderInput4 | TestRunOrderInput5]
    """A text; or the texts, files and data of one message; or a conversation of items `message`, `function_call` and `function_call_output`, whose last one is a message of the user."""
    response_format: NotRequired[TestRunOrderResponseFormat]
    """The schema of this run’s `output_data`, for agents with `accepts_response_format`."""
    max_cost_usd: NotRequired[float]
    """The agent’s maximum when left out."""
    on_limit: NotRequired[Literal['stop', 'pause']]
    """With `pause` the run waits for a higher limit, while it is below the agent’s maximum."""
    if_session_busy: NotRequired[Literal['reject', 'enqueue', 'interrupt']]
    concurrency: NotRequired[TestRunOrderConcurrency]
    """Waits in a queue while as many runs with this key run. A run keeps its place until it has ended."""
    priority: NotRequired[int]
    """Seconds: it starts before runs that were ordered up to so long ago. A negative one lets others go first."""
    debounce: NotRequired[TestRunOrderDebounce]
    """Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`."""
    timeout_seconds: NotRequired[int]
    metadata: NotRequired[dict[str, str]]
    user: NotRequired[str]
    """Your end user, by an id of your own: an agent with memory remembers for this user, across sessions."""
    state: NotRequired[dict[str, Any]]
    """The state of the new session, as a JSON object."""
    stream: NotRequired[bool]
    """Answers with the run’s events."""
    include: NotRequired[list[Literal['steps', 'deltas', 'reasoning', 'cost']]]
    """For `stream`. Of the groups `steps`, `deltas` (pieces of text), `reasoning` and `cost`, only these; other events always come. Pieces that the reader has not fetched yet come as one, with the id of the last. When left out, everything, piece by piece."""
    on_disconnect: NotRequired[Literal['continue', 'cancel']]
    """`cancel` only with `stream`; `continue` when left out."""
    webhook_url: NotRequired[str]
    """The address of one of your webhook endpoints, with a query of its own if you like: events of this run go there."""
    webhook_events: NotRequired[list[Literal['run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached']]]
    """Which events go to `webhook_url`; all of these when left out."""


class EstimateOrderPricingRate(TypedDict):
    meter: Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls']
    price_usd: float


class EstimateOrderPricing(TypedDict):
    """Those of the draft when left out."""

    minimum_cost_usd: float
    maximum_cost_usd: float
    rates: list[EstimateOrderPricingRate]


class EstimateOrder(TypedDict):
    pricing: NotRequired[EstimateOrderPricing]
    """Those of the draft when left out."""
    model: NotRequired[str | None]
    """That of the draft when left out."""
    quantities: NotRequired[dict[Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls'], float]]
    """What the run uses, by meter. When left out: what the newest completed run in this workspace used."""


class PublisherEstimatePricingMeter(TypedDict):
    id: Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls']
    unit: str
    price_usd: float
    """For a unit, before the network fee."""
    platform_cost_usd: float
    """The part of the price that passes through to the platform."""
    description: str


class PublisherEstimatePricing(TypedDict):
    currency: Literal['USD']
    minimum_cost_usd: float
    maximum_cost_usd: float
    network_fee_percentage: float
    subsidised: bool
    """Whether the platform pays the part of its own cost that the prices do not cover."""
    meters: list[PublisherEstimatePricingMeter]


class DeploymentRolloutStepNewVersion(TypedDict):
    """Its finished runs of callers since the step began."""

    runs: int
    completion_rate: float | None
    median_cost_usd: float | None


class DeploymentRolloutStepLiveVersion(TypedDict):
    """Those of the present version in the last 30 days."""

    runs: int
    completion_rate: float | None
    median_cost_usd: float | None


class DeploymentRolloutStep(TypedDict):
    percentage: int
    runs_min: int
    hours_min: int
    started_at: str | None
    ended_at: str | None
    outcome: Literal['passed', 'failed'] | None
    new_version: DeploymentRolloutStepNewVersion | None
    """Its finished runs of callers since the step began."""
    live_version: DeploymentRolloutStepLiveVersion | None
    """Those of the present version in the last 30 days."""


class DeploymentRollout(TypedDict):
    """Of a public version that was approved, or whose steps are planned."""

    state: Literal['planned', 'scheduled', 'rolling', 'complete', 'rolled_back']
    """`planned`: the publisher’s steps for a submission. `scheduled`: a more expensive version waits for its notice. `rolling`: a share of new sessions gets it. `complete`: it is what runs get that name no version."""
    percentage: int
    """The share of new sessions that get it while it is rolling."""
    started_at: str | None
    effective_at: str | None
    """When a more expensive version becomes the default, or starts to roll."""
    reason: str | None
    """Why it was rolled back."""
    steps: list[DeploymentRolloutStep]
    """With what each saw of both versions. Empty: for everyone at once."""


class Rollback(TypedDict):
    version_id: str


class PublisherStatementTotals(TypedDict):
    runs: int
    gross_usd: float
    """Paid by callers. With the subsidy it is the sum of the three parts that follow."""
    subsidy_usd: float
    platform_cost_usd: float
    """The platform’s part for model and sandbox, which is paid first."""
    network_fee_usd: float
    earned_usd: float


class PublisherStatementOwn(TypedDict):
    """The part of `totals` of the publisher’s own workspace, which paid itself."""

    runs: int
    gross_usd: float
    """Paid by callers. With the subsidy it is the sum of the three parts that follow."""
    subsidy_usd: float
    platform_cost_usd: float
    """The platform’s part for model and sandbox, which is paid first."""
    network_fee_usd: float
    earned_usd: float


class PublisherStatementPaidOutItem(TypedDict):
    date: str
    payout_id: str
    to: Literal['balance', 'transfer']
    reference: str | None
    amount_usd: float


class PublisherStatementDatum(TypedDict):
    date: str
    agent: str
    version: str
    is_own: bool
    """Of the publisher’s own workspace: its runs have a line of their own."""
    callers: int
    """Workspaces that ran it that day."""
    runs: int
    gross_usd: float
    """Paid by callers. With the subsidy it is the sum of the three parts that follow."""
    subsidy_usd: float
    platform_cost_usd: float
    """The platform’s part for model and sandbox, which is paid first."""
    network_fee_usd: float
    earned_usd: float


class PayoutOrder(TypedDict):
    amount_usd: NotRequired[float]
    """All that may be paid out now, when left out. Of a transfer, whole cents."""
    to: Literal['balance', 'transfer']


class Payout(TypedDict):
    id: str
    object: Literal['publisher.payout']
    amount_usd: float
    to: Literal['balance', 'transfer']
    """The workspace’s own prepaid balance, or a transfer that an operator makes."""
    status: Literal['paid', 'requested', 'sent', 'rejected']
    """To the balance it is `paid` at once. A transfer is `requested`, then `sent`, or `rejected`: its money is returned."""
    reference: str | None
    """Of a transfer that was sent."""
    reason: str | None
    """Why it was rejected."""
    requested_by: str
    created_at: str
    ended_at: str | None


class PayoutPage(TypedDict):
    object: Literal['list']
    data: list[Payout]
    has_more: bool
    next_cursor: str | None


class Namespace(TypedDict):
    name: str
    object: Literal['publisher.namespace']
    provider_name: str
    website: str | None
    verified: bool
    """An operator has verified the publisher."""
    created_at: str


class NamespaceChange(TypedDict):
    provider_name: NotRequired[str]
    website: NotRequired[str | None]


class AgentVersion(TypedDict):
    id: str
    object: Literal['agent.version']
    agent_id: str
    number: int
    version: str
    """Its date, by which orders name it: `2026-11-21`, or `2026-11-21.2`."""
    source_revision: int
    configuration: Configuration
    was_submitted: bool
    """For review. One that never was can be deleted."""
    created_at: str


class HttpToolSecret(TypedDict):
    object: Literal['agent.http_tool_secret']
    agent_id: str
    created_at: str | None
    """Null: there is none yet, and its HTTP tools cannot be called."""
    previous_secret_expires_at: str | None
    """Until when a secret from before a rotation signs too."""


class NewHttpToolSecret(TypedDict):
    object: Literal['agent.http_tool_secret']
    agent_id: str
    created_at: str | None
    """Null: there is none yet, and its HTTP tools cannot be called."""
    previous_secret_expires_at: str | None
    """Until when a secret from before a rotation signs too."""
    secret: str
    """The signing secret, shown this once: `whsec_` and 32 bytes in base64."""


class HttpToolTestOrder(TypedDict):
    name: str
    """The name of an HTTP tool of the saved draft."""
    arguments: NotRequired[dict[str, Any]]
    """Arguments that fit its `input_schema`; `{}` when left out."""


class HttpToolTestRequest(TypedDict):
    method: Literal['POST']
    url: str
    headers: dict[str, str]
    body: str


class HttpToolTestResponse(TypedDict):
    """Null: there was no whole answer."""

    status: int
    content_type: str | None
    body: str
    is_truncated: bool


class HttpToolTestResult(TypedDict):
    """What a model would read."""

    text: str
    is_error: bool


class ChannelMove(TypedDict):
    version_id: str


class AgentChannelNext(TypedDict):
    version_id: str
    version: str
    version_number: int
    active_from: str


class AgentChannelModel(TypedDict):
    object: Literal['agent.channel']
    name: str
    agent: str
    """What an order names: `<namespace>/<slug>@<channel>`."""
    agent_id: str
    version_id: str
    version: str
    version_number: int
    previous_version_id: str | None
    status: Literal['active', 'scheduled']
    """`scheduled`: a more expensive version, `next`, waits for its notice."""
    next: AgentChannelNext | None
    moved_at: str | None


class DeletedChannel(TypedDict):
    object: Literal['agent.channel']
    agent_id: str
    name: str
    deleted: Literal[True]


class TakeDown(TypedDict):
    message: str
    """What callers are told."""


class AgentDeprecation1(TypedDict):
    sunset_at: str
    """When new orders are refused; at least 14 days from now."""
    successor: NotRequired[str | None]
    """The public agent to use instead."""
    message: NotRequired[str | None]
    """What else callers are told."""


class TestReview(TypedDict):
    outcome: Literal['approve', 'reject', 'changes']


class NewComment(TypedDict):
    message: str


class DeploymentComment(TypedDict):
    id: str
    object: Literal['deployment.comment']
    deployment_id: str
    author: Literal['publisher', 'operator']
    message: str
    created_at: str


class PublishedRunContentOutput(TypedDict):
    type: Literal['output_text']
    text: str


class PublishedRunContentOutput1(TypedDict):
    type: Literal['output_file']
    file_id: str
    filename: str
    media_type: str
    size_bytes: int


class PublishedRunContentOutput2(TypedDict):
    type: Literal['output_data']
    data: Any


class PublishedRunContent(TypedDict):
    """Null without access, and once it is deleted. Files are never part of it."""

    input: Any
    """As it was sent; null when it was deleted, 30 days after the end."""
    output: list[PublishedRunContentOutput | PublishedRunContentOutput1 | PublishedRunContentOutput2]
    error_message: str | None


class PublishedStepContentResultToolCall(TypedDict):
    step_id: str | None
    """Null for a call that is not run: the output of the run, over the limit of 20 in one answer, or cut by the model’s limit."""
    id: str
    name: str
    arguments: str


class PublishedStepContentResult(TypedDict):
    text: str
    """What the model wrote, what the tool returned, or the summary."""
    refusal: str | None
    """Why the output in it does not fit its schema, as the model reads it."""
    tool_calls: list[PublishedStepContentResultToolCall]


class PublishedStepContent(TypedDict):
    """Null without access."""

    arguments: str | None
    """The whole arguments."""
    result: PublishedStepContentResult | None


class PublishedStep(TypedDict):
    id: str
    """The same as `step_id`."""
    number: int
    """Orders the steps of the run."""
    kind: Literal['model', 'tool', 'sandbox', 'file', 'compaction']
    """`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads."""
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    status: Literal['in_progress', 'retrying', 'completed', 'failed', 'cancelled']
    """`failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first."""
    is_error: bool
    error_code: str | None
    started_at: str
    """Of the first attempt."""
    ended_at: str | None
    """Of the last attempt."""
    duration_ms: int | None
    input_tokens: float | None
    """Of a model, and of a compaction."""
    output_tokens: float | None
    """Of a model, and of a compaction."""
    sandbox_seconds: float | None
    """Of a sandbox."""
    cost_usd: float
    """US dollars, before the fee, the minimum and the limit of the whole run."""
    object: Literal['publisher.run.step']
    name: str | None
    """The model, the tool, or the plugin; null for a tool that the agent does not have."""
    is_reused: bool
    """A result of the run that this one repeats."""
    content: PublishedStepContent | None
    """Null without access."""


class AgentMetricsTotalsError(TypedDict):
    status: Literal['completed', 'limit_reached', 'cancelled', 'failed']
    error_code: str | None
    fault: Literal['agent', 'caller', 'platform', 'provider'] | None
    runs: int


class AgentMetricsTotals(TypedDict):
    runs: int
    completed: int
    limit_reached: int
    cancelled: int
    failed: int
    success_rate: float | None
    """Completed runs among those not cancelled, 0 to 1."""
    p50_seconds: float | None
    """Of completed runs, to within 2.5 %."""
    p95_seconds: float | None
    total_usd: float
    """What callers paid."""
    mean_cost_usd: float | None
    """Of a run that is not failed."""
    earned_usd: float
    platform_cost_usd: float
    unbilled_usd: float
    """The worth of what failed runs have used: nobody paid for it."""
    refunded_runs: int
    refunded_usd: float
    errors: list[AgentMetricsTotalsError]
    """The most frequent first."""


class AgentMetricsDatum(TypedDict):
    runs: int
    completed: int
    limit_reached: int
    cancelled: int
    failed: int
    success_rate: float | None
    """Completed runs among those not cancelled, 0 to 1."""
    p50_seconds: float | None
    """Of completed runs, to within 2.5 %."""
    p95_seconds: float | None
    total_usd: float
    """What callers paid."""
    mean_cost_usd: float | None
    """Of a run that is not failed."""
    earned_usd: float
    platform_cost_usd: float
    unbilled_usd: float
    """The worth of what failed runs have used: nobody paid for it."""
    refunded_runs: int
    refunded_usd: float
    start: str


NewPublisherAlertMailToItem: TypeAlias = str


class NewPublisherAlert(TypedDict):
    agent_id: str
    type: Literal['failure_rate', 'failures']
    """Told of when this part of the runs, in per cent, or this number of them has failed in the window."""
    threshold: int
    """Per cent (at most 100), or a number of runs."""
    window_minutes: NotRequired[int]
    """Of the runs that ended last."""
    runs_min: NotRequired[int]
    """Of a rate: with fewer runs in the window nothing is told."""
    faults: NotRequired[list[Literal['agent', 'caller', 'platform', 'provider']]]
    """Whose faults count as failures."""
    mail: NotRequired[bool]
    """Whether people get a mail too."""
    mail_to: NotRequired[list[NewPublisherAlertMailToItem] | None]
    """The ids of the members who get it; null: owners and publishers."""


class PublisherAlert(TypedDict):
    id: str
    object: Literal['publisher.alert']
    agent_id: str
    agent: str
    type: Literal['failure_rate', 'failures']
    threshold: int
    window_minutes: int
    runs_min: int
    faults: list[Literal['agent', 'caller', 'platform', 'provider']]
    mail: bool
    mail_to: list[str] | None
    """Members by their ids; null: owners and publishers."""
    runs: int
    """That ended in the window, without cancelled ones."""
    failures: int
    failure_rate: float | None
    """0 to 1; null without runs."""
    is_failing: bool
    created_at: str


PublisherAlertChangeMailToItem: TypeAlias = str


class PublisherAlertChange(TypedDict):
    type: NotRequired[Literal['failure_rate', 'failures']]
    """Told of when this part of the runs, in per cent, or this number of them has failed in the window."""
    threshold: NotRequired[int]
    """Per cent (at most 100), or a number of runs."""
    window_minutes: NotRequired[int]
    """Of the runs that ended last."""
    runs_min: NotRequired[int]
    """Of a rate: with fewer runs in the window nothing is told."""
    faults: NotRequired[list[Literal['agent', 'caller', 'platform', 'provider']]]
    """Whose faults count as failures."""
    mail: NotRequired[bool]
    """Whether people get a mail too."""
    mail_to: NotRequired[list[PublisherAlertChangeMailToItem] | None]
    """The ids of the members who get it; null: owners and publishers."""


class DeletedPublisherAlert(TypedDict):
    id: str
    object: Literal['publisher.alert']
    deleted: Literal[True]


class DeletedEvaluationSet(TypedDict):
    object: Literal['evaluation.set']
    agent_id: str
    deleted: Literal[True]


class EvaluationQuoteOrder(TypedDict):
    version: NotRequired[Literal['draft', 'live'] | str]
    """`draft`; `live`: the public version; or a version’s date or id."""


class EvaluationQuote(TypedDict):
    object: Literal['evaluation.quote']
    version: str
    """As it was sent."""
    cases: int
    based_on: Literal['cases', 'runs', 'nothing']
    """`cases`: each case’s own former runs, as far as it has some; `runs`: runs of the agent in this workspace; `nothing`: there is no sample."""
    sample_size: int
    """The runs that the estimate is made of."""
    p50_usd: float | None
    """What it probably costs, in US dollars; null without a sample."""
    max_usd: float
    """The most that it can cost: each run’s maximum, and the longest judgements. US dollars."""


class EvaluationRunOrder(TypedDict):
    version: NotRequired[Literal['draft', 'live'] | str]
    """`draft`; `live`: the public version; or a version’s date or id."""
    max_cost_usd: NotRequired[float]
    """The limit of all cases together, with the models that judge; their maximum when left out. US dollars."""


class EvaluationRunError(TypedDict):
    """Why cases were not run."""

    code: str
    message: str


class EvaluationRunResultCounts(TypedDict):
    total: int
    passed: int
    failed: int
    errored: int
    cancelled: int


class EvaluationRunComparison(TypedDict):
    """With `against`; null when there is nothing to compare with."""

    run_id: str
    version: str
    status: str
    set_revision: int
    cost_usd: float
    """US dollars."""
    regressions: list[str]
    """Cases that passed there, and do not here."""
    fixes: list[str]
    """Cases that pass here, and did not there."""


class DeviceCodesOrder(TypedDict):
    client_name: NotRequired[str]
    """What the program calls itself and its machine, such as `ledgerline on ada-laptop`. The person sees it as not verified."""
    scopes: NotRequired[list[Literal['llm', 'voice', 'batch', 'agents', 'publisher', 'contents', 'manage', 'operator']]]
    """What the program would like to do. The person decides, and may give less. Left out: the person chooses."""


class DeviceCodes(TypedDict):
    device_code: str
    """For the program alone."""
    user_code: str
    """For the person to compare: `BCDF-GHJK`."""
    verification_uri: str
    """The page where a signed-in person enters the code."""
    verification_uri_complete: str
    """The same page with the code."""
    expires_in: int
    """Seconds until both codes end."""
    interval: int
    """Seconds to wait between two questions for the key."""


class DeviceTokenOrder(TypedDict):
    device_code: str
    """From `POST /platform/v1/device/codes`."""


class DeviceKeyKey(TypedDict):
    id: str
    name: str
    prefix: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    revoked_at: str | None
    """When the key was revoked; its spending stays listed. Null for a live key."""
    scopes: list[str]
    spend_daily: float
    spend_monthly: float
    spend_limit: float | None
    """Null for none."""
    spend_limit_period: Literal['daily', 'monthly'] | None
    """When the ceiling resets."""
    rpm_limit: int | None
    """Null for the default tier."""
    concurrency_limit: int | None
    """Null for the default tier."""
    is_calling_key: bool
    parent_id: str | None
    """The key that made this one; null: none."""
    allowed_agents: list[str] | None
    """The agents that it may run; null: all."""
    log_days: int
    """For how many days the contents of its calls are kept; 0: they are not."""
    no_retention: bool
    """Whether it demands that of the upstreams, too."""
    project_id: str
    """Its project: `default`, or the id of another."""


class DeviceKeyWorkspace(TypedDict):
    id: str
    name: str
    mode: Literal['live', 'test']


class DeviceKeyUser(TypedDict):
    """Who approved it."""

    id: str
    name: str
    email: str


class DeviceKey(TypedDict):
    api_key: str
    """The secret, in this answer and nowhere else."""
    key: DeviceKeyKey
    workspace: DeviceKeyWorkspace
    user: DeviceKeyUser
    """Who approved it."""


class AgentCardProvider(TypedDict):
    organization: str
    url: str


class AgentCardCapabilities(TypedDict):
    streaming: bool
    pushNotifications: bool
    extendedAgentCard: bool


class AgentCardSecuritySchemesHttpAuthSecurityScheme(TypedDict):
    scheme: str
    description: str


class AgentCardSecuritySchemes(TypedDict):
    """In the forms of versions 1.0 and 0.3."""

    httpAuthSecurityScheme: AgentCardSecuritySchemesHttpAuthSecurityScheme
    type: Literal['http']
    scheme: str
    description: str


class AgentCardSecurityRequirementSchemes(TypedDict):
    list: list[str]


class AgentCardSecurityRequirement(TypedDict):
    schemes: dict[str, AgentCardSecurityRequirementSchemes]


class AgentCardSkill(TypedDict):
    id: str
    name: str
    description: str
    tags: list[str]
    examples: list[str]
    inputModes: list[str]
    """Media types."""
    outputModes: list[str]
    """Media types."""


class A2aRpcRequest(TypedDict):
    jsonrpc: Literal['2.0']
    id: NotRequired[str | float | None]
    method: str
    params: NotRequired[dict[str, Any]]


class A2aRpcAnswer(TypedDict):
    jsonrpc: Literal['2.0']


class A2aMessageRequestMessagePart(TypedDict):
    text: NotRequired[str]
    raw: NotRequired[str]
    """A file as base64."""
    url: NotRequired[str]
    """Of a file at this server: `/v1/files/{file_id}/content`. No other address is fetched."""
    data: NotRequired[Any]
    filename: NotRequired[str]
    mediaType: NotRequired[str]


class A2aMessageRequestMessageMetadata(TypedDict):
    max_cost_usd: NotRequired[float]
    agent: NotRequired[str]
    user: NotRequired[str]


class A2aMessageRequestMessage(TypedDict):
    messageId: str
    """A repeated message does not begin another task."""
    contextId: NotRequired[str]
    """Continues the context of an earlier task."""
    taskId: NotRequired[str]
    """Answers a task that requires input."""
    role: NotRequired[Literal['ROLE_USER', 'user']]
    parts: list[A2aMessageRequestMessagePart]
    metadata: NotRequired[A2aMessageRequestMessageMetadata]


class A2aMessageRequestConfiguration(TypedDict):
    acceptedOutputModes: NotRequired[list[str]]
    taskPushNotificationConfig: NotRequired[Any]
    historyLength: NotRequired[int]
    returnImmediately: NotRequired[bool]
    """Answers at once, with the task as it is."""


class A2aMessageRequestMetadata(TypedDict):
    """`max_cost_usd`: the most that the task may cost. `user`: the end user for whom the agent remembers."""

    max_cost_usd: NotRequired[float]
    agent: NotRequired[str]
    user: NotRequired[str]


class A2aMessageRequest(TypedDict):
    tenant: NotRequired[str]
    """The agent, at the platform’s own address."""
    message: A2aMessageRequestMessage
    configuration: NotRequired[A2aMessageRequestConfiguration]
    metadata: NotRequired[A2aMessageRequestMetadata]
    """`max_cost_usd`: the most that the task may cost. `user`: the end user for whom the agent remembers."""


class A2aErrorErrorDetailMetadata(TypedDict):
    code: str
    """Our own code."""
    param: NotRequired[str]


A2aErrorErrorDetail = TypedDict(
    'A2aErrorErrorDetail',
    {
        '@type': Literal['type.googleapis.com/google.rpc.ErrorInfo'],
        'reason': str,
        'domain': Literal['a2a-protocol.org', 'ledgerline'],
        'metadata': A2aErrorErrorDetailMetadata,
    },
)


class A2aErrorError(TypedDict):
    code: int
    """The status of the answer."""
    status: str
    """Its name in gRPC, for example `NOT_FOUND`."""
    message: str
    """A sentence for humans."""
    details: list[A2aErrorErrorDetail]


class A2aError(TypedDict):
    error: A2aErrorError


class A2aTaskStatus(TypedDict):
    state: str
    timestamp: str


class ClientListAbsentItem(TypedDict):
    language: Literal['typescript', 'python']
    reason: str


class ClientPackage(TypedDict):
    language: Literal['typescript', 'python']
    name: str
    version: str
    file: str
    url: str
    install: str
    """The command that installs it from here."""
    bytes: int
    sha256: str
    """Of the file, in hexadecimal."""
    integrity: str
    """As npm’s lock files have it."""


class BillRoot(TypedDict):
    signed: str
    """JSON, signed as these bytes: the day, the root over all accounts, and the hash of the root before."""
    signature: str
    """Ed25519, in base64. The keys: `/.well-known/ledgerline-bill-keys.json`."""
    date: str


class Status(TypedDict):
    status: str


class Readiness(TypedDict):
    status: str
    temporal: Literal['reachable', 'away', 'unknown']
    """While it is `away`, runs are accepted and start when it is back. `unknown` right after the start."""


class ChatCompletionItemMessageToolCallsFunction(TypedDict):
    name: str
    arguments: str
    """JSON, as the model wrote it."""


class ChatCompletionItemMessageToolCalls(TypedDict):
    id: str
    type: Literal['function']
    function: ChatCompletionItemMessageToolCallsFunction


class ChatCompletionItemMessageToolCalls1Custom(TypedDict):
    name: str
    input: str


class ChatCompletionItemMessageToolCalls1(TypedDict):
    id: str
    type: Literal['custom']
    custom: ChatCompletionItemMessageToolCalls1Custom


class ChatCompletionItemMessage(TypedDict):
    role: Literal['assistant']
    content: str | None
    refusal: str | None
    tool_calls: NotRequired[list[ChatCompletionItemMessageToolCalls | ChatCompletionItemMessageToolCalls1] | None]
    reasoning_content: NotRequired[str | None]
    """The reasoning of a model that shows it."""


class ChatCompletionItemLogprobsContentItemTopLogprob(TypedDict):
    token: str
    logprob: float
    bytes: NotRequired[list[int] | None]


class ChatCompletionItemLogprobsContentItem(TypedDict):
    token: str
    logprob: float
    bytes: NotRequired[list[int] | None]
    top_logprobs: list[ChatCompletionItemLogprobsContentItemTopLogprob]


class ChatCompletionItemLogprobsRefusalItemTopLogprob(TypedDict):
    token: str
    logprob: float
    bytes: NotRequired[list[int] | None]


class ChatCompletionItemLogprobsRefusalItem(TypedDict):
    token: str
    logprob: float
    bytes: NotRequired[list[int] | None]
    top_logprobs: list[ChatCompletionItemLogprobsRefusalItemTopLogprob]


class ChatCompletionItemLogprobs(TypedDict):
    content: NotRequired[list[ChatCompletionItemLogprobsContentItem] | None]
    refusal: NotRequired[list[ChatCompletionItemLogprobsRefusalItem] | None]


class ChatCompletionItem(TypedDict):
    index: int
    message: ChatCompletionItemMessage
    logprobs: ChatCompletionItemLogprobs | None
    finish_reason: Literal['stop', 'length', 'tool_calls', 'content_filter', 'function_call']


class ChatCompletionChunkItemDeltaToolCall(TypedDict):
    index: NotRequired[int]


class ChatCompletionChunkItemDelta(TypedDict):
    role: NotRequired[Literal['assistant']]
    content: NotRequired[str | None]
    refusal: NotRequired[str | None]
    tool_calls: NotRequired[list[ChatCompletionChunkItemDeltaToolCall] | None]


class ChatCompletionChunkItemLogprobsContentItemTopLogprob(TypedDict):
    token: str
    logprob: float
    bytes: NotRequired[list[int] | None]


class ChatCompletionChunkItemLogprobsContentItem(TypedDict):
    token: str
    logprob: float
    bytes: NotRequired[list[int] | None]
    top_logprobs: list[ChatCompletionChunkItemLogprobsContentItemTopLogprob]


class ChatCompletionChunkItemLogprobsRefusalItemTopLogprob(TypedDict):
    token: str
    logprob: float
    bytes: NotRequired[list[int] | None]


class ChatCompletionChunkItemLogprobsRefusalItem(TypedDict):
    token: str
    logprob: float
    bytes: NotRequired[list[int] | None]
    top_logprobs: list[ChatCompletionChunkItemLogprobsRefusalItemTopLogprob]


class ChatCompletionChunkItemLogprobs(TypedDict):
    content: NotRequired[list[ChatCompletionChunkItemLogprobsContentItem] | None]
    refusal: NotRequired[list[ChatCompletionChunkItemLogprobsRefusalItem] | None]


class ChatCompletionChunkItem(TypedDict):
    index: int
    delta: ChatCompletionChunkItemDelta
    logprobs: ChatCompletionChunkItemLogprobs | None
    finish_reason: Literal['stop', 'length', 'tool_calls', 'content_filter', 'function_call'] | None


class CompletionItem(TypedDict):
    index: int
    text: str
    logprobs: dict[str, Any] | None
    finish_reason: Literal['stop', 'length', 'tool_calls', 'content_filter', 'function_call'] | None
    """Null in a stream until the last chunk of the choice."""


class ResponseInputItemsItem(TypedDict):
    id: str
    type: str


class EmbeddingsItem(TypedDict):
    object: Literal['embedding']
    index: int
    embedding: list[float] | str
    """Numbers, or with encoding_format base64 their little-endian 32-bit floats."""


class TranscriptionItem(TypedDict):
    token: str
    logprob: float
    bytes: list[int]


class KeyListItem(TypedDict):
    id: str
    name: str
    prefix: str
    created_at: str
    last_used_at: str | None
    expires_at: str | None
    revoked_at: str | None
    """When the key was revoked; its spending stays listed. Null for a live key."""
    scopes: list[str]
    spend_daily: float
    spend_monthly: float
    spend_limit: float | None
    """Null for none."""
    spend_limit_period: Literal['daily', 'monthly'] | None
    """When the ceiling resets."""
    rpm_limit: int | None
    """Null for the default tier."""
    concurrency_limit: int | None
    """Null for the default tier."""
    is_calling_key: bool
    parent_id: str | None
    """The key that made this one; null: none."""
    allowed_agents: list[str] | None
    """The agents that it may run; null: all."""
    log_days: int
    """For how many days the contents of its calls are kept; 0: they are not."""
    no_retention: bool
    """Whether it demands that of the upstreams, too."""
    project_id: str
    """Its project: `default`, or the id of another."""


class EndedRequestItem(TypedDict):
    unit: str
    quantity: float


class OverviewItem(TypedDict):
    day: str
    cost_usd: float


class ModelPerformanceListItemFirstByteMs(TypedDict):
    """Until the first event of a stream."""

    p50: int
    p95: int


class ModelPerformanceListItemDurationMs(TypedDict):
    p50: int
    p95: int


class ModelPerformanceListItemUpstreamFirstByteMs(TypedDict):
    """Until the first event of a stream."""

    p50: int
    p95: int


class ModelPerformanceListItemUpstreamDurationMs(TypedDict):
    p50: int
    p95: int


class ModelPerformanceListItemUpstream(TypedDict):
    upstream: str
    is_available: bool
    """False while more than half of its calls fail."""
    success_rate: float | None
    """The share of calls that did not fail here or at an upstream: from 0 to 1."""
    first_byte_ms: ModelPerformanceListItemUpstreamFirstByteMs | None
    """Until the first event of a stream."""
    duration_ms: ModelPerformanceListItemUpstreamDurationMs | None
    output_tokens_per_second: float | None
    """The median of streams, counted from their first event."""


class ModelPerformanceListItem(TypedDict):
    object: Literal['model.performance']
    model: str
    success_rate: float | None
    """The share of calls that did not fail here or at an upstream: from 0 to 1."""
    first_byte_ms: ModelPerformanceListItemFirstByteMs | None
    """Until the first event of a stream."""
    duration_ms: ModelPerformanceListItemDurationMs | None
    output_tokens_per_second: float | None
    """The median of streams, counted from their first event."""
    upstreams: list[ModelPerformanceListItemUpstream]
    """In the order in which they are tried."""


class ModelPriceListItem(TypedDict):
    object: Literal['model.price']
    model: str
    usd_per_million: dict[str, float]
    """US dollars for a million of each unit."""
    batch_percentage: int | None
    """What a line of a batch costs of that; null: the same."""
    valid_from: str
    valid_until: str | None
    """Null: no later price is known."""
    is_present: bool
    set_by: str | None
    """For operators alone; null for others, and for prices of the file."""
    approved_by: str | None
    """For operators alone."""


class SearchResultsItem(TypedDict):
    object: Literal['request', 'run', 'session', 'batch', 'file', 'payment', 'invoice', 'api_key', 'project', 'agent', 'schedule', 'webhook_endpoint', 'ledger_entry', 'event']
    id: str
    name: str
    """What people call it; empty without a name."""
    created_at: str


class ExplanationItem(TypedDict):
    unit: str
    quantity: float
    price_usd: float | None
    """Of one unit, as it was when the call was made; null for a part without one."""
    per: str | None
    cost_usd: float
    """Exact, to the pico-USD."""
    description: str


class LedgerPageItem(TypedDict):
    id: str
    object: Literal['ledger.entry']
    kind: str
    """`topup`, `debit`, `refund`, `correction` of a bill that was estimated, `adjustment`, `payout` of earnings, …; and without a change of the balance: `earning` of an agent, `absorbed`, the cost of a failed run that is not billed."""
    amount_usd: float
    balance_after_usd: float | None
    """Null where the entry does not change the balance."""
    request_id: str | None
    run_id: str | None
    key_prefix: str | None
    model: str | None
    """Of the call."""
    route: str | None
    agent: str | None
    """Of the run: `<namespace>/<slug>`."""
    receipt_url: str | None
    """The receipt of a payment."""
    created_at: str
    hash: str | None
    """Hash of the entry and of the previous hash. Null where the entry does not change the balance."""
    prev_hash: str | None


class InvoicePageItem(TypedDict):
    id: str
    object: Literal['invoice']
    number: str
    """Without gaps within the installation; those of test workspaces begin with `TEST-`."""
    month: str
    """`YYYY-MM`, UTC."""
    status: Literal['paid']
    """Credit is paid when it is bought, so nothing is due."""
    currency: Literal['USD']
    is_test: bool
    net_usd: float
    """Credit that was bought, less what was refunded or disputed."""
    tax_usd: float
    """On that credit."""
    total_usd: float
    """What was paid: net and tax."""
    opening_balance_usd: float
    usage_usd: float
    """What calls and runs used of the balance. It is not charged again."""
    closing_balance_usd: float
    created_at: str


class InvoiceItem(TypedDict):
    type: Literal['payment', 'refund', 'dispute', 'adjustment', 'payout', 'usage']
    amount_usd: float
    """Signed by its effect on the balance: all lines add up to its change."""
    tax_usd: float | None
    """Paid or returned with the amount; null where there is no tax."""
    tax_reason: str | None
    """Why no tax is due, such as `reverse_charge`."""
    source: Literal['checkout', 'auto'] | None
    reference: str | None
    """The payment, or the subject of the ledger’s entry."""
    at: str | None
    product: str | None
    name: str | None
    """The model or agent of usage."""
    requests: int | None


class AccountStatementItem(TypedDict):
    product: Literal['text', 'embeddings', 'speech', 'transcription', 'voice_conversion', 'realtime', 'batch', 'agents']
    model: str | None
    agent: str | None
    requests: int
    """Calls or runs that were billed."""
    cost_usd: float
    """Their bills, less what was refunded."""


class ReceiptItemEntry(TypedDict):
    id: str
    object: Literal['ledger.entry']
    kind: str
    """`topup`, `debit`, `refund`, `correction` of a bill that was estimated, `adjustment`, `payout` of earnings, …; and without a change of the balance: `earning` of an agent, `absorbed`, the cost of a failed run that is not billed."""
    amount_usd: float
    balance_after_usd: float | None
    """Null where the entry does not change the balance."""
    request_id: str | None
    run_id: str | None
    key_prefix: str | None
    model: str | None
    """Of the call."""
    route: str | None
    agent: str | None
    """Of the run: `<namespace>/<slug>`."""
    receipt_url: str | None
    """The receipt of a payment."""
    created_at: str
    hash: str | None
    """Hash of the entry and of the previous hash. Null where the entry does not change the balance."""
    prev_hash: str | None


class ReceiptItemDay(TypedDict):
    leaf: str
    """JSON, to be hashed as these bytes: the account at the end of the day, and the root of its entries."""
    index: int
    proof: list[str]
    """Hexadecimal SHA-256, from the leaf to the root, as in RFC 6962."""


class ReceiptItemRoot(TypedDict):
    signed: str
    """JSON, signed as these bytes: the day, the root over all accounts, and the hash of the root before."""
    signature: str
    """Ed25519, in base64. The keys: `/.well-known/ledgerline-bill-keys.json`."""


class ReceiptItem(TypedDict):
    entry: ReceiptItemEntry
    due_at: str | None
    """When the root of its day is due; null once it is signed."""
    leaf: str
    """JSON, to be hashed as these bytes: the fields of the entry’s hash, and what the call or run consumed."""
    index: int | None
    """Its place among the day’s entries, from 0."""
    proof: list[str] | None
    day: ReceiptItemDay | None
    root: ReceiptItemRoot | None


class TopupPageItem(TypedDict):
    id: str
    object: Literal['topup']
    source: Literal['checkout', 'auto']
    status: Literal['open', 'processing', 'paid', 'failed', 'expired']
    amount_usd: float
    """What the balance gets."""
    tax_usd: float | None
    """On top of it, once it is paid; null where no tax is added."""
    total_usd: float
    """What is paid: amount and tax."""
    refunded_usd: float
    """Of the amount."""
    disputed_usd: float
    returned_tax_usd: float
    """The tax that went back with it, in proportion."""
    receipt_url: str | None
    """Stripe’s receipt."""
    created_at: str
    paid_at: str | None


class ListedWebhookDeliveryItem(TypedDict):
    id: str
    response_status: int | None
    """Null: there was no answer."""
    response_body: str | None
    """The first 4 KiB of the answer."""
    error: str | None
    """Why the attempt does not count as delivered."""
    duration_ms: int
    created_at: str


class WebhookDeliveryListItem(TypedDict):
    id: str
    object: Literal['webhook_delivery']
    endpoint_id: str
    event_id: str
    """The header `webhook-id` of each attempt."""
    event_type: str
    status: Literal['pending', 'delivered', 'failed', 'cancelled']
    """`cancelled`: the endpoint was disabled or deleted before."""
    attempt: int
    """Attempts so far, since the last redelivery."""
    next_try_at: str | None
    created_at: str
    merged: bool
    """`true`: the attempt of an earlier request was still due, so one attempt may serve both. `false`: it has its own."""


class RunStepPageItemChildRun(TypedDict):
    """The run of another agent that the step has started. It is billed as a run of its own."""

    id: str
    status: str
    total_usd: float
    """With the runs below it, US dollars."""


class RunStepPageItem(TypedDict):
    id: str
    """The same as `step_id`."""
    object: Literal['run.step']
    run_id: str
    number: int
    """Orders the steps of the run."""
    step_id: str
    kind: Literal['model', 'tool', 'sandbox', 'file', 'compaction']
    """`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads."""
    name: str
    """The tool, or the model; of a compaction `summarize` or `truncate`."""
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    model: str | None
    status: Literal['in_progress', 'retrying', 'completed', 'failed', 'cancelled']
    """`failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first."""
    retry_at: str | None
    """When the next attempt begins, while one waits."""
    is_error: bool
    error_code: str | None
    reused_from: str | None
    """The step of the repeated run whose result this is. It costs nothing if that run was billed; if that one failed, it costs what it did there, and is shown once this run has begun. Null for a step of this run itself."""
    child_run: RunStepPageItemChildRun | None
    """The run of another agent that the step has started. It is billed as a run of its own."""
    started_at: str
    """Of the first attempt."""
    ended_at: str | None
    """Of the last attempt."""
    duration_ms: int | None
    input_tokens: float | None
    """Of a model, and of a compaction."""
    output_tokens: float | None
    """Of a model, and of a compaction."""
    sandbox_seconds: float | None
    """Of a sandbox."""
    cost_usd: float
    """US dollars, before the fee, the minimum and the limit of the whole run."""
    arguments: str | None
    arguments_truncated: bool
    result_preview: str | None
    result_truncated: bool


class ReplayItemError(TypedDict):
    code: str
    message: str


class ReplayItem(TypedDict):
    run_id: str
    """The run that is repeated."""
    new_run_id: str | None
    """Null when it was refused."""
    error: ReplayItemError | None


class RunComparisonItemFirstChildRun(TypedDict):
    """The run of another agent that the step has started. It is billed as a run of its own."""

    id: str
    status: str
    total_usd: float
    """With the runs below it, US dollars."""


class RunComparisonItemFirst(TypedDict):
    id: str
    """The same as `step_id`."""
    object: Literal['run.step']
    run_id: str
    number: int
    """Orders the steps of the run."""
    step_id: str
    kind: Literal['model', 'tool', 'sandbox', 'file', 'compaction']
    """`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads."""
    name: str
    """The tool, or the model; of a compaction `summarize` or `truncate`."""
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    model: str | None
    status: Literal['in_progress', 'retrying', 'completed', 'failed', 'cancelled']
    """`failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first."""
    retry_at: str | None
    """When the next attempt begins, while one waits."""
    is_error: bool
    error_code: str | None
    reused_from: str | None
    """The step of the repeated run whose result this is. It costs nothing if that run was billed; if that one failed, it costs what it did there, and is shown once this run has begun. Null for a step of this run itself."""
    child_run: RunComparisonItemFirstChildRun | None
    """The run of another agent that the step has started. It is billed as a run of its own."""
    started_at: str
    """Of the first attempt."""
    ended_at: str | None
    """Of the last attempt."""
    duration_ms: int | None
    input_tokens: float | None
    """Of a model, and of a compaction."""
    output_tokens: float | None
    """Of a model, and of a compaction."""
    sandbox_seconds: float | None
    """Of a sandbox."""
    cost_usd: float
    """US dollars, before the fee, the minimum and the limit of the whole run."""
    arguments: str | None
    arguments_truncated: bool
    result_preview: str | None
    result_truncated: bool


class RunComparisonItemSecondChildRun(TypedDict):
    """The run of another agent that the step has started. It is billed as a run of its own."""

    id: str
    status: str
    total_usd: float
    """With the runs below it, US dollars."""


class RunComparisonItemSecond(TypedDict):
    id: str
    """The same as `step_id`."""
    object: Literal['run.step']
    run_id: str
    number: int
    """Orders the steps of the run."""
    step_id: str
    kind: Literal['model', 'tool', 'sandbox', 'file', 'compaction']
    """`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads."""
    name: str
    """The tool, or the model; of a compaction `summarize` or `truncate`."""
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    model: str | None
    status: Literal['in_progress', 'retrying', 'completed', 'failed', 'cancelled']
    """`failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first."""
    retry_at: str | None
    """When the next attempt begins, while one waits."""
    is_error: bool
    error_code: str | None
    reused_from: str | None
    """The step of the repeated run whose result this is. It costs nothing if that run was billed; if that one failed, it costs what it did there, and is shown once this run has begun. Null for a step of this run itself."""
    child_run: RunComparisonItemSecondChildRun | None
    """The run of another agent that the step has started. It is billed as a run of its own."""
    started_at: str
    """Of the first attempt."""
    ended_at: str | None
    """Of the last attempt."""
    duration_ms: int | None
    input_tokens: float | None
    """Of a model, and of a compaction."""
    output_tokens: float | None
    """Of a model, and of a compaction."""
    sandbox_seconds: float | None
    """Of a sandbox."""
    cost_usd: float
    """US dollars, before the fee, the minimum and the limit of the whole run."""
    arguments: str | None
    arguments_truncated: bool
    result_preview: str | None
    result_truncated: bool


class RunComparisonItem(TypedDict):
    state: Literal['same', 'changed', 'only_first', 'only_second']
    """`same`: of the same model or tool, with equal arguments and results; `changed`: one of these differs."""
    first: RunComparisonItemFirst | None
    second: RunComparisonItemSecond | None


class WorkspaceUsageItem(TypedDict):
    date: str
    spent_usd: float
    """US dollars."""
    completed: int
    failed: int
    cancelled: int


class ScheduleItem(TypedDict):
    scheduled_at: str
    outcome: Literal['started', 'missed'] | None
    """`missed`: there is no run. Null: it begins."""
    run_id: str | None
    run_status: Literal['queued', 'in_progress', 'requires_action', 'cancelling', 'completed', 'limit_reached', 'cancelled', 'failed'] | None
    code: str | None
    """Why it was missed: a code that POST /v1/runs answers."""
    message: str | None


class HeardTextItem(TypedDict):
    text: str
    start: float
    end: float
    type: Literal['word', 'spacing', 'audio_event']
    logprob: float


class VoiceItem(TypedDict):
    model_id: str
    engine: str
    ready: bool


class SessionFileRevisionPageItemFile(TypedDict):
    """Its bytes are at `/v1/files/{id}/content` until `expires_at`."""

    id: str
    object: Literal['file']
    purpose: str
    filename: str
    media_type: str
    size_bytes: int
    created_at: str
    expires_at: str | None


class SessionFileRevisionPageItem(TypedDict):
    id: str
    """The `revision_id` of the file at that time."""
    is_current: bool
    file: SessionFileRevisionPageItemFile
    """Its bytes are at `/v1/files/{id}/content` until `expires_at`."""
    created_at: str


class SessionStateVersionPageItem(TypedDict):
    object: Literal['session.state_version']
    session_id: str
    version: int
    """Rises by one with each change; 0 before the first."""
    size_bytes: int
    """As JSON."""
    run_id: str | None
    """The run whose step changed it; null: a caller."""
    step_id: str | None
    changed_at: str


class PluginSecretPageItem(TypedDict):
    object: Literal['plugin.secret']
    name: str
    description: str
    set_at: str | None
    """Null: it is missing, and runs that need it wait for it."""


class CallerPluginPageItemSecret(TypedDict):
    object: Literal['plugin.secret']
    name: str
    description: str
    set_at: str | None
    """Null: it is missing, and runs that need it wait for it."""


class CallerPluginPageItem(TypedDict):
    object: Literal['plugin']
    plugin_id: str
    name: str
    secrets: list[CallerPluginPageItemSecret]
    sign_in: PluginSignIn | None
    """Null: nobody signs in to it."""


class ToolPageItemMeter(TypedDict):
    id: Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls']
    unit: str
    platform_cost_usd: float
    """For a unit: no agent sells it for less, unless it is subsidised."""


class ToolPageItem(TypedDict):
    name: str
    description: str
    parameters: dict[str, Any]
    """JSON Schema of its arguments."""
    object: Literal['tool']
    kind: Literal['tool', 'sandbox', 'file']
    languages: list[str] | None
    """Of the programs that it runs, in the workers’ sandbox."""
    meters: list[ToolPageItemMeter]


class PluginPageItemRequiredSecret(TypedDict):
    name: str
    description: str


class PluginPageItemTool(TypedDict):
    name: str
    description: str
    parameters: dict[str, Any]
    """JSON Schema of its arguments."""


class PluginPageItem(TypedDict):
    object: Literal['plugin']
    plugin_id: str
    version: str
    name: str
    required_secrets: list[PluginPageItemRequiredSecret]
    """What each caller of its agents sets first, with `PUT /v1/plugins/{plugin_id}/secrets`."""
    requires_sign_in: bool
    """Whether each caller of its agents signs in to it, in the console."""
    tools: list[PluginPageItemTool] | None
    """As a worker has seen them last, under the names that a model calls; null before the first time."""


class PublisherAgentItem(TypedDict):
    code: str
    path: str
    """A JSON pointer into the configuration."""
    message: str


class AgentFeedbackPageItem(TypedDict):
    id: str
    object: Literal['agent.feedback']
    outcome: str
    reason: str
    source: str
    version_id: str
    version: str
    created_at: str
    updated_at: str


class PublisherEstimateItem(TypedDict):
    meter: str
    """A meter, or `minimum_cost`: what raises a run to its minimum."""
    unit: str
    quantity: float
    price_usd: float
    """US dollars."""
    cost_usd: float
    """US dollars."""


AgentVersionDiffItem = TypedDict(
    'AgentVersionDiffItem',
    {
        'op': Literal['add', 'remove', 'replace'],
        'path': str,
        'from': NotRequired[Any],
        'to': NotRequired[Any],
    },
)


class DeploymentItem(TypedDict):
    id: str
    source: Literal['automatic', 'operator']
    severity: Literal['blocking', 'advisory']
    code: str
    path: str
    """A JSON pointer into the configuration."""
    message: str
    created_at: str


class PublisherStatementItem(TypedDict):
    date: str
    amount_usd: float


class HttpToolTestItem(TypedDict):
    message: str
    percentage: float | None


class RolloutPlanItem(TypedDict):
    percentage: int
    """The share of new sessions that get the version."""
    runs_min: NotRequired[int]
    """How many of its runs have to be finished before the next step."""
    hours_min: NotRequired[int]
    """The least time of the step."""


class ReviewTrialListItemSubmittedOutput(TypedDict):
    type: Literal['output_text']
    text: str


class ReviewTrialListItemSubmittedOutput1(TypedDict):
    type: Literal['output_file']
    file_id: str
    filename: str
    media_type: str
    size_bytes: int


class ReviewTrialListItemSubmittedOutput2(TypedDict):
    type: Literal['output_data']
    data: Any


class ReviewTrialListItemSubmittedError(TypedDict):
    message: str
    type: str
    param: str | None
    code: str


class ReviewTrialListItemSubmittedStepChildRun(TypedDict):
    """The run of another agent that the step has started. It is billed as a run of its own."""

    id: str
    status: str
    total_usd: float
    """With the runs below it, US dollars."""


class ReviewTrialListItemSubmittedStep(TypedDict):
    id: str
    """The same as `step_id`."""
    object: Literal['run.step']
    run_id: str
    number: int
    """Orders the steps of the run."""
    step_id: str
    kind: Literal['model', 'tool', 'sandbox', 'file', 'compaction']
    """`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads."""
    name: str
    """The tool, or the model; of a compaction `summarize` or `truncate`."""
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    model: str | None
    status: Literal['in_progress', 'retrying', 'completed', 'failed', 'cancelled']
    """`failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first."""
    retry_at: str | None
    """When the next attempt begins, while one waits."""
    is_error: bool
    error_code: str | None
    reused_from: str | None
    """The step of the repeated run whose result this is. It costs nothing if that run was billed; if that one failed, it costs what it did there, and is shown once this run has begun. Null for a step of this run itself."""
    child_run: ReviewTrialListItemSubmittedStepChildRun | None
    """The run of another agent that the step has started. It is billed as a run of its own."""
    started_at: str
    """Of the first attempt."""
    ended_at: str | None
    """Of the last attempt."""
    duration_ms: int | None
    input_tokens: float | None
    """Of a model, and of a compaction."""
    output_tokens: float | None
    """Of a model, and of a compaction."""
    sandbox_seconds: float | None
    """Of a sandbox."""
    cost_usd: float
    """US dollars, before the fee, the minimum and the limit of the whole run."""
    arguments: str | None
    arguments_truncated: bool
    result_preview: str | None
    result_truncated: bool


class ReviewTrialListItemSubmitted(TypedDict):
    """With the submitted version; null: earlier trials used up what they may cost."""

    id: str
    version_id: str
    version: str
    status: Literal['queued', 'in_progress', 'requires_action', 'cancelling', 'completed', 'limit_reached', 'cancelled', 'failed']
    """The last four are final."""
    output: list[ReviewTrialListItemSubmittedOutput | ReviewTrialListItemSubmittedOutput1 | ReviewTrialListItemSubmittedOutput2]
    error: ReviewTrialListItemSubmittedError | None
    started_at: str | None
    duration_seconds: float | None
    cost_usd: float
    """Paid by the platform, at its own prices."""
    steps: list[ReviewTrialListItemSubmittedStep]


class ReviewTrialListItemLiveOutput(TypedDict):
    type: Literal['output_text']
    text: str


class ReviewTrialListItemLiveOutput1(TypedDict):
    type: Literal['output_file']
    file_id: str
    filename: str
    media_type: str
    size_bytes: int


class ReviewTrialListItemLiveOutput2(TypedDict):
    type: Literal['output_data']
    data: Any


class ReviewTrialListItemLiveError(TypedDict):
    message: str
    type: str
    param: str | None
    code: str


class ReviewTrialListItemLiveStepChildRun(TypedDict):
    """The run of another agent that the step has started. It is billed as a run of its own."""

    id: str
    status: str
    total_usd: float
    """With the runs below it, US dollars."""


class ReviewTrialListItemLiveStep(TypedDict):
    id: str
    """The same as `step_id`."""
    object: Literal['run.step']
    run_id: str
    number: int
    """Orders the steps of the run."""
    step_id: str
    kind: Literal['model', 'tool', 'sandbox', 'file', 'compaction']
    """`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads."""
    name: str
    """The tool, or the model; of a compaction `summarize` or `truncate`."""
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    model: str | None
    status: Literal['in_progress', 'retrying', 'completed', 'failed', 'cancelled']
    """`failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first."""
    retry_at: str | None
    """When the next attempt begins, while one waits."""
    is_error: bool
    error_code: str | None
    reused_from: str | None
    """The step of the repeated run whose result this is. It costs nothing if that run was billed; if that one failed, it costs what it did there, and is shown once this run has begun. Null for a step of this run itself."""
    child_run: ReviewTrialListItemLiveStepChildRun | None
    """The run of another agent that the step has started. It is billed as a run of its own."""
    started_at: str
    """Of the first attempt."""
    ended_at: str | None
    """Of the last attempt."""
    duration_ms: int | None
    input_tokens: float | None
    """Of a model, and of a compaction."""
    output_tokens: float | None
    """Of a model, and of a compaction."""
    sandbox_seconds: float | None
    """Of a sandbox."""
    cost_usd: float
    """US dollars, before the fee, the minimum and the limit of the whole run."""
    arguments: str | None
    arguments_truncated: bool
    result_preview: str | None
    result_truncated: bool


class ReviewTrialListItemLive(TypedDict):
    """With the version that was public during the review."""

    id: str
    version_id: str
    version: str
    status: Literal['queued', 'in_progress', 'requires_action', 'cancelling', 'completed', 'limit_reached', 'cancelled', 'failed']
    """The last four are final."""
    output: list[ReviewTrialListItemLiveOutput | ReviewTrialListItemLiveOutput1 | ReviewTrialListItemLiveOutput2]
    error: ReviewTrialListItemLiveError | None
    started_at: str | None
    duration_seconds: float | None
    cost_usd: float
    """Paid by the platform, at its own prices."""
    steps: list[ReviewTrialListItemLiveStep]


class ReviewTrialListItem(TypedDict):
    object: Literal['review.trial']
    kind: Literal['example', 'probe']
    index: int
    """The place among the prompts of its kind, from 0."""
    prompt: Any
    """What the agent was asked; null when it was not tried, or when its content has expired."""
    submitted: ReviewTrialListItemSubmitted | None
    """With the submitted version; null: earlier trials used up what they may cost."""
    live: ReviewTrialListItemLive | None
    """With the version that was public during the review."""


class PublishedRunPageItemMeter(TypedDict):
    id: str
    unit: str
    quantity: float


class PublishedRunPageItem(TypedDict):
    id: str
    object: Literal['publisher.run']
    agent_id: str
    version_id: str
    version: str
    caller_id: str
    """The same for all runs of one caller; it says nothing about who they are, and another publisher has another one."""
    is_own: bool
    """Of the publisher’s own workspace."""
    status: Literal['completed', 'limit_reached', 'cancelled', 'failed']
    error_code: str | None
    """Why it failed, or which limit it reached."""
    fault: Literal['agent', 'caller', 'platform', 'provider'] | None
    """Whose fault a failure is."""
    source: str
    is_called_by_agent: bool
    is_rerun: bool
    is_rehearsed: bool
    """Rules replaced the model."""
    created_at: str
    started_at: str | None
    ended_at: str
    duration_seconds: float | None
    meters: list[PublishedRunPageItemMeter]
    total_usd: float
    """What the caller paid."""
    earned_usd: float
    platform_cost_usd: float
    unbilled_usd: float
    """The worth of what a failed run has used: nobody paid for it."""
    steps_deleted_at: str | None
    content_access: Literal['none', 'shared', 'own']
    """`shared`: its caller shares what was asked and answered. `own`: it is a run of this workspace."""
    shared_until: str | None


class PublishedRunItem(TypedDict):
    id: str
    unit: str
    quantity: float


class PublishedStepPageItemContent(TypedDict):
    """Null without access."""

    arguments: str | None
    arguments_truncated: bool
    result_preview: str | None
    result_truncated: bool


class PublishedStepPageItem(TypedDict):
    id: str
    """The same as `step_id`."""
    number: int
    """Orders the steps of the run."""
    kind: Literal['model', 'tool', 'sandbox', 'file', 'compaction']
    """`sandbox` runs code; `file` reads or writes files of the session; `compaction` replaces earlier turns in what the model reads."""
    attempt: int
    """Counts from 1. A step is retried when its worker or its upstream fails."""
    status: Literal['in_progress', 'retrying', 'completed', 'failed', 'cancelled']
    """`failed`: it has no result, or an error as its result, which the model reads and continues with: a tool’s, or `output_invalid` for an output that does not fit its schema. `cancelled`: the run ended first."""
    is_error: bool
    error_code: str | None
    started_at: str
    """Of the first attempt."""
    ended_at: str | None
    """Of the last attempt."""
    duration_ms: int | None
    input_tokens: float | None
    """Of a model, and of a compaction."""
    output_tokens: float | None
    """Of a model, and of a compaction."""
    sandbox_seconds: float | None
    """Of a sandbox."""
    cost_usd: float
    """US dollars, before the fee, the minimum and the limit of the whole run."""
    object: Literal['publisher.run.step']
    name: str | None
    """The model, the tool, or the plugin; null for a tool that the agent does not have."""
    is_reused: bool
    """A result of the run that this one repeats."""
    content: PublishedStepPageItemContent | None
    """Null without access."""


class AgentMetricsItemError(TypedDict):
    status: Literal['completed', 'limit_reached', 'cancelled', 'failed']
    error_code: str | None
    fault: Literal['agent', 'caller', 'platform', 'provider'] | None
    runs: int


class AgentMetricsItem(TypedDict):
    runs: int
    completed: int
    limit_reached: int
    cancelled: int
    failed: int
    success_rate: float | None
    """Completed runs among those not cancelled, 0 to 1."""
    p50_seconds: float | None
    """Of completed runs, to within 2.5 %."""
    p95_seconds: float | None
    total_usd: float
    """What callers paid."""
    mean_cost_usd: float | None
    """Of a run that is not failed."""
    earned_usd: float
    platform_cost_usd: float
    unbilled_usd: float
    """The worth of what failed runs have used: nobody paid for it."""
    refunded_runs: int
    refunded_usd: float
    version_id: str
    version: str
    errors: list[AgentMetricsItemError]


class EvaluationSetItemInput(TypedDict):
    type: Literal['input_text']
    text: str


class EvaluationSetItemInput1(TypedDict):
    type: Literal['input_file']
    file_id: str


class EvaluationSetItemInput2(TypedDict):
    type: Literal['input_data']
    data: dict[str, Any]
    """Fits the agent’s `input_schema`."""


class EvaluationSetItemInput3Content(TypedDict):
    type: Literal['input_text']
    text: str


class EvaluationSetItemInput3Content1(TypedDict):
    type: Literal['input_file']
    file_id: str


class EvaluationSetItemInput3(TypedDict):
    type: Literal['message']
    role: Literal['system', 'developer', 'user', 'assistant']
    """The agent’s own instructions stand above those of `system` and `developer`."""
    name: NotRequired[str]
    content: str | list[EvaluationSetItemInput3Content | EvaluationSetItemInput3Content1]
    """Files only in messages of the user."""


class EvaluationSetItemInput4(TypedDict):
    type: Literal['function_call']
    call_id: str
    name: str
    arguments: str


class EvaluationSetItemInput5(TypedDict):
    type: Literal['function_call_output']
    call_id: str
    output: str


class EvaluationSetItemChecks(TypedDict):
    type: Literal['string_check']
    operation: Literal['equals', 'not_equals', 'contains', 'not_contains', 'regex']
    """Of the text of the output, without blanks around it. `regex`: a regular expression of JavaScript."""
    reference: str
    ignore_case: NotRequired[bool]


class EvaluationSetItemChecks1(TypedDict):
    type: Literal['json_schema']
    schema: dict[str, Any]
    """JSON Schema of an object that the output’s data, or the JSON in its text, must fit."""


class EvaluationSetItemChecks2(TypedDict):
    type: Literal['score_model']
    model: NotRequired[str | None]
    """A text model of the catalogue; the platform’s model for agents when null."""
    rubric: str
    """What a good output is like."""
    pass_threshold: NotRequired[float]
    """The model gives a score from 0 to 1; from this on the check passes."""


class EvaluationSetItemChecks3(TypedDict):
    type: Literal['tool_called']
    tool: str
    """A tool’s name; `call_agent` for other agents."""


class EvaluationSetItemChecks4(TypedDict):
    type: Literal['cost']
    max_cost_usd: float
    """The most that the test run may cost, at the platform’s prices. US dollars."""


class EvaluationSetItemChecks5(TypedDict):
    type: Literal['latency']
    max_seconds: float


class EvaluationSetItem(TypedDict):
    name: str
    """Unique in the set: by it, results of different versions are compared."""
    input: str | list[EvaluationSetItemInput | EvaluationSetItemInput1 | EvaluationSetItemInput2 | EvaluationSetItemInput3 | EvaluationSetItemInput4 | EvaluationSetItemInput5]
    """As the `input` of a run."""
    checks: list[EvaluationSetItemChecks | EvaluationSetItemChecks1 | EvaluationSetItemChecks2 | EvaluationSetItemChecks3 | EvaluationSetItemChecks4 | EvaluationSetItemChecks5]


class NewEvaluationSetItemInput(TypedDict):
    type: Literal['input_text']
    text: str


class NewEvaluationSetItemInput1(TypedDict):
    type: Literal['input_file']
    file_id: str


class NewEvaluationSetItemInput2(TypedDict):
    type: Literal['input_data']
    data: dict[str, Any]
    """Fits the agent’s `input_schema`."""


class NewEvaluationSetItemInput3Content(TypedDict):
    type: Literal['input_text']
    text: str


class NewEvaluationSetItemInput3Content1(TypedDict):
    type: Literal['input_file']
    file_id: str


class NewEvaluationSetItemInput3(TypedDict):
    type: Literal['message']
    role: Literal['system', 'developer', 'user', 'assistant']
    """The agent’s own instructions stand above those of `system` and `developer`."""
    name: NotRequired[str]
    content: str | list[NewEvaluationSetItemInput3Content | NewEvaluationSetItemInput3Content1]
    """Files only in messages of the user."""


class NewEvaluationSetItemInput4(TypedDict):
    type: Literal['function_call']
    call_id: str
    name: str
    arguments: str


class NewEvaluationSetItemInput5(TypedDict):
    type: Literal['function_call_output']
    call_id: str
    output: str


class NewEvaluationSetItemChecks(TypedDict):
    type: Literal['string_check']
    operation: Literal['equals', 'not_equals', 'contains', 'not_contains', 'regex']
    """Of the text of the output, without blanks around it. `regex`: a regular expression of JavaScript."""
    reference: str
    ignore_case: NotRequired[bool]


class NewEvaluationSetItemChecks1(TypedDict):
    type: Literal['json_schema']
    schema: dict[str, Any]
    """JSON Schema of an object that the output’s data, or the JSON in its text, must fit."""


class NewEvaluationSetItemChecks2(TypedDict):
    type: Literal['score_model']
    model: NotRequired[str | None]
    """A text model of the catalogue; the platform’s model for agents when null."""
    rubric: str
    """What a good output is like."""
    pass_threshold: NotRequired[float]
    """The model gives a score from 0 to 1; from this on the check passes."""


class NewEvaluationSetItemChecks3(TypedDict):
    type: Literal['tool_called']
    tool: str
    """A tool’s name; `call_agent` for other agents."""


class NewEvaluationSetItemChecks4(TypedDict):
    type: Literal['cost']
    max_cost_usd: float
    """The most that the test run may cost, at the platform’s prices. US dollars."""


class NewEvaluationSetItemChecks5(TypedDict):
    type: Literal['latency']
    max_seconds: float


class NewEvaluationSetItem(TypedDict):
    name: str
    """Unique in the set: by it, results of different versions are compared."""
    input: str | list[NewEvaluationSetItemInput | NewEvaluationSetItemInput1 | NewEvaluationSetItemInput2 | NewEvaluationSetItemInput3 | NewEvaluationSetItemInput4 | NewEvaluationSetItemInput5]
    """As the `input` of a run."""
    checks: list[NewEvaluationSetItemChecks | NewEvaluationSetItemChecks1 | NewEvaluationSetItemChecks2 | NewEvaluationSetItemChecks3 | NewEvaluationSetItemChecks4 | NewEvaluationSetItemChecks5]


class EvaluationRunItemCheck(TypedDict):
    type: str
    status: Literal['passed', 'failed', 'errored']
    message: str
    score: NotRequired[float]
    """Of `score_model`, from 0 to 1."""
    reason: NotRequired[str]
    """The model’s words."""
    cost_usd: NotRequired[float]
    """US dollars."""


class EvaluationRunItemError(TypedDict):
    code: str
    message: str


class EvaluationRunItemAgainst(TypedDict):
    """The case in the compared run; null without one."""

    status: Literal['passed', 'failed', 'errored', 'cancelled']
    cost_usd: float
    """US dollars."""
    duration_seconds: float | None
    change: Literal['same', 'regression', 'fixed']


class EvaluationRunItem(TypedDict):
    name: str
    status: Literal['queued', 'passed', 'failed', 'errored', 'cancelled']
    """`errored`: for a reason that is not the agent’s, it could not be decided."""
    run_id: str | None
    input: Any
    output_text: str | None
    """The beginning of the output; null while its content is not kept."""
    checks: list[EvaluationRunItemCheck]
    """In the order of the case’s checks; empty when its run did not complete."""
    error: EvaluationRunItemError | None
    cost_usd: float
    """US dollars."""
    judge_cost_usd: float
    """Of the models that judged, in US dollars."""
    duration_seconds: float | None
    against: EvaluationRunItemAgainst | None
    """The case in the compared run; null without one."""


class EvaluationRunPageItemError(TypedDict):
    """Why cases were not run."""

    code: str
    message: str


class EvaluationRunPageItemResultCounts(TypedDict):
    total: int
    passed: int
    failed: int
    errored: int
    cancelled: int


class EvaluationRunPageItem(TypedDict):
    id: str
    object: Literal['evaluation.run']
    agent_id: str
    version_id: str
    version: str
    configuration_hash: str
    """Versions with the same one have the same configuration."""
    set_revision: int
    status: Literal['queued', 'in_progress', 'passed', 'failed', 'cancelled']
    """`passed`: every case has."""
    error: EvaluationRunPageItemError | None
    """Why cases were not run."""
    max_cost_usd: float | None
    created_at: str
    started_at: str | None
    cancel_requested_at: str | None
    ended_at: str | None
    result_counts: EvaluationRunPageItemResultCounts
    cost_usd: float
    """US dollars."""


class AgentCardItem(TypedDict):
    url: str
    protocolBinding: str
    protocolVersion: str


class A2aTaskItem(TypedDict):
    artifactId: str
    parts: list[dict[str, Any]]


class BillKeysItem(TypedDict):
    kty: Literal['OKP']
    crv: Literal['Ed25519']
    alg: Literal['EdDSA']
    use: Literal['sig']
    kid: str
    x: str
    valid_from: str
    valid_until: str | None
    """When the next key replaced it; null for the current one."""


class RunOptionsResponseFormatJsonSchema(TypedDict):
    name: NotRequired[str]
    description: NotRequired[str]
    schema: dict[str, Any]
    strict: NotRequired[bool | None]


class RunOptionsResponseFormat(TypedDict):
    """The schema of this run’s `output_data`, for agents with `accepts_response_format`."""

    type: Literal['json_schema']
    json_schema: RunOptionsResponseFormatJsonSchema


class RunOptionsConcurrency(TypedDict):
    """Waits in a queue while as many runs with this key run. A run keeps its place until it has ended."""

    key: str
    """Runs of the workspace with the same key are counted together, whichever agent they are of."""
    limit: int
    """A run starts when fewer than so many of them run."""


class RunOptionsDebounce(TypedDict):
    """Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`."""

    key: str
    """Orders of the same agent with the same key are one burst."""
    seconds: int
    """The run starts so long after the last order of its burst."""
    max_seconds: NotRequired[int]
    """At the latest so long after the first order; while orders come, it waits on when left out."""


class RunOptions(TypedDict):
    version: NotRequired[str]
    """A date label or `aver_…`; the current one when left out."""
    visibility: NotRequired[Literal['public', 'private']]
    quote_id: NotRequired[str]
    """Runs the version of this quote at its price, while the quote holds."""
    session_id: NotRequired[str]
    """A new session when left out."""
    response_format: NotRequired[RunOptionsResponseFormat]
    """The schema of this run’s `output_data`, for agents with `accepts_response_format`."""
    max_cost_usd: NotRequired[float]
    """The agent’s maximum when left out."""
    on_limit: NotRequired[Literal['stop', 'pause']]
    """With `pause` the run waits for a higher limit, while it is below the agent’s maximum."""
    if_session_busy: NotRequired[Literal['reject', 'enqueue', 'interrupt']]
    concurrency: NotRequired[RunOptionsConcurrency]
    """Waits in a queue while as many runs with this key run. A run keeps its place until it has ended."""
    priority: NotRequired[int]
    """Seconds: it starts before runs that were ordered up to so long ago. A negative one lets others go first."""
    debounce: NotRequired[RunOptionsDebounce]
    """Of a burst of orders only the last one runs. A new order cancels the waiting run of the one before, at no cost: its `status_reason` is `superseded by run_…`."""
    timeout_seconds: NotRequired[int]
    metadata: NotRequired[dict[str, str]]
    user: NotRequired[str]
    """Your end user, by an id of your own: an agent with memory remembers for this user, across sessions."""
    state: NotRequired[dict[str, Any]]
    """The state of the new session, as a JSON object."""
    webhook_url: NotRequired[str]
    """The address of one of your webhook endpoints, with a query of its own if you like: events of this run go there."""
    webhook_events: NotRequired[list[Literal['run.requires_action', 'run.completed', 'run.failed', 'run.cancelled', 'run.limit_reached']]]
    """Which events go to `webhook_url`; all of these when left out."""
    start_after_seconds: NotRequired[int]
    source: NotRequired[Literal['api', 'chat', 'workstream']]


class RunFilters(TypedDict):
    agent: NotRequired[str]
    version: NotRequired[str]
    """A date label or `aver_…`."""
    session_id: NotRequired[str]
    schedule_id: NotRequired[str]
    """The runs that this schedule has started."""
    parent_run_id: NotRequired[str]
    """The runs that the agent of this run has started."""
    source: NotRequired[Literal['api', 'chat', 'workstream', 'schedule', 'agent', 'test']]
    user: NotRequired[str]
    """The `user` of the order."""
    status: NotRequired[Literal['queued', 'in_progress', 'requires_action', 'cancelling', 'completed', 'limit_reached', 'cancelled', 'failed']]
    fault: NotRequired[Literal['platform', 'provider', 'agent', 'caller']]
    """The cause of a failure."""
    error_code: NotRequired[str]
    """The `code` of a failed run’s error."""
    error: NotRequired[str]
    """A part of the message of a failed run’s error, in any case."""
    metadata: NotRequired[dict[str, str]]
    """Runs that have all of these pairs: `metadata[team]=support`."""
    from_: NotRequired[str]
    """A date, or a date and time with its offset (ISO 8601)."""
    to: NotRequired[str]
    """A date, which is included, or a date and time, which is not."""
    limit: NotRequired[int]


class AgentFilters(TypedDict):
    search: NotRequired[str]
    category: NotRequired[str]
    max_cost_usd: NotRequired[float]
    sort: NotRequired[Literal['newest', 'popular', 'price', 'name']]
    limit: NotRequired[int]


class FileFilters(TypedDict):
    purpose: NotRequired[str]
    limit: NotRequired[int]
    order: NotRequired[Literal['asc', 'desc']]


class ChatCompletion(TypedDict):
    id: str
    object: Literal['chat.completion']
    created: int
    """Seconds since 1970."""
    model: str
    choices: list[ChatCompletionItem]
    usage: ChatCompletionUsage
    run: NotRequired[ChatCompletionRun]
    """Only of an agent in the place of a model."""
    system_fingerprint: NotRequired[str | None]
    service_tier: NotRequired[str | None]
    moderation: NotRequired[Any]
    """What the upstream found in the texts, where it was asked to look."""


class ChatCompletionChunk(TypedDict):
    """One `data:` event of the stream. The last event is `data: [DONE]`."""

    id: str
    object: Literal['chat.completion.chunk']
    created: int
    """Seconds since 1970."""
    model: str
    choices: list[ChatCompletionChunkItem]
    usage: NotRequired[ChatCompletionChunkUsage | None]
    """Only with stream_options.include_usage: null until the last chunk."""
    system_fingerprint: NotRequired[str | None]
    service_tier: NotRequired[str | None]
    moderation: NotRequired[Any]
    """What the upstream found in the texts, where it was asked to look."""
    obfuscation: NotRequired[str]


class Completion(TypedDict):
    id: str
    object: Literal['text_completion']
    created: int
    """Seconds since 1970."""
    model: str
    choices: list[CompletionItem]
    usage: NotRequired[CompletionUsage | None]
    system_fingerprint: NotRequired[str | None]
    service_tier: NotRequired[str | None]
    moderation: NotRequired[Any]
    """What the upstream found in the texts, where it was asked to look."""


class ResponseInputItems(TypedDict):
    object: Literal['list']
    data: list[ResponseInputItemsItem]
    first_id: str | None
    last_id: str | None
    """Send it as `after` for the next page."""
    has_more: bool


class Embeddings(TypedDict):
    object: Literal['list']
    data: list[EmbeddingsItem]
    model: str
    usage: EmbeddingsUsage


class Transcription(TypedDict):
    text: str
    usage: TranscriptionUsage
    logprobs: NotRequired[list[TranscriptionItem]]
    """With `include[]: logprobs`."""
    task: NotRequired[Literal['transcribe', 'translate']]
    language: NotRequired[str]
    """With `verbose_json`, as are the members that follow."""
    duration: NotRequired[float]
    segments: NotRequired[list[TranscriptionSegment]]
    words: NotRequired[list[TranscriptionWord]]


class ModelList(TypedDict):
    object: Literal['list']
    data: list[Model]


class KeyList(TypedDict):
    data: list[KeyListItem]


class EndedRequest(TypedDict):
    id: str
    object: Literal['request']
    route: str
    model: str | None
    """The model, or the agent, that it named; null when it was refused before that was read."""
    product: Literal['text', 'embeddings', 'speech', 'transcription', 'voice_conversion', 'realtime', 'batch', 'agents'] | None
    """What it was sold as, or of a refused call what it asked for; null where that was none."""
    status: int
    """499 when the client disconnected before the end."""
    cancelled: bool
    usage: list[EndedRequestItem]
    cost_usd: float
    hold_usd: float
    """The largest hold of the call."""
    started_at: str
    settled_at: str
    """When it was billed: the time of its ledger entry. Lists and usage go by it."""
    first_byte_ms: float | None
    duration_ms: float
    stream_bytes: int
    ledger_entry_ids: list[str]
    key_id: str
    key_prefix: str | None
    key_name: str | None
    project_id: str
    """The project of its key when it was made: `default`, or the id of another."""
    response_id: str | None
    """The `id` in the answer: `chatcmpl-…`, `cmpl-…` or `resp_…`; null where answers have none."""
    upstream: str | None
    """The supplier that answered, or was tried last."""
    attempts: int | None
    """How many suppliers were tried."""
    routing: EndedRequestRouting | None
    """Why that supplier; null where the model has one."""
    retries: int
    """How many retries of its client got this answer again, and paid nothing."""
    finish_reason: str | None
    cached_tokens: int | None
    reasoning_tokens: int | None
    error: EndedRequestError | None
    """Why it was refused or failed, as it was answered. Kept for 7 days; null for what succeeded."""
    has_content: bool
    """Whether its prompt and answer are kept: see `GET …/content`."""
    calls: int
    """How many calls this entry stands for: beyond 30 refusals of a key in a minute, the others are only counted, by code."""


class Overview(TypedDict):
    balance_usd: float
    held_usd: float
    """What running calls and runs may still cost, at most. Calls of other server processes are counted within a second."""
    available_usd: float
    runway_days: float | None
    """How many days the available balance lasts at the mean of the last seven whole days and today; null when nothing was spent."""
    spend_today_usd: float
    """Days and months are UTC."""
    spend_yesterday_usd: float
    spend_month_usd: float
    spend_last_month_usd: float
    """The whole month."""
    spend_days: list[OverviewItem]
    """30 days, the oldest first; the last one is today."""
    spend_days_before: list[OverviewSpendDaysBeforeItem]
    """The 30 days before."""
    requests_last_hour: int
    errors_last_hour: int
    refused_last_hour: list[OverviewRefusedLastHourItem]
    """Calls that were refused or failed, by code, the five most frequent first."""
    runs_last_hour: int
    """Runs that have ended."""
    runs_failed_last_hour: int
    runs_open: int
    blocked: OverviewBlocked | None
    """Why a paid call of this key would be refused now; null when it would not be."""
    notices: list[OverviewNotice]


ModelPerformanceList = TypedDict(
    'ModelPerformanceList',
    {
        'object': Literal['list'],
        'from': str,
        'to': str,
        'data': list[ModelPerformanceListItem],
    },
)


class ModelPriceList(TypedDict):
    object: Literal['list']
    data: list[ModelPriceListItem]


class SearchResults(TypedDict):
    object: Literal['list']
    data: list[SearchResultsItem]


class Explanation(TypedDict):
    object: Literal['explanation']
    id: str
    request: EndedRequest | None
    run: ExplanationRun | None
    model: str | None
    agent: str | None
    lines: list[ExplanationItem]
    rounding_usd: float
    """A bill is rounded once, half up, to the nano-USD."""
    total_usd: float
    """The lines and the rounding, exactly."""
    price_valid_from: str | None
    price: ExplanationPrice | None
    """The price that held when the call started; null for runs, and for calls from before prices were kept."""
    entries: list[ExplanationEntry]
    text: str
    """The same in words."""


class LedgerPage(TypedDict):
    object: Literal['list']
    data: list[LedgerPageItem]
    has_more: bool
    next_cursor: str | None


class AuditLogPage(TypedDict):
    object: Literal['list']
    data: list[AuditEntry]
    has_more: bool
    next_cursor: str | None


class InvoicePage(TypedDict):
    object: Literal['list']
    data: list[InvoicePageItem]
    has_more: bool
    next_cursor: str | None


class Invoice(TypedDict):
    id: str
    object: Literal['invoice']
    number: str
    """Without gaps within the installation; those of test workspaces begin with `TEST-`."""
    month: str
    """`YYYY-MM`, UTC."""
    status: Literal['paid']
    """Credit is paid when it is bought, so nothing is due."""
    currency: Literal['USD']
    is_test: bool
    net_usd: float
    """Credit that was bought, less what was refunded or disputed."""
    tax_usd: float
    """On that credit."""
    total_usd: float
    """What was paid: net and tax."""
    opening_balance_usd: float
    usage_usd: float
    """What calls and runs used of the balance. It is not charged again."""
    closing_balance_usd: float
    created_at: str
    seller: InvoiceSeller
    customer: InvoiceCustomer
    lines: list[InvoiceItem]


class AlertList(TypedDict):
    object: Literal['list']
    data: list[Alert]


class FlowRuleList(TypedDict):
    object: Literal['list']
    data: list[FlowRule]


class ProjectList(TypedDict):
    object: Literal['list']
    data: list[Project]


class AccountStatement(TypedDict):
    object: Literal['statement']
    month: str
    currency: Literal['USD']
    opening_balance_usd: float
    topups_usd: float
    refunds_usd: float
    """Payments that were refunded or disputed: below zero."""
    adjustments_usd: float
    """Changes by operators, and credit of the first start."""
    payouts_usd: float
    """Earnings of agents that were paid out to the balance."""
    spend: list[AccountStatementItem]
    spend_by_project: list[AccountStatementSpendByProjectItem]
    """The same spending by project, the largest first: it adds up to `spend_usd` too."""
    spend_usd: float
    closing_balance_usd: float
    """Opening balance + top-ups + refunds + adjustments + payouts - spend, exactly. Of a month that has not ended: up to now."""
    rows: list[AccountStatementRow]
    """The same as the rows of the CSV and the PDF: all before the last one sum up to the closing balance."""
    earnings_usd: float
    """What agents of the workspace earned. It is beside the balance, and in no row."""


class Receipt(TypedDict):
    object: Literal['receipt']
    id: str
    status: Literal['signed', 'pending', 'not_billed']
    """`pending`: the day of an entry has no signed root yet. `not_billed`: nothing was charged."""
    entries: list[ReceiptItem]


class TopupPage(TypedDict):
    object: Literal['list']
    data: list[TopupPageItem]
    has_more: bool
    next_cursor: str | None


class WebhookEndpointPage(TypedDict):
    object: Literal['list']
    data: list[WebhookEndpoint]
    has_more: bool
    next_cursor: str | None


class ListedWebhookDelivery(TypedDict):
    id: str
    object: Literal['webhook_delivery']
    endpoint_id: str
    event_id: str
    """The header `webhook-id` of each attempt."""
    event_type: str
    status: Literal['pending', 'delivered', 'failed', 'cancelled']
    """`cancelled`: the endpoint was disabled or deleted before."""
    attempt: int
    """Attempts so far, since the last redelivery."""
    next_try_at: str | None
    created_at: str
    request_body: str | None
    """What is sent. Null once the event is deleted."""
    attempts: list[ListedWebhookDeliveryItem]


class WebhookDeliveryList(TypedDict):
    object: Literal['list']
    data: list[WebhookDeliveryListItem]


RunEvent: TypeAlias = RunCreatedEvent | RunQueuedEvent | RunInProgressEvent | RunRequiresActionEvent | RunStepReusedEvent | RunStepStartedEvent | RunStepRetryingEvent | RunStepCompletedEvent | RunStepFailedEvent | RunReasoningDeltaEvent | RunProgressEvent | RunToolProgressEvent | RunOutputTextDeltaEvent | RunOutputTextDoneEvent | RunOutputFileCreatedEvent | RunOutputDataDoneEvent | RunStateUpdatedEvent | RunUsageUpdatedEvent | RunBudgetWarningEvent | RunCancellingEvent | RunCompletedEvent | RunLimitReachedEvent | RunCancelledEvent | RunFailedEvent
"""One of these, by `type`. New types may come: ignore those you do not know."""


class EventPage(TypedDict):
    object: Literal['list']
    data: list[RunEvent]
    has_more: bool
    next_cursor: str | None


class RunStepPage(TypedDict):
    object: Literal['list']
    data: list[RunStepPageItem]
    has_more: bool
    next_cursor: str | None


class Replay(TypedDict):
    object: Literal['run.replay']
    data: list[ReplayItem]
    stopped_by: ReplayStoppedBy | None
    """Why it ended before the last run: no money, or too many open runs. Go on later, at `next_cursor`."""
    has_more: bool
    next_cursor: str | None
    """Send it as `cursor` for the next runs that fit."""


class RunComparison(TypedDict):
    object: Literal['run.comparison']
    first: RunComparisonFirst
    second: RunComparisonSecond
    is_output_same: bool
    """Files are the same by their name and bytes, whatever their ids."""
    steps: list[RunComparisonItem]


class WorkspaceUsage(TypedDict):
    object: Literal['workspace.usage']
    range: Literal['7d', '30d', '90d']
    range_start: str
    range_end: str
    """The end of today: the range is of whole days, UTC."""
    totals: WorkspaceUsageTotals
    prior: WorkspaceUsagePrior | None
    """The same of as many days before; null when no run ended on them."""
    daily: list[WorkspaceUsageItem]
    by_agent: list[WorkspaceUsageByAgentItem]
    by_source: list[WorkspaceUsageBySourceItem]
    by_meter: list[WorkspaceUsageByMeterItem]
    sample_size: int
    """Number of completed runs in the medians."""


class Schedule(TypedDict):
    id: str
    object: Literal['schedule']
    name: str | None
    status: Literal['active', 'paused', 'ended']
    cron: str | None
    every_seconds: int | None
    timezone: str
    jitter_seconds: int
    start_at: str | None
    end_at: str | None
    overlap: Literal['skip', 'buffer_one', 'cancel_other', 'allow']
    catchup_window_seconds: int
    remaining_runs: int | None
    pause_after_misses: int
    paused_at: str | None
    pause_reason: Literal['requested', 'balance', 'key', 'agent', 'order'] | None
    """`requested`, or what keeps the service from creating its runs: `balance`, `key`, `agent`, `order` (the run’s body, or its times)."""
    pause_note: str | None
    run: ScheduleRun
    next_run_times: list[str] | None
    """Without jitter; null while they are not known."""
    recent: list[ScheduleItem]
    """The last 10 firings, newest first."""
    created_at: str
    updated_at: str


class SchedulePage(TypedDict):
    object: Literal['list']
    data: list[Schedule]
    has_more: bool
    next_cursor: str | None


class HeardText(TypedDict):
    language_code: str
    language_probability: float
    """When the model reports no language probability: its confidence in the words."""
    text: str
    words: list[HeardTextItem]
    transcription_id: str
    audio_duration_secs: float


class Voice(TypedDict):
    voice_id: str
    name: str
    category: Literal['premade', 'cloned']
    description: str | None
    labels: dict[str, str]
    samples: list[VoiceSample] | None
    preview_url: str | None
    """Where a preset can be heard, free and without a key."""
    settings: VoiceSettings
    engines: NotRequired[list[VoiceItem]]
    """For a voice that this machine speaks: which engine does, for each model, and whether it has been fetched."""
    is_owner: bool
    created_at_unix: int | None
    """Null for a premade voice."""


class VoiceUser(TypedDict):
    user_id: str
    subscription: VoiceSubscription


class SpeechHistory(TypedDict):
    history: list[SpeechHistoryItem]
    has_more: bool
    last_history_item_id: str | None
    scanned_until: None


class SessionFileList(TypedDict):
    data: list[SessionFile]
    has_more: bool
    next_cursor: str | None
    directory_generation: int
    """Rises with each change: send `"dir-<n>"` in `If-Match` to change only that state."""
    save_state: Literal['saved', 'saving', 'failed']
    save_error: SessionFileListSaveError | None
    save_operation: SessionFileListSaveOperation | None
    """A step of a run that is saving files or has failed to. Null when there is none."""
    busy: bool
    max_file_bytes: int
    storage_limit_bytes: int


class SessionFileRevisionPage(TypedDict):
    object: Literal['list']
    data: list[SessionFileRevisionPageItem]
    has_more: bool
    next_cursor: str | None


class SessionStateVersionPage(TypedDict):
    object: Literal['list']
    data: list[SessionStateVersionPageItem]
    has_more: bool
    next_cursor: str | None


class MemoryPage(TypedDict):
    object: Literal['list']
    data: list[Memory]
    has_more: bool
    next_cursor: str | None


class PluginSecretPage(TypedDict):
    object: Literal['list']
    data: list[PluginSecretPageItem]
    has_more: bool
    next_cursor: str | None


class CallerPluginPage(TypedDict):
    object: Literal['list']
    data: list[CallerPluginPageItem]
    has_more: bool
    next_cursor: str | None


class AgentPage(TypedDict):
    object: Literal['list']
    data: list[Agent]
    has_more: bool
    next_cursor: str | None


class ToolPage(TypedDict):
    object: Literal['list']
    data: list[ToolPageItem]
    has_more: bool
    next_cursor: str | None


class PluginPage(TypedDict):
    object: Literal['list']
    data: list[PluginPageItem]
    has_more: bool
    next_cursor: str | None


class AgentFeedbackPage(TypedDict):
    object: Literal['list']
    data: list[AgentFeedbackPageItem]
    has_more: bool
    next_cursor: str | None


class PublisherEstimate(TypedDict):
    object: Literal['publisher.estimate']
    based_on: Literal['sent', 'run', 'assumed']
    """Where the quantities are from. `assumed`: no run has completed in this workspace yet."""
    run_id: str | None
    """The run that used them."""
    quantities: dict[Literal['model_input_tokens', 'model_output_tokens', 'sandbox_seconds', 'tool_calls'], float]
    lines: list[PublisherEstimateItem]
    subtotal_usd: float
    """US dollars."""
    network_fee_usd: float
    """US dollars."""
    total_usd: float
    """What the caller pays. US dollars."""
    platform_cost_usd: float
    """Of the subtotal, what model and sandbox cost. US dollars."""
    subsidy_usd: float
    """US dollars."""
    earned_usd: float
    """What its publisher earns: the subtotal and the subsidy without the platform’s cost."""
    pricing: PublisherEstimatePricing


class AgentVersionPage(TypedDict):
    object: Literal['list']
    data: list[AgentVersion]
    has_more: bool
    next_cursor: str | None


class AgentVersionDiff(TypedDict):
    object: Literal['agent.version.diff']
    agent_id: str
    from_version_id: str
    to_version_id: str
    changes: list[AgentVersionDiffItem]


class Deployment(TypedDict):
    id: str
    object: Literal['agent.deployment']
    agent_id: str
    version_id: str
    visibility: Literal['public', 'private']
    status: Literal['in_review', 'scheduled', 'changes_requested', 'rejected', 'withdrawn', 'active', 'superseded', 'suspended']
    """`scheduled`: an approved more expensive version, until `active_from`."""
    active_from: str | None
    """Of a `scheduled` one: when it becomes the default, or starts to roll."""
    rollout: DeploymentRollout | None
    """Of a public version that was approved, or whose steps are planned."""
    review_feedback: list[DeploymentItem]
    created_at: str
    activated_at: str | None


class PublisherStatement(TypedDict):
    object: Literal['publisher.statement']
    month: str
    currency: Literal['USD']
    totals: PublisherStatementTotals
    own: PublisherStatementOwn
    """The part of `totals` of the publisher’s own workspace, which paid itself."""
    opening_usd: float
    """Owed at the month’s start: earned before and not paid out. A transfer is owed until it is sent."""
    paid_out_usd: float
    """The sum of `paid_out`."""
    closing_usd: float
    """Owed at its end: `opening_usd` + `totals.earned_usd` - `paid_out_usd`."""
    balance_usd: float
    """All earnings so far."""
    available_usd: float
    """What of them may be paid out now, to the balance."""
    transferable_usd: float
    """The same as a transfer, in whole cents: without what the balance lacks."""
    maturing_usd: float
    """What was neither paid out nor requested, and has to wait: it is younger than `mature_days`, or its caller’s payment was taken back or is questioned."""
    maturing_on: list[PublisherStatementItem]
    """Earnings that are younger than `mature_days`, by the day (UTC) on which they can be paid out."""
    requested_usd: float
    """Held for transfers that were requested and are not sent yet."""
    mature_days: int
    """How old earnings are before they can be paid out."""
    paid_out: list[PublisherStatementPaidOutItem]
    """Payouts to the balance, and transfers that were sent, in the month."""
    payouts: list[Payout]
    """Requested in the month, the oldest first."""
    data: list[PublisherStatementDatum]


class HttpToolTest(TypedDict):
    id: str
    """The `webhook-id` and `idempotency-key` of the request."""
    object: Literal['agent.http_tool_test']
    agent_id: str
    tool: str
    request: HttpToolTestRequest
    response: HttpToolTestResponse | None
    """Null: there was no whole answer."""
    progress: list[HttpToolTestItem]
    result: HttpToolTestResult
    """What a model would read."""
    duration_ms: int
    created_at: str


class AgentChannelList(TypedDict):
    object: Literal['list']
    data: list[AgentChannelModel]


class RolloutPlan(TypedDict):
    steps: list[RolloutPlanItem]


class ReviewTrialList(TypedDict):
    object: Literal['list']
    data: list[ReviewTrialListItem]
    has_more: bool
    next_cursor: str | None


class DeploymentCommentPage(TypedDict):
    object: Literal['list']
    data: list[DeploymentComment]
    has_more: bool
    next_cursor: str | None


class PublishedRunPage(TypedDict):
    object: Literal['list']
    data: list[PublishedRunPageItem]
    has_more: bool
    next_cursor: str | None


class PublishedRun(TypedDict):
    id: str
    object: Literal['publisher.run']
    agent_id: str
    version_id: str
    version: str
    caller_id: str
    """The same for all runs of one caller; it says nothing about who they are, and another publisher has another one."""
    is_own: bool
    """Of the publisher’s own workspace."""
    status: Literal['completed', 'limit_reached', 'cancelled', 'failed']
    error_code: str | None
    """Why it failed, or which limit it reached."""
    fault: Literal['agent', 'caller', 'platform', 'provider'] | None
    """Whose fault a failure is."""
    source: str
    is_called_by_agent: bool
    is_rerun: bool
    is_rehearsed: bool
    """Rules replaced the model."""
    created_at: str
    started_at: str | None
    ended_at: str
    duration_seconds: float | None
    meters: list[PublishedRunItem]
    total_usd: float
    """What the caller paid."""
    earned_usd: float
    platform_cost_usd: float
    unbilled_usd: float
    """The worth of what a failed run has used: nobody paid for it."""
    steps_deleted_at: str | None
    content_access: Literal['none', 'shared', 'own']
    """`shared`: its caller shares what was asked and answered. `own`: it is a run of this workspace."""
    shared_until: str | None
    content: PublishedRunContent | None
    """Null without access, and once it is deleted. Files are never part of it."""


class PublishedStepPage(TypedDict):
    object: Literal['list']
    data: list[PublishedStepPageItem]
    has_more: bool
    next_cursor: str | None


AgentMetrics = TypedDict(
    'AgentMetrics',
    {
        'object': Literal['publisher.agent.metrics'],
        'agent_id': str,
        'whose': Literal['callers', 'own', 'all'],
        'interval': Literal['hour', 'day'],
        'from': str,
        'to': str,
        'open_runs': int,
        'totals': AgentMetricsTotals,
        'versions': list[AgentMetricsItem],
        'data': list[AgentMetricsDatum],
    },
)


class PublisherAlertList(TypedDict):
    object: Literal['list']
    data: list[PublisherAlert]


class EvaluationSet(TypedDict):
    object: Literal['evaluation.set']
    agent_id: str
    revision: int
    """Counts the changes; 0 while the agent has no set."""
    cases: list[EvaluationSetItem]
    updated_at: str | None


class NewEvaluationSet(TypedDict):
    cases: list[NewEvaluationSetItem]
    revision: NotRequired[int]
    """The `revision` of the set that was seen, 0 for none: 409 when the set has changed since."""


class EvaluationRun(TypedDict):
    id: str
    object: Literal['evaluation.run']
    agent_id: str
    version_id: str
    version: str
    configuration_hash: str
    """Versions with the same one have the same configuration."""
    set_revision: int
    status: Literal['queued', 'in_progress', 'passed', 'failed', 'cancelled']
    """`passed`: every case has."""
    error: EvaluationRunError | None
    """Why cases were not run."""
    max_cost_usd: float | None
    created_at: str
    started_at: str | None
    cancel_requested_at: str | None
    ended_at: str | None
    result_counts: EvaluationRunResultCounts
    cost_usd: float
    """US dollars."""
    cases: list[EvaluationRunItem]
    comparison: EvaluationRunComparison | None
    """With `against`; null when there is nothing to compare with."""


class EvaluationRunPage(TypedDict):
    object: Literal['list']
    data: list[EvaluationRunPageItem]
    has_more: bool
    next_cursor: str | None


class DeploymentEvaluation(TypedDict):
    object: Literal['deployment.evaluation']
    state: Literal['no_set', 'not_run', 'stale', 'passed', 'failed']
    """`not_run`: no run of the set has ended with the configuration of this version. `stale`: its cases have changed since."""
    run: EvaluationRun | None


class AgentCard(TypedDict):
    name: str
    description: str
    supportedInterfaces: list[AgentCardItem]
    provider: AgentCardProvider
    iconUrl: NotRequired[str]
    version: str
    documentationUrl: str
    capabilities: AgentCardCapabilities
    url: str
    """For clients of version 0.3, which read no interfaces."""
    preferredTransport: Literal['JSONRPC']
    """The same."""
    protocolVersion: str
    """The version of the protocol that this server speaks."""
    supportsAuthenticatedExtendedCard: Literal[False]
    securitySchemes: dict[str, AgentCardSecuritySchemes]
    security: list[dict[str, list[str]]]
    securityRequirements: list[AgentCardSecurityRequirement]
    defaultInputModes: list[str]
    """Media types."""
    defaultOutputModes: list[str]
    """Media types."""
    skills: list[AgentCardSkill]


class A2aTask(TypedDict):
    id: str
    """The id of the run."""
    contextId: str
    """The id of its session."""
    status: A2aTaskStatus
    artifacts: NotRequired[list[A2aTaskItem]]
    history: NotRequired[list[dict[str, Any]]]


class ClientList(TypedDict):
    object: Literal['list']
    data: list[ClientPackage]
    absent: list[ClientListAbsentItem]
    """Packages that this installation has not built, and what that needs."""


class BillKeys(TypedDict):
    keys: list[BillKeysItem]


class BillRoots(TypedDict):
    roots: list[BillRoot]
    has_more: bool


class RequestPage(TypedDict):
    object: Literal['list']
    data: list[EndedRequest]
    has_more: bool
    next_cursor: str | None


class WebhookDeliveryPage(TypedDict):
    object: Literal['list']
    data: list[ListedWebhookDelivery]
    has_more: bool
    next_cursor: str | None


class VoiceList(TypedDict):
    voices: list[Voice]


class VoicePage(TypedDict):
    voices: list[Voice]
    has_more: bool
    total_count: int
    next_page_token: str | None


class PublisherAgent(TypedDict):
    id: str
    object: Literal['publisher.agent']
    namespace: str
    slug: str
    name: str
    description: str
    draft_revision: int
    private_deployment: Deployment | None
    public_deployment: Deployment | None
    public_submission: Deployment | None
    taken_down: PublisherAgentTakenDown | None
    deprecation: PublisherAgentDeprecation | None
    notices: list[PublisherAgentItem]
    """What its publisher should know of the draft: `runs_are_free` of prices that do not apply."""
    created_at: str
    updated_at: str


class PublisherAgentPage(TypedDict):
    object: Literal['list']
    data: list[PublisherAgent]
    has_more: bool
    next_cursor: str | None


class A2aSendAnswer(TypedDict):
    task: A2aTask


class A2aStreamItem(TypedDict):
    """One of its members."""

    task: NotRequired[A2aTask]
    statusUpdate: NotRequired[dict[str, Any]]
    artifactUpdate: NotRequired[dict[str, Any]]


class A2aTaskPage(TypedDict):
    tasks: list[A2aTask]
    nextPageToken: str
    pageSize: int
    totalSize: int
