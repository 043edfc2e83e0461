import { describe, expect, it } from '@jest/globals';
import { textProblem } from './text.js';

const BLANK = 'must not be blank: it needs a visible character';
const CUT = 'must not contain half a character, such as half of a split emoji';
const CONTROLS = 'must not contain control characters';

describe('a line of text', () => {
  it.each([
    ['a letter', 'a'],
    ['a right-to-left name', 'ميا'],
    ['an emoji of several code points', '👩🏽‍🎤'],
    ['a no-break space within', 'Mia\u00a0Rose'],
    ['a private letter', '\ue000'],
  ])('D7: may be %s', (_what, text) => {
    expect(textProblem(text, 160)).toBeUndefined();
  });

  it.each(['', '\n', ' \u2003 ', '\u3164'])('%j is blank (D7, D96)', (text) => {
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
