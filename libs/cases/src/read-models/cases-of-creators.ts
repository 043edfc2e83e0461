import { Injectable } from '@nestjs/common';
import { type CreatorEvent, type ListPageQuery, orderByTime, timeIn } from '#creators';
import {
  type CaseId,
  type CreatorId,
  type Document,
  type Instant,
  invalidRequest,
  isStandIn,
  nextPart,
  projection,
  type WorkspaceId,
} from '#kernel';
import {
  boundedSearch,
  DASHBOARD_READ_MODELS,
  DeadLetterList,
  type ReadModel,
  ReadModels,
  requireComplete,
} from '#projections';
import { type CaseEvent, type Finding, findingOf } from '../domain/case.js';
import { comparedUrl, domainOf } from '../domain/finding-url.js';
import { type CaseDocument, CaseList, caseListProjection } from './case-list.js';

/** A case as the dashboard sorts, filters and counts it. An erasure removes its URL (D72). */
export interface CaseOfCreator extends Document {
  readonly id: CaseId;
  readonly workspaceId: WorkspaceId;
  readonly creatorId: CreatorId;
  /** The time at which it was first seen, then the id. */
  readonly order: string;
  /** `gone` while the platform does not show it. */
  readonly status: string;
  readonly isOpen: 0 | 1;
  readonly site: string;
  readonly source: 'api_scan' | 'svc';
  /** Without scheme, in lower case, cut. */
  readonly url: string;
}

const GONE = 'gone';
/** Nothing is left to do about these. The platform may know other codes, which count as open. */
const CLOSED: ReadonlySet<string> = new Set([GONE, 'removed', 'ignored']);
const withStatus = (entry: CaseOfCreator, status: string): CaseOfCreator => ({
  ...entry,
  status,
  isOpen: CLOSED.has(status) ? 0 : 1,
});

const withFinding = (entry: CaseOfCreator | undefined, { url, statusCode, createdAt }: Finding) =>
  entry &&
  withStatus(
    {
      ...entry,
      order: orderByTime(createdAt, entry.id),
      ...(isStandIn(url) ? { site: '', url: '' } : { site: domainOf(url), url: comparedUrl(url) }),
    },
    statusCode,
  );

const byCaseId = { documents: ({ data }: { data: { caseId: CaseId } }) => data.caseId };

export const casesOfCreatorsProjection = projection<CaseOfCreator, CaseEvent | CreatorEvent>({
  name: 'cases_of_creators',
  version: 1,
  runner: DASHBOARD_READ_MODELS,
  indexes: [
    { name: 'time', fields: ['creatorId', 'order', 'status', 'site', 'source'] },
    { name: 'open', fields: ['creatorId', 'isOpen'] },
    { name: 'url', fields: ['workspaceId', 'url', 'creatorId'] },
  ],
  erasedBy: 'creator.personalKeyDestroyed.v1',
  on: {
    'case.opened.v1': {
      ...byCaseId,
      fold: (_, { data }) => {
        const { caseId: id, workspaceId, creatorId, scanId } = data;
        const source = scanId === null ? 'svc' : 'api_scan';
        const empty = {
          id,
          workspaceId,
          creatorId,
          source,
          order: '',
          status: '',
          isOpen: 1,
          site: '',
          url: '',
        } as const;
        return withFinding(empty, findingOf(data));
      },
    },
    'case.changed.v1': { ...byCaseId, fold: (entry, { data }) => withFinding(entry, findingOf(data)) },
    'case.restored.v1': { ...byCaseId, fold: (entry, { data }) => withFinding(entry, findingOf(data)) },
    'case.attributed.v1': { ...byCaseId, fold: (entry) => entry && { ...entry, source: 'api_scan' } },
    'case.removed.v1': { ...byCaseId, fold: (entry) => entry && withStatus(entry, GONE) },
  },
});

interface CaseFilter {
  readonly status?: string | undefined;
  readonly source?: CaseOfCreator['source'] | undefined;
  /** Matches the site itself and those below it. */
  readonly site?: string | undefined;
}

type Entry = Pick<CaseOfCreator, 'id' | 'order' | 'status' | 'site' | 'source'>;

interface FoundCases {
  readonly cases: readonly CaseDocument[];
  /** The id after which the next page begins; null at the end. */
  readonly nextCursor: CaseId | null;
  /** When the last case that was read was first seen, if the search stopped before it was complete. */
  readonly searchedUntil: Instant | null;
}

interface CaseCounts {
  readonly byStatus: ReadonlyMap<string, number>;
  /** Only the latest 2,000 are counted. */
  readonly hasMore: boolean;
}

