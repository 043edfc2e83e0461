import { describe, expect, it } from '@jest/globals';
import { type Identity, type Profile, searchedIdentity } from '#creators';
import { scanHandles } from './scan-handles.js';

const profile = (username: string, platform = 'onlyfans'): Profile => ({ platform, username, profileId: null });
const handlesOf = (identity: Identity, identityToWrite: Identity | null = null) =>
  scanHandles(searchedIdentity({ identity, identityToWrite }));
const variantsOf = (username: string, ...aliases: string[]) =>
  handlesOf({ displayName: 'Mia', aliases, profiles: [profile(username)] })[0]?.variants;

describe('what a scan searches for', () => {
  it('is every profile, in stored order', () => {
    const profiles = [profile('mia', 'x'), profile('MiaRose', 'mym'), profile('mia', 'elsewhere')];
    expect(handlesOf({ displayName: 'Mia', aliases: [], profiles })).toEqual([
      { platform: 'x', username: 'mia', variants: [] },
      { platform: 'mym', username: 'MiaRose', variants: [] },
      { platform: 'elsewhere', username: 'mia', variants: [] },
    ]);
  });

  it('includes what was submitted and is not written yet, each account once', () => {
    const native = { displayName: 'Mia', aliases: ['mimi'], profiles: [profile('MiaRose')] };
    const submitted = { ...native, aliases: ['mimi', 'rosie'], profiles: [profile('miarose'), profile('mia', 'x')] };
    expect(handlesOf(native, submitted)).toEqual([
      { platform: 'onlyfans', username: 'MiaRose', variants: ['mimi', 'rosie'] },
      { platform: 'x', username: 'mia', variants: ['mimi', 'rosie'] },
    ]);
  });

  it('is nothing without a profile', () => {
    expect(handlesOf({ displayName: 'Mia', aliases: ['Mia Rose'], profiles: [] })).toEqual([]);
  });

  it('D34: adds the first two usable aliases to each, in stored order', () => {
    expect(variantsOf('mia', 'rosie', 'x', 'missmia', 'mimi')).toEqual(['rosie', 'missmia']);
  });

  it('D34: passes over an alias that is the username without case, for that handle only', () => {
    const profiles = [profile('MiaRose'), profile('mia', 'x')];
    const handles = handlesOf({ displayName: 'Mia', aliases: ['miarose', 'MIA', 'rosie', 'mimi'], profiles });
    expect(handles.map(({ variants }) => variants)).toEqual([
      ['MIA', 'rosie'],
      ['miarose', 'rosie'],
    ]);
  });

  it.each([
    ['one code point', 'x', false],
    ['one emoji of two code units', '🌹', false],
    ['two code points', 'xo', true],
    ['60 code points', 'x'.repeat(60), true],
    ['61 code points', 'x'.repeat(61), false],
    ['60 code points of 119 code units', `x${'🌹'.repeat(59)}`, true],
    ['no letter', '12345', false],
    ['Cyrillic letters only', 'Миа', false],
    ['Cyrillic and one Latin letter', 'Миa', true],
    ['Japanese letters only', 'みあ', false],
    ['a letter with a diacritic', 'É1', true],
    ['full-width Latin letters', 'Ｍｉａ', true],
    ['Greek letters only', 'Μία', false],
  ])('D34: an alias of %s', (_what, alias, usable) => {
    expect(variantsOf('someone', alias)).toEqual(usable ? [alias] : []);
  });

  it.each([
    ['case', ['Rosie', 'rosie', 'mimi'], ['Rosie', 'mimi']],
    ['a leading @', ['rosie', '@Rosie', 'mimi'], ['rosie', 'mimi']],
    ['invisible characters', ['rosie', 'ro\u200bsie', 'r\u00adosie', 'mimi'], ['rosie', 'mimi']],
    ['blanks at the ends', ['rosie', ' rosie ', 'mimi'], ['rosie', 'mimi']],
    ['composition', ['Ame\u0301lie', 'Amélie', 'mimi'], ['Amélie', 'mimi']],
    ['case, an @ and what is invisible, of the username', ['@Some\u200bOne', 'rosie'], ['rosie']],
  ])('D34: passes over an alias that differs in %s only', (_what, aliases, variants) => {
    expect(variantsOf('someone', ...aliases)).toEqual(variants);
  });

  it.each(['https://x.com/mia', 'see http://mia.example', 'www.mia.example', 'WWW.mia.example'])(
    'D34: passes over the address %s',
    (address) => {
      expect(variantsOf('someone', address, 'rosie')).toEqual(['rosie']);
    },
  );

  it('D34: names each handle once, also where manyvids has it under several ids', () => {
    const clip = (profileId: string | null) => ({ platform: 'manyvids', username: 'mia', profileId });
    const handles = handlesOf({ displayName: 'Mia', aliases: [], profiles: [clip(null), clip('12'), clip('13')] });
    expect(handles).toEqual([{ platform: 'manyvids', username: 'mia', variants: [] }]);
  });
});
