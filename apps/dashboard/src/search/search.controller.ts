import { Controller, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { FindCreator } from '#creators';
import { Text } from '#http';
import { type IdKind, parseId, parseUserId } from '#kernel';
import { Read, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import type { SearchAnswer } from '../answers.js';
import { CreatorNames, RecordsOfCreators } from '../creators/found-creators.js';

const MAX_TEXT_LENGTH = 2_048;

class SearchQuery {
  @Text(MAX_TEXT_LENGTH)
  text!: string;
}

/** Finds the page of any id. */
@Controller('dashboard/api/search')
export class SearchController {
  constructor(
    private readonly queries: QueryBus,
    private readonly names: CreatorNames,
    private readonly records: RecordsOfCreators,
  ) {}

  @Read()
  async search(@Visitor() visit: Visit, @Query() { text }: SearchQuery): Promise<SearchAnswer> {
    const wanted = text.trim();
    const path =
      pathOfId(wanted) ?? (await this.pathOfRecord(wanted, visit)) ?? (await this.pathOfCreator(wanted, visit));
    return { path: path ?? null };
  }

  /** Of a scan, case, deindex request or impersonation: the page of its creator, which shows what has happened to it. */
  private async pathOfRecord(text: string, { workspaceId }: Visit): Promise<string | undefined> {
    const found = await this.records.find(text);
    if (found?.creatorId === undefined || found.workspaceId !== workspaceId) return undefined;
    const { creatorId } = found;
    return (await this.names.of([creatorId])).has(creatorId) ? `/creators/${creatorId}?record=${text}` : undefined;
  }

  /** Every request has a UUID too, so that a UUID which is no user's is looked for among the requests. */
  private async pathOfCreator(text: string, { workspaceId }: Visit): Promise<string | undefined> {
    const creatorId = await this.queries.execute(new FindCreator(workspaceId, text));
    if (creatorId === 'withheld') return undefined;
    if (creatorId !== undefined) return `/creators/${creatorId}`;
    return parseUserId(text) === undefined ? undefined : `/requests?request=${text.toLowerCase()}`;
  }
}

const PAGES: readonly [IdKind, (id: string) => string][] = [
  ['event', (id) => `/events/${id}`],
  ['key', (id) => `/keys?key=${id}`],
  ['webhookEndpoint', (id) => `/webhooks?endpoint=${id}`],
  ['webhookDelivery', (id) => `/deliveries/${id}`],
];

/** Those whose page says itself whether there is such a thing. */
const pathOfId = (text: string): string | undefined => {
  for (const [kind, page] of PAGES) {
    const id = parseId(kind, text);
    if (id !== undefined) return page(id);
  }
  return undefined;
};
