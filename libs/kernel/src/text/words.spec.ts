import { describe, expect, it } from '@jest/globals';
import { haveWords, soughtWords, wordsOf } from './words.js';

describe('the words of a text', () => {
  it.each([
    ['Mía  RÖSE', ['mia', 'rose']],
    ['mgmt-0042', ['mgmt', '0042']],
    ['Søren Łukasz Straße', ['soren', 'lukasz', 'strasse']],
    ['e\u0301toile ﬁne', ['etoile', 'fine']],
    ["O'Neill", ['o', 'neill']],
    ['مِيا 東京 Дюма', ['ميا', '東京', 'дюма']],
    ['✨ 👩🏽‍🎤', []],
    ['İstanbul', ['istanbul']],
  ])('of %j have neither case nor accents', (text, words) => {
    expect(wordsOf(text)).toEqual(words);
  });

  it('are cut between letters', () => {
    expect(wordsOf('𝒳'.repeat(50) + '𐐨'.repeat(50))).toEqual(['x'.repeat(40)]);
    expect(wordsOf('𐐨'.repeat(50))).toEqual(['𐐨'.repeat(40)]);
    expect(wordsOf('가'.repeat(160)).join('')).toHaveLength(40);
    expect(wordsOf('가 '.repeat(80))).toHaveLength(80);
    expect(wordsOf('\ufdfa'.repeat(160)).length).toBeLessThan(150);
  });
});

it('finds texts by the beginnings of their words, in any order', () => {
  const texts = ['Mia Röse', 'ext-77'];
  for (const text of ['mi', 'RO mia', 'rose EXT', '77', '']) expect(haveWords(texts, wordsOf(text))).toBe(true);
  for (const text of ['ia', 'mia roses', 'mia x']) expect(haveWords(texts, wordsOf(text))).toBe(false);
});

it.each([
  ['letters', 'e '.repeat(1_000)],
  ['signs that each stand for four words', '\ufdfa'.repeat(1_000)],
  ['accents', `e${'\u0301'.repeat(1_000)} mia`],
])('D109: a search with very many %s has few words', (_, text) => {
  expect(soughtWords(text).length).toBeLessThanOrEqual(20);
  expect(soughtWords(text)).toEqual(wordsOf(text).slice(0, soughtWords(text).length));
});
