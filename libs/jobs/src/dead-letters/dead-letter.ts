import type { Cause, Decider, Revision, StreamName } from '#kernel';

export interface DeadEvent {
  readonly kind: 'event';
  readonly eventId: string;
  readonly stream: StreamName;
  readonly revision: Revision;
}

/** Due work that failed, with what is needed to make it due again. */
export interface DeadTask {
  readonly kind: 'dueItem';
  readonly itemId: string;
  readonly dueKind: string;
  readonly subject: string;
  readonly cause: Cause;
}

export interface DeadDelivery {
  readonly kind: 'delivery';
  readonly deliveryId: string;
}

/** An item that a runner set aside (D67). */
export interface DeadLetter {
  readonly runner: string;
  /** The part of the runner that failed, such as one read model; null for the whole runner. */
  readonly part: string | null;
  readonly item: DeadEvent | DeadTask | DeadDelivery;
}

export const DUE_WORK = 'due-work';

export interface DeadLetterRecorded {
  readonly type: 'setAside.setAside.v1';
  /** `error` does not quote the item, because it may contain personal data. */
  readonly data: DeadLetter & { readonly error: string; readonly tries: number };
}

/** The item is to be processed again; or, recorded by the runner itself, it has been. */
export interface DeadLetterRetried {
  readonly type: 'setAside.retried.v1';
  readonly data: DeadLetter;
}

export type DeadLetterEvent = DeadLetterRecorded | DeadLetterRetried;

export const RETRIED = 'setAside.retried.v1' satisfies DeadLetterEvent['type'];

export type DeadLetterState =
  | { readonly status: 'unknown' }
  | { readonly status: 'set_aside'; readonly data: DeadLetterRecorded['data'] }
  | { readonly status: 'retried' };

export const deadLetterDecider: Decider<DeadLetterState, DeadLetterEvent> = {
  category: 'setAside',
  initial: { status: 'unknown' },
  evolve(state, event) {
    switch (event.type) {
      case 'setAside.setAside.v1':
        return { status: 'set_aside', data: event.data };
      case 'setAside.retried.v1':
        return { status: 'retried' };
      default:
        event satisfies never;
        return state;
    }
  },
};

export const deadLetterId = ({ runner, part, item }: DeadLetter): string =>
  [runner, ...(part === null ? [] : [part]), keyOf(item)].join(':');

export const deadLetterIdOfTask = (itemId: string): string => `${DUE_WORK}:${itemId}`;

const keyOf = (item: DeadLetter['item']): string => {
  switch (item.kind) {
    case 'event':
      return item.eventId;
    case 'dueItem':
      return item.itemId;
    case 'delivery':
      return item.deliveryId;
  }
};

/** A repeat appends nothing, unless another event has made the due work due again. */
export const recordDeadLetter = (state: DeadLetterState, data: DeadLetterRecorded['data']): DeadLetterRecorded[] => {
  const isRepeat = state.status === 'set_aside' && causeOf(state.data) === causeOf(data);
  return isRepeat ? [] : [{ type: 'setAside.setAside.v1', data }];
};

export const retryItem = (state: DeadLetterState): DeadLetterRetried[] => {
  if (state.status !== 'set_aside') return [];
  const { runner, part, item } = state.data;
  return [{ type: RETRIED, data: { runner, part, item } }];
};

const causeOf = ({ item }: DeadLetter): string | null => (item.kind === 'dueItem' ? item.cause.id : null);
