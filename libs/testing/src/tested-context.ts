import { Module, type Type } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { AgencyAccess, type AgencyEvent, agencyDecider } from '#agencies';
import { ALL_PROJECTIONS, OTHER_COLLECTIONS } from '#contexts';
import { CreatorAccess, type CreatorEvent, creatorDecider, Memberships } from '#creators';
import type { LogConsumer } from '#jobs';
import {
  CommandRunner,
  ConsistencyToken,
  type CreatorId,
  LiveCollections,
  type Position,
  type StoredTask,
  type StreamName,
  type Task,
  taskOf,
  type UserId,
} from '#kernel';
import { ProjectionEngine, readModelCollections } from '#projections';
import { agency, workspaceId } from '../../creators/src/domain/creator.fixtures.js';
import { TestPorts } from './test-ports.js';
import { type Given, TestPortsModule } from './test-ports.module.js';

export const owner = '0f000000-0000-4000-8000-000000000001' as UserId;
const nextOwner = '0f000000-0000-4000-8000-000000000002' as UserId;
export const scope = { agencyId: agency, workspaceId, epoch: 1 };

export const contextOf = (correlationId = 'req_1') => ({
  actor: 'key:test',
  correlationId,
  causationId: null,
  workspaceId,
  consistencyToken: new ConsistencyToken(),
});

@Module({})
class TestedModule {}

const QUIETLY = { logger: false, abortOnError: false } as const;

/**
 * The modules of contexts as the service makes them, on stores in memory and fakes, for an agency with an owner. Several
 * processes are several of them on `shared` stores.
 */
export const testedContext = async (
  modules: readonly Type[],
  replaced: readonly Given[] = [],
  shared: Partial<TestPorts> = {},
) => {
  const ports: TestPorts = { ...new TestPorts(), ...shared };
  const { log, documents, directory } = ports;
  await documents.ensure([...(await readModelCollections(documents, ALL_PROJECTIONS)), ...OTHER_COLLECTIONS]);
  const imports = [TestPortsModule.forRoot(ports, replaced), ...modules];
  const app = await NestFactory.createApplicationContext({ module: TestedModule, imports }, QUIETLY);
  const get = <T>(token: abstract new (...given: never[]) => T): T => app.get<T>(token as never, { strict: false });
  const runner = get(CommandRunner);
  const live = get(LiveCollections);
  const native = { id: agency, name: 'Lumen', onboardingComplete: true, kycStatus: 'approved' } as const;
  directory.put({ ...native, ownerUserId: owner });
  const bound: AgencyEvent = {
    type: 'agency.bound.v1',
    data: { agencyId: agency, workspaceId, epoch: 1, ownerUserId: owner },
  };
  await runner.run(agencyDecider, agency, contextOf(), ({ status }) => (status === 'unbound' ? [bound] : []));

  let projected: Position = 0;
  return {
    ...ports,
    /** Returns the container's instance for a token. */
    get,
    runner,
    commands: get(CommandBus),
    queries: get(QueryBus),
    creators: get(CreatorAccess),
    access: get(AgencyAccess),
    memberships: get(Memberships),

    /** These happened to the creator, one append each. */
    async creatorDid(creatorId: CreatorId, ...events: readonly CreatorEvent[]): Promise<void> {
      for (const event of events) await runner.run(creatorDecider, creatorId, contextOf(), () => [event]);
    },
    /** The agency's next owner binds it. */
    async rebind(): Promise<void> {
      directory.put({ ...native, ownerUserId: nextOwner });
      await runner.run(agencyDecider, agency, contextOf(), () => [
        { type: 'agency.rebound.v1', data: { epoch: 2, ownerUserId: nextOwner } },
      ]);
    },
    /** Brings all read models up to the log. */
    async project(): Promise<void> {
      const { events, reached } = await log.readLog({ after: projected, limit: 10_000 });
      const targets = ALL_PROJECTIONS.map(async (projection) => ({
        projection,
        collection: await live.of(projection),
      }));
      await documents.write(await new ProjectionEngine(await Promise.all(targets)).project(documents, events));
      projected = reached;
    },
    /** Deletes all documents; the read models start again. */
    async loseDocuments(): Promise<void> {
      const definitions = await readModelCollections(documents, ALL_PROJECTIONS);
      for (const { name } of definitions) await documents.drop(name);
      await documents.ensure(definitions);
      projected = 0;
    },
    /** Shows a consumer the log after a position, in pages of that size. */
    async show(consumer: LogConsumer, { after = 0, limit = 1_000 } = {}): Promise<void> {
      for (let from = after; ; ) {
        const page = await log.readLog({ after: from, limit, types: consumer.types });
        await consumer.handle(page);
        if (page.atEnd) return;
        from = page.reached;
      }
    },
    typesOf: async (stream: StreamName) => (await log.readStream(stream)).map(({ type }) => type),
  };
};

export type TestedContext = Awaited<ReturnType<typeof testedContext>>;

/** An item as a worker has claimed it. */
export const claimed = <Kind extends string>(kind: Kind, subject: string): StoredTask => {
  const item: Task<Kind> = taskOf(kind, subject, workspaceId, 0, { id: 'what-made-it-due', correlationId: 'req_1' });
  return { ...item, position: 1 };
};
