/** Letters that people leave the stroke or the ligature out of, and that Unicode does not take apart. */
const PLAIN: Readonly<Record<string, string>> = {
  ...{ ß: 'ss', æ: 'ae', œ: 'oe', þ: 'th' },
  ...{ ø: 'o', ł: 'l', đ: 'd', ð: 'd', ħ: 'h', ı: 'i', ŧ: 't' },
};
const PLAIN_LETTER = new RegExp(`[${Object.keys(PLAIN).join('')}]`, 'gu');
const MAX_WORD_LENGTH = 40;
/** More than any name has, unless it is made of signs that each stand for several words. */
const MAX_LETTERS = 500;

/** The words of a text without case and accents, in their order. */
export const wordsOf = (text: string): readonly string[] => {
  const letters = text
    .normalize('NFKD')
    .slice(0, MAX_LETTERS)
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(PLAIN_LETTER, (letter) => PLAIN[letter] ?? letter);
  return (letters.match(/[\p{L}\p{N}]+/gu) ?? []).map(cut);
};

const cut = (word: string): string =>
  word.length > MAX_WORD_LENGTH ? [...word].slice(0, MAX_WORD_LENGTH).join('') : word;

/** Longer searches are as exact with these alone. One sign can stand for several words. */
const MAX_SOUGHT_LENGTH = 200;
const MAX_SOUGHT_WORDS = 20;

/** The words of a search, few enough to be compared with those of very many texts (D109). */
export const soughtWords = (text: string): readonly string[] =>
  wordsOf(text.slice(0, MAX_SOUGHT_LENGTH)).slice(0, MAX_SOUGHT_WORDS);

/** Whether each of the words begins a word of the texts. */
export const haveWords = (texts: readonly string[], words: readonly string[]): boolean => {
  const own = texts.flatMap(wordsOf);
  return words.every((word) => own.some((one) => one.startsWith(word)));
};
