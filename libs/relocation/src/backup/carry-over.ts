import { type ApiKeyEvent, apiKeyDecider, revokeKey } from '#agencies';
import {
  type CreatorEvent,
  creatorDecider,
  eraseCreatorWithoutKey,
  eraseFromRosterAgain,
  type RosterEvent,
  recordKeyDestroyed,
  rosterDecider,
} from '#creators';
import {
  type Clock,
  CommandRunner,
  ConsistencyToken,
  type CreatorId,
  type Decider,
  type Decision,
  type DomainEvent,
  type EventLog,
  type IdKind,
  type Instant,
  type KeyId,
  newEventId,
  parseId,
  type RecordedEvent,
  streamId,
  streamName,
  type WebhookEndpointId,
} from '#kernel';
import type { LastSeal, PersonalKeyStore } from '#personal-data';
import { takeAwayAgain, type WebhookEndpointEvent, webhookEndpointDecider } from '#webhooks';

type RosterTaking = Extract<RosterEvent, { type: 'roster.nativeUserLinked.v1' | 'roster.creatorErased.v1' }>;

const ERASED: CreatorEvent['type'] = 'creator.personalDataErased.v1';
const REVOKED: ApiKeyEvent['type'] = 'apiKey.revoked.v1';
const TAKEN_FROM_ROSTERS: readonly RosterTaking['type'][] = ['roster.nativeUserLinked.v1', 'roster.creatorErased.v1'];
const TAKEN_FROM_ENDPOINTS: readonly WebhookEndpointEvent['type'][] = [
  'webhookEndpoint.secretRotated.v2',
  'webhookEndpoint.disabled.v1',
  'webhookEndpoint.enabled.v1',
];

/** Events that show what was taken away, in their newest version (D105). */
export const TAKING_TYPES: ReadonlySet<string> = new Set<string>([
  ERASED,
  REVOKED,
  ...TAKEN_FROM_ROSTERS,
  ...TAKEN_FROM_ENDPOINTS,
]);

/** Records of the replaced stores that a restored one must not forget. */
export interface TakenAway {
  /** Events of `TAKING_TYPES` by time, without those that the restored log has. */
  readonly events: readonly RecordedEvent[];
  readonly destroyed: ReadonlyMap<CreatorId, Instant>;
  readonly seals: readonly { readonly seal: LastSeal; readonly sentinel: Buffer | undefined }[];
}

export interface CarriedOver {
  /** Erased since the backup: their keys stay destroyed, and their erasure is recorded again (D72). */
  readonly erasedSince: readonly CreatorId[];
  /** Enrolled since too: the restored log knows nothing of them, and enrolls the person again under another id. */
  readonly erasedUnknown: readonly CreatorId[];
  readonly revokedKeys: readonly KeyId[];
  readonly disabledEndpoints: readonly WebhookEndpointId[];
  readonly replacedSecrets: readonly WebhookEndpointId[];
}

const ACTOR = 'operator:restore';

/** D105: records in the restored stores what was taken away since. `log` decrypts, over these keys. */
export const carryOver = async (
  { events, destroyed, seals }: TakenAway,
  { log, personalKeys }: { readonly log: EventLog; readonly personalKeys: PersonalKeyStore },
  clock: Clock,
): Promise<CarriedOver> => {
  const runner = new CommandRunner(log, clock);
  const correlationId = newEventId();
  /** The types that were recorded. */
  const record = async <State, Event extends DomainEvent>(
    decider: Decider<State, Event>,
    id: string,
    decide: Decision<State, Event>,
  ): Promise<ReadonlySet<string>> => {
    const [first] = await log.readStream(streamName(decider.category, id), { limit: 1 });
    if (first === undefined) return new Set();
    const { workspaceId } = first.metadata;
    const consistencyToken = new ConsistencyToken();
    const context = { actor: ACTOR, correlationId, causationId: null, workspaceId, consistencyToken };
    return new Set((await runner.run(decider, id, context, decide)).events.map(({ type }) => type));
  };

  /** The recorded events of each stream whose name has an id of that kind. */
  const recordedOf = <Kind extends IdKind>(kind: Kind, types: readonly string[]) =>
    [
      ...Map.groupBy(
        events.filter(({ type }) => types.includes(type)),
        ({ stream }) => parseId(kind, streamId(stream)),
      ),
    ].flatMap(([id, recorded]) => (id === undefined ? [] : [{ id, recorded }]));

  const erased = new Map(destroyed);
  for (const { id, recorded } of recordedOf('creator', [ERASED]))
    if (!erased.has(id)) erased.set(id, recorded[0]?.metadata.at ?? 0);
  const kept = await personalKeys.get([...erased.keys()]);
  for (const [creatorId, at] of erased) {
    await personalKeys.destroy(creatorId, at);
    await record(creatorDecider, creatorId, eraseCreatorWithoutKey);
    await record(creatorDecider, creatorId, recordKeyDestroyed);
  }
  const ofRosters = events.filter((event) => isOfRoster(event)).filter(({ data }) => erased.has(data.creatorId));
  for (const recorded of Map.groupBy(ofRosters, ({ data }) => data.creatorId).values()) {
    const [{ stream, data }] = recorded as [RecordedEvent<RosterTaking>];
    await record(rosterDecider, streamId(stream), (roster) => eraseFromRosterAgain(roster, data.creatorId, recorded));
  }

  const revokedKeys: KeyId[] = [];
  for (const { id } of recordedOf('key', [REVOKED]))
    if ((await record(apiKeyDecider, id, revokeKey)).size > 0) revokedKeys.push(id);

  const [disabledEndpoints, replacedSecrets]: [WebhookEndpointId[], WebhookEndpointId[]] = [[], []];
  for (const { id, recorded } of recordedOf('webhookEndpoint', TAKEN_FROM_ENDPOINTS)) {
    // The types say whose events they are.
    const again = recorded as RecordedEvent<WebhookEndpointEvent>[];
    const types = await record(webhookEndpointDecider, id, (endpoint) => takeAwayAgain(endpoint, again));
    if (types.has('webhookEndpoint.disabled.v1')) disabledEndpoints.push(id);
    if (types.has('webhookEndpoint.secretRotated.v2')) replacedSecrets.push(id);
  }
  await rememberSeals(personalKeys, seals);
  const ids = [...erased.keys()];
  return {
    erasedSince: ids.filter((id) => kept.get(id)?.status === 'kept'),
    erasedUnknown: ids.filter((id) => !kept.has(id)),
    revokedKeys,
    disabledEndpoints,
    replacedSecrets,
  };
};

const isOfRoster = (event: RecordedEvent): event is RecordedEvent<RosterTaking> =>
  TAKEN_FROM_ROSTERS.some((type) => type === event.type);

/** D91: the latest one. Under another master key its signature would be refused, and would say nothing. */
const rememberSeals = async (store: PersonalKeyStore, seals: TakenAway['seals']): Promise<void> => {
  const own = await store.sentinel();
  for (const { seal, sentinel } of seals) {
    const remembered = await store.lastSeal();
    if (own !== undefined && sentinel?.equals(own) === true && seal.count > (remembered?.count ?? 0))
      await store.rememberSeal(seal, remembered);
  }
};
