import { Controller, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListKeys } from '#agencies';
import { CasesOfCreators } from '#cases';
import { FindCreator, ListCreators, publicCreator } from '#creators';
import { Text } from '#http';
import { haveWords, type IdKind, isStandIn, parseId, parseUserId, soughtWords } from '#kernel';
import { ListEndpoints } from '#webhooks';
import type { ListOf, SearchResult } from '../../answers/parts.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Read } from '../access/rights.js';
import { MAX_SEARCH_LENGTH } from '../creators/creators.controller.js';
import { FoundCreators } from '../creators/found-creators.js';
import { unlessUnbound } from '../lists.js';

/** Limits the results of each kind. */
const MAX_RESULTS = 5;

class SearchQuery {
  @Text(MAX_SEARCH_LENGTH)
  text!: string;
}

/** Suggests what has a name, and finds the page of any id. */
@Controller('dashboard/api/search')
export class SearchController {
  constructor(
    private readonly queries: QueryBus,
    private readonly creators: FoundCreators,
    private readonly cases: CasesOfCreators,
  ) {}

  @Read()
  async search(@CurrentUser() user: DashboardSession, @Query() { text }: SearchQuery): Promise<ListOf<SearchResult>> {
    const wanted = text.trim();
    const path =
      pathOfId(wanted) ?? (await this.pathOfRecord(wanted, user)) ?? (await this.pathOfRequest(wanted, user));
    if (path !== undefined) return { data: [{ kind: 'id', name: wanted, detail: null, path }] };
    const words = soughtWords(wanted);
    const found = await Promise.all([
      this.creatorsWith(wanted, user),
      ...(words.length > 0 ? [this.keysWith(words, user), this.endpointsWith(words, user)] : []),
      this.casesWith(wanted, user),
    ]);
    return { data: found.flatMap((results) => results.slice(0, MAX_RESULTS)) };
  }

  /** The history of a scan, case, deindex request or impersonation is on the page of its creator. */
  private async pathOfRecord(text: string, { workspaceId }: DashboardSession): Promise<string | undefined> {
    const found = await this.creators.record(text);
    if (found?.creatorId === undefined || found.workspaceId !== workspaceId) return undefined;
    const { creatorId } = found;
    return (await this.creators.names(workspaceId, [creatorId])).has(creatorId)
      ? `/creators/${creatorId}?record=${text}`
      : undefined;
  }

  /** Request ids are UUIDs too, so a UUID that belongs to no user is looked up among the requests. */
  private async pathOfRequest(text: string, { workspaceId }: DashboardSession): Promise<string | undefined> {
    if (parseUserId(text) === undefined) return undefined;
    const creatorId = await this.queries.execute(new FindCreator(workspaceId, text));
    return creatorId === undefined ? `/requests/${text.toLowerCase()}` : undefined;
  }

  private async creatorsWith(text: string, { workspaceId }: DashboardSession): Promise<SearchResult[]> {
    const search = new ListCreators(workspaceId, { text }, { limit: MAX_RESULTS });
    const { items } = await this.queries.execute(search);
    const creators = items.map(publicCreator);
    return creators.map(({ id, display_name: name, external_id: detail }) => ({
      ...{ kind: 'creator', name, detail },
      path: `/creators/${id}`,
    }));
  }

  private async keysWith(words: readonly string[], { agencyId }: DashboardSession): Promise<SearchResult[]> {
    const keys = await unlessUnbound(this.queries.execute(new ListKeys(agencyId)), []);
    const named = keys.flatMap(({ id, name, status }) => (name === null ? [] : [{ id, name, status }]));
    return named
      .filter(({ name }) => haveWords([name], words))
      .map(({ id, name, status }) => ({ kind: 'key', name, detail: shownStatus(status), path: `/keys/${id}` }));
  }

  private async endpointsWith(words: readonly string[], { agencyId }: DashboardSession): Promise<SearchResult[]> {
    const endpoints = await unlessUnbound(this.queries.execute(new ListEndpoints(agencyId)), []);
    return endpoints
      .filter(({ url }) => haveWords([url], words))
      .map(({ id, url, status }) => ({
        kind: 'endpoint',
        name: url,
        detail: shownStatus(status),
        path: `/webhooks/${id}`,
      }));
  }

  private async casesWith(text: string, { workspaceId }: DashboardSession): Promise<SearchResult[]> {
    const found = await this.cases.withUrl(workspaceId, text, MAX_RESULTS);
    const names = await this.creators.names(
      workspaceId,
      found.map(({ creatorId }) => creatorId),
    );
    return found.flatMap(({ id, creatorId, finding: { url } }) => {
      const detail = names.get(creatorId);
      return detail === undefined || isStandIn(url)
        ? []
        : [{ kind: 'case', name: url, detail, path: `/creators/${creatorId}?record=${id}` }];
    });
  }
}

const shownStatus = (status: string): string => status.replaceAll('_', ' ');

const PAGES: readonly [IdKind, (id: string) => string][] = [
  ['event', (id) => `/events/${id}`],
  ['key', (id) => `/keys/${id}`],
  ['webhookEndpoint', (id) => `/webhooks/${id}`],
  ['webhookDelivery', (id) => `/deliveries/${id}`],
];

/** Those pages report it themselves if there is no such thing. */
const pathOfId = (text: string): string | undefined => {
  for (const [kind, page] of PAGES) {
    const id = parseId(kind, text);
    if (id !== undefined) return page(id);
  }
  return undefined;
};
