import { Controller, Param, Query } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { GetKey } from '#agencies';
import {
  CallCounts,
  publicRefusedRequest,
  REFUSED_KEPT,
  type RefusedRequest,
  RefusedRequests,
  refusedGroups,
  remedyOf,
} from '#dashboard';
import { OneOf, Optional, PageQuery, Text } from '#http';
import { type AgencyId, Clock, type Duration, HOUR, type Instant, type KeyId, MINUTE } from '#kernel';
import type { CallsAnswer, RefusedRequestAnswer, RequestAnswer, RequestsAnswer } from '../../answers/requests.js';
import { CurrentUser, type DashboardSession } from '../access/dashboard-session.js';
import { Read } from '../access/rights.js';
import { CodeSamples } from '../code-samples.js';
import { pageOf, unlessUnbound } from '../lists.js';

const MAX_FILTER_LENGTH = 200;
/** Requests of the same key on each side of a request. */
const AROUND = 5;
/** A chart has at most 96 bars. */
const BARS = { hour: { length: 8 * HOUR, count: 90 }, minute: { length: 15 * MINUTE, count: 96 } } as const;

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
    private readonly queries: QueryBus,
    private readonly samples: CodeSamples,
    private readonly clock: Clock,
  ) {}

  @Read()
  async list(
    @CurrentUser() { agencyId }: DashboardSession,
    @Query() { code, route, key, ...page }: RequestsQuery,
  ): Promise<RequestsAnswer> {
    const all = await this.refused.latest(agencyId);
    const found = all.filter(
      (one) =>
        one.code === (code ?? one.code) && one.route === (route ?? one.route) && one.keyId === (key ?? one.keyId),
    );
    const listed = found.map((one) => ({ ...one, id: one.requestId }));
    const { data, next_cursor } = pageOf(listed, page);
    return {
      data: await this.shown(agencyId, data),
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
  async callsOf(
    @CurrentUser() { agencyId }: DashboardSession,
    @Query() { by = 'hour', key }: CallsQuery,
  ): Promise<CallsAnswer> {
    const [series, ofKeys] = await Promise.all([
      this.calls.series(by, agencyId, key ?? null),
      this.calls.byKey(by, agencyId),
    ]);
    const keys = [...ofKeys].toSorted(([, one], [, other]) => other - one);
    const names = await this.keyNames(agencyId, [...ofKeys.keys()]);
    const data = barsOf(series, BARS[by], this.clock.now());
    return { by, data, keys: keys.map(([key_id, calls]) => ({ key_id, key_name: names.get(key_id) ?? null, calls })) };
  }

  @Read(':id')
  async show(@CurrentUser() { agencyId }: DashboardSession, @Param('id') id: string): Promise<RequestAnswer> {
    const all = await this.refused.latest(agencyId);
    const wanted = all.find(({ requestId }) => requestId === id);
    if (wanted === undefined) return { request: null, around: [] };
    const ofKey = all.filter(({ keyId }) => keyId === wanted.keyId);
    const at = ofKey.indexOf(wanted);
    const around = await this.shown(agencyId, ofKey.slice(Math.max(0, at - AROUND), at + AROUND + 1));
    const request = around.find(({ request_id }) => request_id === id);
    if (request === undefined) return { request: null, around: [] };
    return { request: { ...request, ...this.samples.repeat(wanted.route) }, around };
  }

  private async shown(agencyId: AgencyId, requests: readonly RefusedRequest[]): Promise<RefusedRequestAnswer[]> {
    const names = await this.keyNames(
      agencyId,
      requests.map(({ keyId }) => keyId),
    );
    return requests.map((one) => ({
      ...publicRefusedRequest(one),
      key_name: names.get(one.keyId) ?? null,
      remedy: remedyOf(one.code),
    }));
  }

  private async keyNames(agencyId: AgencyId, ids: readonly KeyId[]): Promise<ReadonlyMap<KeyId, string | null>> {
    const names = [...new Set(ids)].map(async (id) => {
      const key = await unlessUnbound(this.queries.execute(new GetKey(agencyId, id)), null);
      return [id, key?.name ?? null] as const;
    });
    return new Map(await Promise.all(names));
  }
}

interface Bars {
  readonly length: Duration;
  readonly count: number;
}

const barsOf = (series: CallsAnswer['data'], { length, count }: Bars, now: Instant): CallsAnswer['data'] => {
  const beginOf = (at: Instant) => at - (at % length);
  const sums = new Map<Instant, number>();
  for (const { at, calls } of series) sums.set(beginOf(at), (sums.get(beginOf(at)) ?? 0) + calls);
  const first = beginOf(now) - (count - 1) * length;
  return Array.from({ length: count }, (_, n) => first + n * length).map((at) => ({ at, calls: sums.get(at) ?? 0 }));
};
