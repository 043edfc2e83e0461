import { describe, expect, it } from '@jest/globals';
import fc from 'fast-check';
import { aliasProblem, distinctAliases, externalIdProblem, normalAlias } from './identity.js';

const BLANK = 'must not be blank: it needs a visible character';
const CONTROLS = 'must not contain control characters';

describe('an alias', () => {
  it('D83: has at most 160 characters, as sent and as stored', () => {
    expect(aliasProblem('x'.repeat(160))).toBeUndefined();
    expect(aliasProblem('🌹'.repeat(160))).toBeUndefined();
    expect(aliasProblem('x'.repeat(161))).toBe('must be at most 160 characters');
    expect(aliasProblem(` ${'x'.repeat(160)}`)).toBe('must be at most 160 characters');
    // Composed, it has 81 code points.
    expect(aliasProblem('e\u0301'.repeat(81))).toBe('must be at most 160 characters');
    // A ligature that becomes two code points when it is normalized.
    expect(aliasProblem('\u0958'.repeat(81))).toBe('must be at most 160 characters');
  });

  it('D7: holds no control characters, not even where they would be trimmed', () => {
    expect(aliasProblem('ivy\t')).toBe(CONTROLS);
    expect(aliasProblem(' ')).toBe(BLANK);
  });

  it('D33: is stored trimmed and composed', () => {
    expect(normalAlias('  Ame\u0301lie ')).toBe('Am\u00e9lie');
    expect(normalAlias('\u3000Mia\u00a0')).toBe('Mia');
    expect(normalAlias('\u200bMia\u2060')).toBe('Mia');
    expect(normalAlias('Mia ❤\ufe0f')).toBe('Mia ❤\ufe0f');
  });

  it.each(['\u200b', '\u3164', '\u2800', '\u00ad ', '\ufe0f'])('D96: that nobody can see is none: %j', (alias) => {
    expect(aliasProblem(alias)).toBe(BLANK);
  });

  it('D33: repeats are compared exactly in that form, with case', () => {
    expect(distinctAliases(['Ame\u0301lie', ' Am\u00e9lie', 'am\u00e9lie', 'Mia', 'Am\u00e9lie '])).toEqual([
      'Am\u00e9lie',
      'am\u00e9lie',
      'Mia',
    ]);
  });

  it('D33: full-width letters stay what they are (NFC, not NFKC)', () => {
    expect(normalAlias('Ｍia')).toBe('Ｍia');
  });

  it('repeating distinctAliases changes nothing', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (aliases) => {
        const once = distinctAliases(aliases);
        expect(distinctAliases(once)).toEqual(once);
        expect(distinctAliases([...aliases, ...once])).toEqual(once);
        expect(distinctAliases(aliases, 2)).toEqual(once.slice(0, 2));
      }),
    );
  });
});

describe('an external id', () => {
  const userId = '0a000000-0000-4000-8000-000000000001';
  const refused = 'must not begin with svc: unless it is the automatic external id of svc_user_id';

  it.each(['creator-1', 'SVC:1', 'svc', 'x svc:1', 'a b', 'Ivy ❤\ufe0f', 'a\u200db', '🏴\u{e0067}\u{e007f}'])(
    'may be %j',
    (externalId) => {
      expect(externalIdProblem(externalId, undefined)).toBeUndefined();
    },
  );

  it.each([
    ` svc:${userId}`,
    ' creator-1',
    'creator-1\u00a0',
    '\u200bcreator-1',
    'creator-1\u2060',
    'a \ufe0f',
    '\u200da',
  ])('D96: %j looks like another one, and is refused', (externalId) => {
    expect(externalIdProblem(externalId, undefined)).toContain('must not begin or end with');
  });

  it("D25: may be that very user's automatic one", () => {
    expect(externalIdProblem(`svc:${userId}`, userId)).toBeUndefined();
  });

  it.each([
    ["another user's", `svc:${userId.replace('1', '2')}`, userId],
    ['one in capitals', `svc:${userId.toUpperCase()}`, userId],
    ['one with more after it', `svc:${userId}x`, userId],
    ['one of nobody', 'svc:', userId],
    ['any for an invitation', `svc:${userId}`, undefined],
    ['svc:undefined for an invitation', 'svc:undefined', undefined],
  ])('D25: cannot be %s', (_what, externalId, user) => {
    expect(externalIdProblem(externalId, user)).toBe(refused);
  });
});
