import { describe, expect, it } from '@jest/globals';
import { isBlank, withoutInvisible } from './invisible.js';

describe('text that nobody can see (D96)', () => {
  it.each([
    ['nothing', ''],
    ['white space', ' \t\r\n\u00a0\u2003\u2028\u3000\ufeff'],
    ['control characters', '\u0000\u001a\u0085'],
    ['format characters', '\u00ad\u200b\u200e\u202e\u2060'],
    ['default-ignorable letters', '\u115f\u1160\u3164\uffa0\u034f'],
    ['variation selectors and tags', '\ufe0f\u{e0100}\u{e0061}'],
    ['a blank Braille pattern', '\u2800'],
  ])('%s is blank', (_what, text) => {
    expect(isBlank(text)).toBe(true);
  });

  it.each(['a', ' \u200bMia\u3164', '👩🏽‍🎤', '\ue000', '\u2801', '\u0301', '-'])('%j is not blank', (text) => {
    expect(isBlank(text)).toBe(false);
  });

  it('is left out of a text at its ends and within', () => {
    expect(withoutInvisible('\u2800 M\u200bi\u{e0061}a\u3164 ')).toBe('Mia');
    expect(withoutInvisible('❤️')).toBe('❤');
  });
});
