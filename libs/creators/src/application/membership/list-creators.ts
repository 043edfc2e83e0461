import { type IQueryHandler, Query, QueryHandler } from '@nestjs/cqrs';
import { type CreatorId, haveWords, invalidRequest, nextPart, soughtWords, type WorkspaceId } from '#kernel';
import { DeadLetterList, type ReadModel, ReadModels, requireComplete } from '#projections';
import { type EnrolledCreator, isAccessible } from '../../domain/creator.state.js';
import { shownIdentity } from '../../domain/identity/identity.js';
import { type CreatorEntry, creatorRosterProjection } from '../../read-models/creator-roster.js';
import { CreatorWords, creatorWordsProjection } from '../../read-models/creator-words.js';
import { type ListPage, type ListPageQuery } from '../../read-models/list-by-creator.js';
import { CreatorRepository } from '../access/creator.repository.js';
import { FindCreator, FindCreatorHandler } from './find-creator.js';

export interface CreatorFilter {
  readonly enrollment?: CreatorEntry['enrollment'] | undefined;
  readonly protection?: CreatorEntry['protection'] | undefined;
  /** An id, the URL of a profile, or beginnings of words of names, aliases and the external id. */
  readonly text?: string | undefined;
}

export interface CreatorPage extends ListPage<EnrolledCreator> {
  /** Very many creators have the text, and only the first ones were read. */
  readonly isCutOff: boolean;
}

/** A workspace's creators and invitees as last recorded, by name. The platform is not asked. */
export class ListCreators extends Query<CreatorPage> {
  constructor(
    readonly workspaceId: WorkspaceId,
    readonly filter: CreatorFilter,
    readonly page: ListPageQuery,
  ) {
    super();
  }
}

@QueryHandler(ListCreators)
export class ListCreatorsHandler implements IQueryHandler<ListCreators> {
  private readonly entries: ReadModel<CreatorEntry>;

  constructor(
    readModels: ReadModels,
    private readonly creators: CreatorRepository,
    private readonly words: CreatorWords,
    private readonly named: FindCreatorHandler,
    private readonly deadLetters: DeadLetterList,
  ) {
    this.entries = readModels.of(creatorRosterProjection);
  }

  async execute({ workspaceId, filter, page: { limit, after } }: ListCreators): Promise<CreatorPage> {
    const start = await this.orderOf(workspaceId, after);
    const page =
      filter.text === undefined
        ? await this.all(workspaceId, filter, limit, start)
        : await this.withText(workspaceId, { ...filter, text: filter.text }, limit, start);
    const used = [creatorRosterProjection, ...(filter.text === undefined ? [] : [creatorWordsProjection])];
    await requireComplete(
      this.deadLetters,
      workspaceId,
      used.map(({ name }) => name),
    );
    return page;
  }

  /** The cursor is an id, because an address with a name would be in logs and histories. */
  private async orderOf(workspaceId: WorkspaceId, after: string | undefined): Promise<string> {
    if (after === undefined) return '';
    const entry = await this.entries.get(after);
    if (entry?.workspaceId === workspaceId) return entry.order;
    throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
  }

  private async all(
    workspaceId: WorkspaceId,
    filter: CreatorFilter,
    limit: number,
    start: string,
  ): Promise<CreatorPage> {
    const { enrollment, protection } = filter;
    const found = await this.entries.findEntries({
      index: indexOf(filter),
      equals: [workspaceId, 1, ...[enrollment, protection].filter((status) => status !== undefined)],
      limit: limit + 1,
      gt: start,
    });
    const shown = found.slice(0, limit);
    return {
      items: await this.load(shown),
      nextCursor: found.length > limit ? (shown.at(-1)?.id ?? null) : null,
      isCutOff: false,
    };
  }

  private async withText(
    workspaceId: WorkspaceId,
    { text, ...filter }: CreatorFilter & { readonly text: string },
    limit: number,
    start: string,
  ): Promise<CreatorPage> {
    const words = soughtWords(text);
    const [{ ids, isCutOff }, exact] = await Promise.all([
      this.words.find(workspaceId, words),
      this.named.execute(new FindCreator(workspaceId, text)),
    ]);
    const wanted = new Set<string>(exact === undefined ? ids : [...ids, exact]);
    const sorted = (await this.entriesOf([...wanted]))
      .filter((entry) => entry.workspaceId === workspaceId && entry.order > start && matches(entry, filter))
      .toSorted((one, other) => (one.order < other.order ? -1 : 1));
    const found: EnrolledCreator[] = [];
    // Names that have changed since leave some out.
    for (let at = 0; at < sorted.length && found.length <= limit; at += NAMES_PER_PART) {
      await nextPart();
      const loaded = await this.load(sorted.slice(at, at + NAMES_PER_PART));
      found.push(...loaded.filter((state) => state.creatorId === exact || isNamed(state, words)));
    }
    const items = found.slice(0, limit);
    return { items, nextCursor: found.length > limit ? (items.at(-1)?.creatorId ?? null) : null, isCutOff };
  }

  private async entriesOf(ids: readonly string[]): Promise<CreatorEntry[]> {
    const entries: CreatorEntry[] = [];
    for (let at = 0; at < ids.length; at += ENTRIES_PER_PART) {
      await nextPart();
      entries.push(...(await this.entries.getMany(ids.slice(at, at + ENTRIES_PER_PART))));
    }
    return entries;
  }

  private async load(entries: readonly { readonly id: string }[]): Promise<EnrolledCreator[]> {
    const loaded = await this.creators.loadAll(entries.map(({ id }) => id as CreatorId));
    return loaded.map(({ state }) => state).filter(isAccessible);
  }
}

/** An embedded store answers without giving others a turn. */
const ENTRIES_PER_PART = 200;
/** Comparing the largest identity with a search takes some milliseconds. */
const NAMES_PER_PART = 3;

const matches = (entry: CreatorEntry, { enrollment, protection }: CreatorFilter): boolean =>
  entry.isShown === 1 &&
  (enrollment === undefined || entry.enrollment === enrollment) &&
  (protection === undefined || entry.protection === protection);

const isNamed = (creator: EnrolledCreator, words: readonly string[]): boolean => {
  const { displayName, aliases } = shownIdentity(creator);
  return words.length > 0 && haveWords([displayName, ...aliases, creator.externalId], words);
};

const indexOf = ({ enrollment, protection }: CreatorFilter): string => {
  if (enrollment === undefined) return protection === undefined ? 'all' : 'protection';
  return protection === undefined ? 'enrollment' : 'both';
};
