import { describe, expect, test } from '@jest/globals';
import { parseEmbeddings } from '../../../calls/text/embeddings.ts';
import { refusalOf } from './parameters/refusals.ts';

const body = { model: 'vectors', input: 'Hello' };

describe('an embeddings request', () => {
  test.each([['Hello'], [['Hello', 'you']], [[1, 2]], [[[1, 2], [3]]]])('accepts the input %j', (input) => {
    expect(parseEmbeddings({ ...body, input }).body).toEqual({ ...body, input });
  });

  test('requests numbers by default', () => {
    expect(parseEmbeddings(body).encodingFormat).toBe('float');
    expect(parseEmbeddings({ ...body, encoding_format: null }).encodingFormat).toBe('float');
    expect(parseEmbeddings({ ...body, encoding_format: 'base64' }).encodingFormat).toBe('base64');
  });

  test.each([
    ['no input', { model: 'vectors' }, 'missing_required_parameter', 'input'],
    ['an empty text', { ...body, input: '' }, 'empty_string', 'input'],
    ['an empty text among others', { ...body, input: ['a', ''] }, 'empty_string', 'input[1]'],
    ['an empty list', { ...body, input: [] }, 'empty_array', 'input'],
    ['too many inputs', { ...body, input: Array(2049).fill('a') }, 'array_above_max_length', 'input'],
    ['no dimensions', { ...body, dimensions: 0 }, 'integer_below_min_value', 'dimensions'],
    ['an unknown encoding', { ...body, encoding_format: 'hex' }, 'invalid_value', 'encoding_format'],
  ])('with %s is refused', (_name, wrong, code, param) => {
    expect(refusalOf(parseEmbeddings, wrong)).toMatchObject({ code, param });
  });
});
