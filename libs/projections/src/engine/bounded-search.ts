import { nextPart } from '#kernel';

const PAGE_SIZE = 200;

interface Search<Entry, Match> {
  /** The entries of an index after that one, or from the start of the search. Fewer than the limit are the last. */
  readonly read: (after: Entry | undefined, limit: number) => Promise<readonly Entry[]>;
  readonly matchesIn: (page: readonly Entry[]) => readonly Match[] | Promise<readonly Match[]>;
  readonly limit: number;
  /** How many entries are read at most, because few of very many may match. */
  readonly maxEntries: number;
  readonly pageSize?: number;
}

interface Found<Entry, Match> {
  readonly matches: readonly Match[];
  /** Where the next search continues; null at the end. */
  readonly last: Entry | Match | null;
  /** All entries up to `last` have been read, and more may match. */
  readonly isCutOff: boolean;
}

/** Reads pages of an index until it has more matches than the limit, reaches the end, or has read as much as it may. */
export const boundedSearch = async <Entry, Match>(search: Search<Entry, Match>): Promise<Found<Entry, Match>> => {
  const { read, matchesIn, limit, maxEntries, pageSize = PAGE_SIZE } = search;
  const found: Match[] = [];
  let last: Entry | undefined;
  for (let entries = 0; entries < maxEntries; ) {
    const most = Math.min(pageSize, maxEntries - entries);
    const page = await read(last, most);
    found.push(...(await matchesIn(page)));
    if (found.length > limit) {
      const matches = found.slice(0, limit);
      return { matches, last: matches.at(-1) ?? null, isCutOff: false };
    }
    if (page.length < most) return { matches: found, last: null, isCutOff: false };
    entries += page.length;
    last = page.at(-1);
    // A store in this process answers without giving others a turn.
    await nextPart();
  }
  return { matches: found, last: last ?? null, isCutOff: true };
};