const MAX_SEARCHED = 2_000;
/** Counting the open cases of a creator stops here. */
const MAX_OPEN_COUNTED = 500;
/** An embedded store counts without giving others a turn (D109). */
const COUNTED_PER_PART = 10;

@Injectable()
export class CasesOfCreators {
  private readonly entries: ReadModel<CaseOfCreator>;

  constructor(
    readModels: ReadModels,
    private readonly list: CaseList,
    private readonly deadLetters: DeadLetterList,
  ) {
    this.entries = readModels.of(casesOfCreatorsProjection);
  }

  /** A creator's cases by filters, the latest first. */
  async search(
    { workspaceId, creatorId }: CreatorOfWorkspace,
    filter: CaseFilter,
    { limit, after }: ListPageQuery<CaseId>,
  ): Promise<FoundCases> {
    const start = after === undefined ? undefined : await this.entries.get(after);
    if (after !== undefined && start?.creatorId !== creatorId) {
      throw invalidRequest({ field: 'after', message: 'must be a next_cursor of this list' });
    }
    const { matches, last, isCutOff } = await boundedSearch<Entry, Entry>({
      read: (previous = start, most) => this.latest(creatorId, most, previous),
      matchesIn: (page) => page.filter((entry) => matchesFilter(entry, filter)),
      limit,
      maxEntries: MAX_SEARCHED,
    });
    await this.requireAll(workspaceId);
    const rows = await this.list.getMany(matches.map(({ id }) => id));
    return {
      cases: matches.flatMap(({ id }) => rows.get(id) ?? []),
      nextCursor: last?.id ?? null,
      searchedUntil: isCutOff && last !== null ? timeIn(last.order) : null,
    };
  }

  async counts({ workspaceId, creatorId }: CreatorOfWorkspace): Promise<CaseCounts> {
    const found = await this.latest(creatorId, MAX_SEARCHED + 1);
    await this.requireAll(workspaceId);
    const byStatus = Map.groupBy(found.slice(0, MAX_SEARCHED), ({ status }) => status);
    return {
      byStatus: new Map([...byStatus].map(([status, { length }]) => [status, length])),
      hasMore: found.length > MAX_SEARCHED,
    };
  }

  /** The open cases of each creator of the workspace, in the order of the ids. */
  async openCounts(workspaceId: WorkspaceId, creatorIds: readonly CreatorId[]): Promise<number[]> {
    const counts: number[] = [];
    for (let at = 0; at < creatorIds.length; at += COUNTED_PER_PART) {
      await nextPart();
      const part = creatorIds.slice(at, at + COUNTED_PER_PART);
      counts.push(...(await Promise.all(part.map((creatorId) => this.openCount(creatorId)))));
    }
    await requireComplete(this.deadLetters, workspaceId, [casesOfCreatorsProjection.name]);
    return counts;
  }

  private async openCount(creatorId: CreatorId): Promise<number> {
    const open = await this.entries.findEntries({ index: 'open', equals: [creatorId, 1], limit: MAX_OPEN_COUNTED });
    return open.length;
  }

  /** Those of the workspace whose URL begins so, with or without its scheme. */
  async withUrl(workspaceId: WorkspaceId, text: string, limit: number): Promise<CaseDocument[]> {
    const url = comparedUrl(text);
    const range = { gte: url, lt: `${url}${AFTER_ALL_LETTERS}`, limit };
    const found = url === '' ? [] : await this.entries.findEntries({ index: 'url', equals: [workspaceId], ...range });
    await this.requireAll(workspaceId);
    return [...(await this.list.getMany(found.map(({ id }) => id))).values()];
  }

  private latest(creatorId: CreatorId, limit: number, previous?: Pick<Entry, 'order'>): Promise<Entry[]> {
    return this.entries.findEntries<'order' | 'status' | 'site' | 'source'>({
      index: 'time',
      equals: [creatorId],
      order: 'descending',
      limit,
      ...(previous !== undefined && { lt: previous.order }),
    });
  }

  private requireAll(workspaceId: WorkspaceId): Promise<void> {
    return requireComplete(this.deadLetters, workspaceId, [casesOfCreatorsProjection.name, caseListProjection.name]);
  }
}

const AFTER_ALL_LETTERS = '\u{10ffff}';

type CreatorOfWorkspace = Pick<CaseOfCreator, 'workspaceId' | 'creatorId'>;

const matchesFilter = (entry: Entry, { status, source, site }: CaseFilter): boolean =>
  (status === undefined || entry.status === status) &&
  (source === undefined || entry.source === source) &&
  (site === undefined || entry.site === site || entry.site.endsWith(`.${site}`));
