/** 4 MiB: few false answers with some millions of ids. */
const BITS = 2 ** 25;
const BITS_PER_ID = 4;

/** A Bloom filter of ids. `mayHave` is always true for an id that was added, and rarely for another. */
export class IdFilter {
  private readonly words = new Int32Array(BITS / 32);

  add(id: string): void {
    let bit = hash(id);
    const step = Math.imul(bit, 0x9e3779b1) | 1;
    for (let n = 0; n < BITS_PER_ID; n++, bit += step) this.words[wordOf(bit)] = this.word(bit) | (1 << (bit & 31));
  }

  mayHave(id: string): boolean {
    let bit = hash(id);
    const step = Math.imul(bit, 0x9e3779b1) | 1;
    for (let n = 0; n < BITS_PER_ID; n++, bit += step) if ((this.word(bit) & (1 << (bit & 31))) === 0) return false;
    return true;
  }

  private word(bit: number): number {
    return this.words[wordOf(bit)] ?? 0;
  }
}

const wordOf = (bit: number): number => (bit & (BITS - 1)) >>> 5;

/** Only the end is hashed: ids of one kind start with the same characters. */
const HASHED_CHARACTERS = 20;

/** FNV-1a. */
const hash = (text: string): number => {
  let value = 0x811c9dc5;
  for (let n = Math.max(0, text.length - HASHED_CHARACTERS); n < text.length; n++)
    value = Math.imul(value ^ text.charCodeAt(n), 0x01000193);
  return value ^ (value >>> 15);
};
