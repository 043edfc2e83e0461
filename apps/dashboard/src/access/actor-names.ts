import { Injectable } from '@nestjs/common';
import { QueryBus } from '@nestjs/cqrs';
import { ListKeys } from '#agencies';
import { NamedPeople } from '#dashboard';
import { unlessUnbound } from '../lists.js';
import type { DashboardSession } from './dashboard-session.js';

const KEY = 'key:';

export interface NamedActor {
  readonly actor: string;
  readonly actor_name: string | null;
}

/** Names who caused events that the agency sees: people by their claims, its keys by their names. */
@Injectable()
export class ActorNames {
  constructor(
    private readonly queries: QueryBus,
    private readonly people: NamedPeople,
  ) {}

  async of(
    { agencyId }: Pick<DashboardSession, 'agencyId'>,
    actors: readonly string[],
  ): Promise<(actor: string) => NamedActor> {
    const hasKeys = actors.some((actor) => actor.startsWith(KEY));
    const [people, keys] = await Promise.all([
      this.people.of(actors),
      hasKeys ? unlessUnbound(this.queries.execute(new ListKeys(agencyId)), []) : [],
    ]);
    const names = new Map<string, string | null>([...people, ...keys.map(({ id, name }) => [KEY + id, name] as const)]);
    return (actor) => ({ actor, actor_name: names.get(actor) ?? null });
  }
}
