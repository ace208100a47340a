import { describe, expect, test } from '@jest/globals';
import { upstreamRefusal } from '../../../calls/errors/upstreamRefusal.ts';
import { newKeySecret } from '../../../db/keys/keySecret.ts';
import { ProviderError } from '../../../providers/provider.ts';

const shown = (detail?: ProviderError['detail']) =>
  upstreamRefusal(new ProviderError('refused', 'the upstream answered 400', { status: 400, detail })).body;

describe("an upstream's refusal", () => {
  test.each([
    "This model's maximum context length is 4096 tokens. However, your messages resulted in 5000 tokens.",
    'Invalid image: expected image/png or image/jpeg at /messages/0/content, got text/html.',
    'temperature: must be <= 2 (see the 3.1.2 reference)',
  ])('is forwarded unchanged: %s', (message) => {
    const code = message.includes('context') ? 'context_length_exceeded' : 'wrong_value';
    const detail = { message, param: 'messages[0].content', code };
    expect(shown(detail)).toEqual({ ...detail, type: 'invalid_request_error' });
  });

  test.each([
    ['an address', 'Failed at http://10.0.0.7:8000/v1/chat?key=a.', 'Failed at [address]'],
    ['a host', 'Node 10.0.0.7:8000 is full.', 'Node [address] is full.'],
    ['a file', 'Error in "/opt/vllm/engine.py", line 7', 'Error in "[path]", line 7'],
    ['a key of ours', `No such key: ${newKeySecret()}.`, 'No such key: [secret].'],
    ['a key of theirs', 'Bad key sk-proj-abcDEF0123456789 given.', 'Bad key [secret] given.'],
    ['what follows its first line', 'Too long.\nTraceback (most recent call last):\n  File "x"', 'Too long.'],
    ['more than a sentence', 'word '.repeat(1_000), 'word '.repeat(100).trim()],
    ['an empty text', '', 'The model refused the request.'],
  ])('is forwarded without %s', (_what, message, expected) => {
    expect(shown({ message }).message).toBe(expected);
  });

  test('has a code and a parameter only when these are names', () => {
    expect(shown({ code: 'x y', param: 'a'.repeat(101) })).toMatchObject({ code: 'invalid_value', param: null });
    expect(shown()).toMatchObject({ code: 'invalid_value', param: null });
  });
});
