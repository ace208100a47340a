import { describe, expect, test } from '@jest/globals';
import { failureOf, sentenceOf } from '../../console/src/api/failure.ts';

const answer = (status: number, headers: Record<string, string> = {}) =>
  new Response(null, { status, headers: { 'x-request-id': 'req_7', ...headers } });

const shown = (response: Response, message?: string) =>
  sentenceOf(failureOf(response, message === undefined ? null : { error: { message, code: 'any' } }));

describe('what a form says of a refusal', () => {
  test.each([
    ['1', 'A workspace may test 30 times in a minute. Try again in a second.'],
    ['45', 'A workspace may test 30 times in a minute. Try again in 45 seconds.'],
    ['150', 'A workspace may test 30 times in a minute. Try again in 3 minutes.'],
    ['7000', 'A workspace may test 30 times in a minute. Try again in 2 hours.'],
  ])('names the time of a 429 after %s seconds', (seconds, sentence) => {
    const message = 'A workspace may test 30 times in a minute.';
    expect(shown(answer(429, { 'retry-after': seconds }), message)).toBe(sentence);
  });

  test.each([
    'Limit 60. Please try again in 12s.',
    'There were too many tries. Wait 15 minutes, then try again.',
    'Try again when the first of these is older than that.',
  ])('leaves a sentence that says when: %s', (message) => {
    expect(shown(answer(429, { 'retry-after': '12' }), message)).toBe(message);
  });

  test('names the time of a 429 without a sentence of the API', () => {
    expect(shown(answer(429, { 'retry-after': '30' }))).toBe('Too many requests. Try again in 30 seconds.');
    expect(shown(answer(429))).toBe('Too many requests.');
    expect(shown(answer(429, { 'retry-after': 'Sun, 29 Nov 2026 00:00:00 GMT' }), 'Slow down.')).toBe('Slow down.');
  });

  test.each([
    ['Incorrect API key provided, or none.', 'invalid_api_key'],
    ['You are not signed in, or your session has ended. Sign in at the console.', 'not_signed_in'],
  ])('says that a session is missing, not a key, and not where the console is: %s', (message, code) => {
    const failure = failureOf(answer(401), { error: { message, code } });
    expect(failure.code).toBe(code);
    expect(sentenceOf(failure)).toBe('You are not signed in.');
  });

  test('says what to do next, and at which field, where the accounts library says only what is wrong', () => {
    const of = (code: string) => failureOf(answer(400), { error: { code, message: 'Invalid something.' } });
    expect(of('invalid_password')).toMatchObject({
      param: 'password',
      message: 'This is not your password. Try again.',
    });
    expect(of('user_is_already_a_member_of_this_organization')).toMatchObject({
      param: 'email',
      message: 'This person is a member already. Change the role above.',
    });
    expect(of('something_new')).toMatchObject({ param: null, message: 'Invalid something.' });
  });

  test.each([
    ['Field required', 'Fill this in.'],
    ['String should have at least 1 character', 'Fill this in.'],
    ['String should have at most 100 characters', 'Use at most 100 characters.'],
    ['List should have at least 2 items after validation, not 1', 'Use at least 2 items.'],
    ['Input should be greater than or equal to 0.01', 'At least 0.01.'],
    ['Input should be less than or equal to 1000000', 'At most 1,000,000.'],
    ['Input should be greater than 0.000000001', 'More than 0.000000001.'],
    ["Input should be 'a' or 'b'", "Must be 'a' or 'b'."],
    ['must be a domain, such as example.com', 'Must be a domain, such as example.com.'],
  ])('says %j of a field as %j', (msg, sentence) => {
    const failure = failureOf(answer(422), { detail: [{ loc: ['body', 'name'], msg }] });
    expect(failure.fields).toEqual([{ path: 'name', message: sentence }]);
    expect(failure.message).toBe(`name: ${sentence}`);
  });

  test('names the request of what the service failed at, and of no other refusal', () => {
    expect(shown(answer(500), 'Internal error.')).toBe('Internal error. To ask for help, name request req_7.');
    expect(shown(answer(422), 'The name is too long.')).toBe('The name is too long.');
    expect(shown(new Response(null, { status: 502 }), 'Bad gateway.')).toBe('Bad gateway.');
  });
});
