import { Controller, Query } from '@nestjs/common';
import { CallCounts, publicRefusedRequest, REFUSED_KEPT, RefusedRequests, refusedGroups } from '#dashboard';
import { OneOf, Optional, PageQuery, Text } from '#http';
import { Read, Visitor } from '../access/rights.js';
import type { Visit } from '../access/visit.js';
import { pageOf } from '../paging.js';
import type { CallsAnswer, RequestsAnswer } from './answers.js';
import { remedyOf } from './remedies.js';

const MAX_FILTER_LENGTH = 200;

/** Each narrows the list. */
class RequestsQuery extends PageQuery {
  @Optional()
  @Text(MAX_FILTER_LENGTH)
  code?: string;

  @Optional()
  @Text(MAX_FILTER_LENGTH)
  route?: string;

  @Optional()
  @Text(MAX_FILTER_LENGTH)
  key?: string;

  /** The whole id of one request. */
  @Optional()
  @Text(MAX_FILTER_LENGTH)
  request?: string;
}

class CallsQuery {
  @Optional()
  @OneOf('minute', 'hour')
  by?: CallsAnswer['by'];

  @Optional()
  @Text(MAX_FILTER_LENGTH)
  key?: string;
}

@Controller('dashboard/api/requests')
export class RequestsController {
  constructor(
    private readonly refused: RefusedRequests,
    private readonly calls: CallCounts,
  ) {}

  @Read()
  async list(@Visitor() { agencyId }: Visit, @Query() query: RequestsQuery): Promise<RequestsAnswer> {
    const { code, route, key, request, ...page } = query;
    const all = await this.refused.latest(agencyId);
    const found = all.filter(
      (one) =>
        one.code === (code ?? one.code) &&
        one.route === (route ?? one.route) &&
        one.keyId === (key ?? one.keyId) &&
        one.requestId === (request ?? one.requestId),
    );
    const { data, next_cursor } = pageOf(
      found.map((one) => ({ ...one, id: one.requestId })),
      page,
    );
    return {
      data: data.map((request) => ({ ...publicRefusedRequest(request), remedy: remedyOf(request.code) })),
      next_cursor,
      groups: refusedGroups(all).map(({ lastAt, ...group }) => ({
        ...group,
        last_at: lastAt,
        remedy: remedyOf(group.code),
      })),
      kept: REFUSED_KEPT,
    };
  }

  @Read('calls')
  async callsOf(@Visitor() { agencyId }: Visit, @Query() { by = 'hour', key }: CallsQuery): Promise<CallsAnswer> {
    const [data, ofKeys] = await Promise.all([
      this.calls.series(by, agencyId, key ?? null),
      this.calls.byKey(by, agencyId),
    ]);
    const keys = [...ofKeys].toSorted(([, one], [, other]) => other - one);
    return { by, data, keys: keys.map(([key_id, calls]) => ({ key_id, calls })) };
  }
}
