import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { isBlank, withoutInvisible, withoutInvisibleEnds } from '../text.js';

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

describe('the ends of a text (D33)', () => {
  it.each([
    ['blanks', ' \u00a0Mia\u3000', 'Mia'],
    ['invisible characters', '\u200b\u2060Mia Rose\u00ad\u2800', 'Mia Rose'],
    ['a selector that changes nothing visible', '\ufe0fMia \ufe0f', 'Mia'],
    ['joiners and tags before it', '\u200d\u{e0067}Mia', 'Mia'],
    ['everything', ' \u3164\u200d', ''],
  ])('lose %s', (_what, text, trimmed) => {
    expect(withoutInvisibleEnds(text)).toBe(trimmed);
  });

  it.each([
    ['a variation selector after a visible character', '❤\ufe0f'],
    ['the tags of a flag', '🏴\u{e0067}\u{e0062}\u{e0065}\u{e006e}\u{e0067}\u{e007f}'],
    ['a joiner after a visible character', '\u0915\u094d\u200d'],
    ['what is within', 'Mia\u200b \u2800Rose'],
    ['line ends within', 'a\n\u2028b'],
  ])('keep %s', (_what, text) => {
    expect(withoutInvisibleEnds(text)).toBe(text);
    expect(withoutInvisibleEnds(` ${text}\u200b `)).toBe(text);
  });

  it('are visible then, but for what changes the last character', () => {
    const piece = fc.constantFrom(' ', '\u200b', '\u200d', '\ufe0f', '\u{e0067}', '\u3164', 'a', 'é', '👩', '\u0301');
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string({ unit: 'binary' }))), (pieces) => {
        const text = pieces.join('');
        const trimmed = withoutInvisibleEnds(text);
        expect(withoutInvisibleEnds(trimmed)).toBe(trimmed);
        expect(withoutInvisible(trimmed)).toBe(withoutInvisible(text));
        expect(trimmed === '').toBe(isBlank(text));
        expect(isBlank([...trimmed].slice(0, 1).join(''))).toBe(isBlank(text));
      }),
    );
  });

  it('of a long text take no time that grows with its square', () => {
    const blanks = '\u200b'.repeat(200_000);
    const began = process.threadCpuUsage();
    expect(withoutInvisibleEnds(`${blanks}a${blanks}b${blanks}`)).toHaveLength(200_002);
    expect(withoutInvisibleEnds(blanks)).toBe('');
    const { user, system } = process.threadCpuUsage(began);
    expect(user + system).toBeLessThan(1_000_000);
  });
});
