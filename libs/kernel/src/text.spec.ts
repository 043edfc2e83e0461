import { describe, expect, it } from '@jest/globals';
import { textProblem } from './text.js';

const BLANK = 'must not be blank: nothing of it can be seen';
const CUT = 'must not hold half a character, such as one half of a cut emoji';
const CONTROLS = 'must not hold control characters';

describe('a line of text', () => {
  it.each([
    ['a letter', 'a'],
    ['spaces around it', '  Mia  '],
    ['a right-to-left name', 'ميا'],
    ['an emoji of several code points', '👩🏽‍🎤'],
    ['a zero', '0'],
    ['a no-break space within', 'Mia\u00a0Rose'],
    ['a private letter', '\ue000'],
  ])('D7: may be %s', (_what, text) => {
    expect(textProblem(text, 160)).toBeUndefined();
  });

  it.each([
    '',
    ' ',
    '\t',
    '\n',
    '\u00a0',
    '\u3000',
    '\ufeff',
    ' \u2003 ',
    '\u200b',
    '\u3164',
    '\u2800',
    '\u00ad\u{e0061}',
  ])('%j is blank (D7, D96)', (text) => {
    expect(textProblem(text, 160)).toBe(BLANK);
  });

  it.each(['a\u0000', 'a\tb', 'a\nb', 'a\r', '\u001bb', 'a\u007f', 'a\u0080', 'a\u009fb'])(
    'D7: %j holds control characters',
    (text) => {
      expect(textProblem(text, 160)).toBe(CONTROLS);
    },
  );

  it.each(['a\ud83d', '\udc69a', '\udc69\ud83d'])('a lone surrogate is refused: %j', (text) => {
    expect(textProblem(text, 160)).toBe(CUT);
  });

  it('is measured in code points (D7)', () => {
    expect(textProblem('x'.repeat(160), 160)).toBeUndefined();
    expect(textProblem('x'.repeat(161), 160)).toBe('must be at most 160 characters');
    expect(textProblem('🎀'.repeat(160), 160)).toBeUndefined();
    expect(textProblem('🎀'.repeat(161), 160)).toBe('must be at most 160 characters');
    expect(textProblem('e\u0301'.repeat(80), 160)).toBeUndefined();
    expect(textProblem(`${'e\u0301'.repeat(80)}e`, 160)).toBe('must be at most 160 characters');
  });
});
