import {
  type Cause,
  type CommandContext,
  type CommandRunner,
  type Decider,
  DomainError,
  type ErrorCode,
  Fenced,
  InvalidAppend,
  type LoadedState,
  PersonalDataUnreadable,
  processContext,
  type Revision,
  StoreUnavailable,
  type StreamName,
  streamName,
  WrongExpectedRevision,
} from '#kernel';

/** These refusals depend only on outside systems, so the same work may succeed later. */
const OUTSIDE_CODES: ReadonlySet<ErrorCode> = new Set<ErrorCode>([
  'agency_verification_unavailable',
  'agency_account_required',
  'agency_kyc_required',
  'agency_owner_changed',
  'agency_key_reissue_required',
  'svc_engine_not_configured',
  'provider_invalid_response',
  'provider_unavailable',
  'provider_timeout',
]);

/** The names of DOM exceptions after a timeout or an abort. */
const ABORT_NAMES: ReadonlySet<string> = new Set(['AbortError', 'TimeoutError']);

/** Such work is retried while it lasts, and this is not a try of D67. The item itself causes any other error. */
export const isInfrastructureFailure = (error: unknown): boolean => {
  if (error instanceof StoreUnavailable || error instanceof Fenced || error instanceof WrongExpectedRevision)
    return true;
  if (error instanceof DomainError) return OUTSIDE_CODES.has(error.code);
  // Compared by name, because errors of timers and sockets may belong to another realm.
  return typeof error === 'object' && error !== null && 'name' in error && ABORT_NAMES.has(String(error.name));
};

interface DeadEvent {
  readonly kind: 'event';
  readonly eventId: string;
  readonly stream: StreamName;
  readonly revision: Revision;
}

/** A task that failed, with what is needed to make it due again. */
interface DeadTask {
  readonly kind: 'dueItem';
  readonly itemId: string;
  readonly dueKind: string;
  readonly subject: string;
  readonly cause: Cause;
}

interface DeadDelivery {
  readonly kind: 'delivery';
  readonly deliveryId: string;
}

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

type DeadLetterState =
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

/** A repeat appends nothing, unless another event has made the task due again. */
const recordDeadLetter = (state: DeadLetterState, data: DeadLetterRecorded['data']): DeadLetterRecorded[] => {
  const isRepeat = state.status === 'set_aside' && causeOf(state.data) === causeOf(data);
  return isRepeat ? [] : [{ type: 'setAside.setAside.v1', data }];
};

const retryItem = (state: DeadLetterState): DeadLetterRetried[] => {
  if (state.status !== 'set_aside') return [];
  const { runner, part, item } = state.data;
  return [{ type: RETRIED, data: { runner, part, item } }];
};

const causeOf = ({ item }: DeadLetter): string | null => (item.kind === 'dueItem' ? item.cause.id : null);

/** The number of tries after which something is set aside (D67). */
export const MAX_TRIES = 3;
const MAX_LENGTH = 300;
const SAFE_TO_QUOTE = [DomainError, InvalidAppend, PersonalDataUnreadable];

export class DeadLetters {
  constructor(
    private readonly runner: Pick<CommandRunner, 'run' | 'load'>,
    private readonly onDeadLetter: (runner: string) => void = () => undefined,
  ) {}

  /** Returns where the log has it, even if it was recorded before. */
  async record(
    deadLetter: DeadLetter,
    error: unknown,
    { workspaceId, ...cause }: Cause & Pick<CommandContext, 'workspaceId'>,
  ): Promise<{ readonly id: string; readonly stream: StreamName; readonly revision: Revision }> {
    const id = deadLetterId(deadLetter);
    const data: DeadLetterRecorded['data'] = { ...deadLetter, error: errorSummary(error), tries: MAX_TRIES };
    const context = processContext(deadLetter.runner, workspaceId, cause);
    const { events, revision } = await this.runner.run(deadLetterDecider, id, context, (state) =>
      recordDeadLetter(state, data),
    );
    if (events.length > 0) this.onDeadLetter(deadLetter.runner);
    return { id, stream: streamName(deadLetterDecider.category, id), revision };
  }

  /** When and where in the log the task was set aside; undefined if it is not. */
  async ofTask(itemId: string): Promise<Pick<LoadedState<unknown>, 'at' | 'position'> | undefined> {
    const loaded = await this.runner.load(deadLetterDecider, `${DUE_WORK}:${itemId}`);
    return loaded.state.status === 'set_aside' ? loaded : undefined;
  }

  async retry(deadLetter: DeadLetter, context: CommandContext): Promise<void> {
    await this.runner.run(deadLetterDecider, deadLetterId(deadLetter), context, retryItem);
  }
}

/** Without its message, which may quote personal data; only messages of our own classes are known to quote nothing. */
const errorSummary = (error: unknown): string => {
  if (!(error instanceof Error)) return 'a value that is not an error was thrown';
  if (SAFE_TO_QUOTE.some((safe) => error instanceof safe)) return shortened(`${error.name}: ${error.message}`);
  const throwSite = throwSiteOf(error);
  return shortened(throwSite === undefined ? error.name : `${error.name} ${throwSite}`);
};

const shortened = (text: string): string => text.slice(0, MAX_LENGTH);

/** The first line of the stack, `at <function> (<file>:<line>)`, without folders. */
const throwSiteOf = ({ stack = '', message }: Error): string | undefined => {
  const after = stack.indexOf(message) + message.length;
  const [, line] = /\n\s+(at [^\n]+)/.exec(stack.slice(after)) ?? [];
  return line?.replace(/(?:file:\/\/)?\/[^():]*\//g, '');
};
