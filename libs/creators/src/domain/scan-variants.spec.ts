import { describe, expect, it } from '@jest/globals';
import type { Profile } from './profile-url.js';
import { scanHandles } from './scan-variants.js';

const profile = (username: string, platform = 'onlyfans'): Profile => ({ platform, username, profileId: null });
const variantsOf = (username: string, ...aliases: string[]) =>
  scanHandles({ displayName: 'Mia', aliases, profiles: [profile(username)] })[0]?.variants;

describe('what a scan searches for', () => {
  it('is every profile, in stored order', () => {
    const profiles = [profile('mia', 'x'), profile('MiaRose', 'mym'), profile('mia', 'elsewhere')];
    expect(scanHandles({ displayName: 'Mia', aliases: [], profiles })).toEqual([
      { platform: 'x', username: 'mia', variants: [] },
      { platform: 'mym', username: 'MiaRose', variants: [] },
      { platform: 'elsewhere', username: 'mia', variants: [] },
    ]);
  });

  it('is nothing without a profile', () => {
    expect(scanHandles({ displayName: 'Mia', aliases: ['Mia Rose'], profiles: [] })).toEqual([]);
  });

  it('includes what was submitted and is not written yet, each account once', () => {
    const native = { displayName: 'Mia', aliases: ['mimi'], profiles: [profile('MiaRose')] };
    const submitted = { ...native, aliases: ['mimi', 'rosie'], profiles: [profile('miarose'), profile('mia', 'x')] };
    expect(scanHandles(native, submitted)).toEqual([
      { platform: 'onlyfans', username: 'MiaRose', variants: ['mimi', 'rosie'] },
      { platform: 'x', username: 'mia', variants: ['mimi', 'rosie'] },
    ]);
  });

  it('D34: adds the first two usable aliases to each, in stored order', () => {
    expect(variantsOf('mia', 'rosie', 'x', 'missmia', 'mimi')).toEqual(['rosie', 'missmia']);
  });

  it('D34: passes over an alias that is the username without case, for that handle only', () => {
    const profiles = [profile('MiaRose'), profile('mia', 'x')];
    const handles = scanHandles({ displayName: 'Mia', aliases: ['miarose', 'MIA', 'rosie', 'mimi'], profiles });
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
});
