import { type EventMetadata, type EventToAppend, newEventId, type RecordedEvent } from '#kernel';

export const metadata: EventMetadata = {
  at: 1_767_225_600_000,
  correlationId: 'req_contract',
  causationId: null,
  actor: 'operator:contract',
  workspaceId: null,
};

export const event = (data: object = {}, type = 'thing.happened.v1'): EventToAppend => ({
  id: newEventId(),
  type,
  data,
  metadata,
});

/** This many events, numbered from 0. */
export const events = (count: number, type?: string): EventToAppend[] =>
  Array.from({ length: count }, (_, n) => event({ n }, type));

export const ids = (some: readonly { readonly id: string }[]): string[] => some.map(({ id }) => id);

export const revisions = (some: readonly RecordedEvent[]): number[] => some.map(({ revision }) => revision);
