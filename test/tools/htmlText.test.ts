import { describe, expect, test } from '@jest/globals';
import { htmlText } from '../../tools/htmlText.ts';

describe('htmlText', () => {
  test.each([
    ['<p>One</p><p>Two</p>', 'One\n\nTwo'],
    ['a<br>b<br/>c', 'a\nb\nc'],
    ['<b>bo</b>ld <i>and</i>\n  <a href="x">link</a>', 'bold and link'],
    ['<tr><td>1<td>2</tr>', '1\t2'],
    ['a<!-- <p>no</p> -->b', 'a\nb'],
    ['<script>if (a < b) "</p>"</script>x<style>p{}</style>', 'x'],
    ['<SCRIPT>no</SCRIPT>x', 'x'],
    ['x<script>never closed', 'x'],
    ['x<!-- never closed', 'x'],
    ['x<a href="', 'x'],
    [
      '&lt;b&gt; &amp;amp; &#65;&#x42; &nbsp;&euro; &unknown; &#0; &#x110000;',
      '<b> &amp; AB € &unknown; &#0; &#x110000;',
    ],
    ['', ''],
  ])('%j becomes %j', (html, text) => {
    expect(htmlText(html)).toBe(text);
  });

  test.each(['<', '<a', '<!--', '<script', '<script>', '</', '&', '&#', ' ', '\n', '<p>', '<p> ', '<!', '<a href="'])(
    'a mebibyte of %j is converted in linear time',
    (part) => {
      const html = part.repeat((1024 * 1024) / part.length);
      expect(htmlText(html).length).toBeLessThanOrEqual(html.length);
    },
  );
});
