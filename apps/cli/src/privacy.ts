import { setTimeout as delay } from 'node:timers/promises';
import type { Command } from 'commander';
import { selectedEvents } from '#audit';
import { ALL_PROJECTIONS } from '#contexts';
import { creatorDecider, eraseCreator, eraseFromRoster, isErased, recordKeyDestroyed, rosterDecider } from '#creators';
import { type CreatorId, categoryOf, DomainError, ERASED, parseId, type RecordedEvent } from '#kernel';
import { KEYS_REMEMBERED_FOR } from '#personal-data';
import type { Services } from '../../service/src/services.js';
import { operatorContext } from './operator-context.js';
import type { Register } from './program.js';
import { rollbackOf } from './projections/rebuild.js';

interface CreatorOption {
  readonly creator: string;
}

export const privacyCommands = (privacy: Command, register: Register): void => {
  register(
    privacy
      .command('erase')
      .description('destroy the key of all that is personal about a creator; shows first what becomes unreadable')
      .requiredOption('--creator <crt>', 'the creator')
      .option('--yes', 'do it; without this nothing is changed'),
    ({ creator, yes }: CreatorOption & { readonly yes?: true }) =>
      (services) =>
        yes ? erase(services, creatorNamed(creator)) : preview(services, creatorNamed(creator)),
  );
  register(
    privacy
      .command('export')
      .description('everything that is held on a creator, readable')
      .requiredOption('--creator <crt>', 'the creator'),
    ({ creator }: CreatorOption) =>
      (services) =>
        exported(services, creatorNamed(creator)),
  );
};

const creatorNamed = (text: string): CreatorId => {
  const creatorId = parseId('creator', text);
  if (creatorId === undefined) throw new DomainError('not_found');
  return creatorId;
};

/** What would become unreadable: how many events of which kind hold something personal. */
export const preview = async (services: Services, creatorId: CreatorId) => {
  const state = await known(services, creatorId);
  const events: Record<string, number> = {};
  for await (const { stream, data } of selectedEvents(services.log, { about: [creatorId] })) {
    const category = categoryOf(stream);
    if ('personal' in data && isReadable(data.personal)) events[category] = (events[category] ?? 0) + 1;
  }
  const erased = isErased(state);
  const key = await keyOf(services, creatorId);
  return {
    creator_id: creatorId,
    erased,
    personal_key: key,
    membership: state.membership.status,
    protection: state.protection.status,
    becomes_unreadable: events,
    note: erased
      ? 'nothing was changed; its erasure is recorded, and where it was interrupted, the same with --yes finishes it'
      : 'nothing was changed; with --yes the membership ends, protection with it, and this can not be undone',
  };
};

/** Whether any text of it is still there to be read. */
const isReadable = (personal: unknown): boolean => {
  if (typeof personal === 'string') return personal !== ERASED;
  return typeof personal === 'object' && personal !== null && Object.values(personal).some(isReadable);
};

/**
 * The record first, then the key and that it is gone, then, once no process remembers it, the read models, of which
 * nothing is kept for a rollback. Each step may be repeated: after an interruption the same command finishes the work.
 */
export const erase = async (services: Services, creatorId: CreatorId, forgottenAfter = KEYS_REMEMBERED_FOR) => {
  const { runner, clock, personalKeys, rebuild, erasureHashes, documents } = services;
  const { state: before } = await runner.load(creatorDecider, creatorId);
  if (before.status === 'unknown') throw new DomainError('not_found');
  const { becomes_unreadable } = await preview(services, creatorId);
  const context = { ...operatorContext(), workspaceId: before.workspaceId };
  const { at } = await runner.run(creatorDecider, creatorId, context, eraseCreator);
  // D72: recorded while it can still be read, so that what is answered about it does not depend on who remembers it.
  const { workspaceId } = before;
  await runner.run(rosterDecider, workspaceId, context, (roster) =>
    eraseFromRoster(roster, creatorId, erasureHashes, workspaceId),
  );
  await personalKeys.destroy(creatorId, clock.now());
  await runner.run(creatorDecider, creatorId, context, recordKeyDestroyed);
  await delay(forgottenAfter);
  await rebuild.run(ALL_PROJECTIONS);
  await rollbackOf(services).discard(ALL_PROJECTIONS);
  await documents.purge();
  return { creator_id: creatorId, erased: true, erased_at: at, became_unreadable: becomes_unreadable };
};

/** The state, and each event about the creator as it was recorded, whatever stream it is in. */
export const exported = async (services: Services, creatorId: CreatorId) => {
  const creator = await known(services, creatorId);
  const events: object[] = [];
  for await (const event of selectedEvents(services.log, { about: [creatorId] })) events.push(asExported(event));
  return {
    creator_id: creatorId,
    exported_at: services.clock.now(),
    personal_key: await keyOf(services, creatorId),
    creator,
    events,
  };
};

const keyOf = async ({ personalKeys }: Services, creatorId: CreatorId): Promise<'none' | 'destroyed' | 'kept'> => {
  const [key] = (await personalKeys.keysOf([creatorId])).values();
  if (key === undefined) return 'none';
  return key === null ? 'destroyed' : 'kept';
};

const asExported = ({ id, stream, revision, type, data, metadata: { at, actor, correlationId } }: RecordedEvent) => ({
  id,
  stream,
  revision,
  type,
  at,
  actor,
  request_id: correlationId,
  data,
});

const known = async ({ runner }: Services, creatorId: CreatorId) => {
  const { state } = await runner.load(creatorDecider, creatorId);
  if (state.status === 'unknown') throw new DomainError('not_found');
  return state;
};
