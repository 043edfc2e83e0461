import {
  type Cause,
  type CommandContext,
  type CommandRunner,
  DomainError,
  InvalidAppend,
  type LoadedState,
  PersonalDataUnreadable,
  processContext,
  type RecordedEvent,
  streamName,
} from '#kernel';
import {
  type DeadLetter,
  type DeadLetterRecorded,
  deadLetterDecider,
  deadLetterId,
  deadLetterIdOfTask,
  recordDeadLetter,
  retryItem,
} from './dead-letter.js';

/** The number of tries after which something is set aside (D67). */
export const MAX_TRIES = 3;
const MAX_LENGTH = 300;
const SAFE_TO_QUOTE = [DomainError, InvalidAppend, PersonalDataUnreadable];

export class DeadLetters {
  constructor(
    private readonly runner: Pick<CommandRunner, 'run' | 'load'>,
    private readonly onDeadLetter: (runner: string) => void = () => undefined,
  ) {}

  /** Returns the event that records it, also if that was recorded before. */
  async record(
    deadLetter: DeadLetter,
    error: unknown,
    { workspaceId, ...cause }: Cause & Pick<CommandContext, 'workspaceId'>,
  ): Promise<RecordedEvent<DeadLetterRecorded>> {
    const id = deadLetterId(deadLetter);
    const data: DeadLetterRecorded['data'] = { ...deadLetter, error: errorSummary(error), tries: MAX_TRIES };
    const context = processContext(deadLetter.runner, workspaceId, cause);
    const decided = await this.runner.run(deadLetterDecider, id, context, (state) => recordDeadLetter(state, data));
    if (decided.events.length > 0) this.onDeadLetter(deadLetter.runner);
    const { state, revision, position, at } = decided;
    const { actor, correlationId, causationId } = context;
    return {
      type: 'setAside.setAside.v1',
      data: state.status === 'set_aside' ? state.data : data,
      id: decided.cause?.id ?? id,
      stream: streamName(deadLetterDecider.category, id),
      revision,
      position,
      metadata: { at, actor, correlationId, causationId, workspaceId },
    };
  }

  /** When and where in the log the due item was set aside; undefined if it is not. */
  async ofTask(itemId: string): Promise<Pick<LoadedState<unknown>, 'at' | 'position'> | undefined> {
    const loaded = await this.runner.load(deadLetterDecider, deadLetterIdOfTask(itemId));
    return loaded.state.status === 'set_aside' ? loaded : undefined;
  }

  /** Does nothing if the item is not set aside. */
  async retry(deadLetter: DeadLetter, context: CommandContext): Promise<void> {
    await this.runner.run(deadLetterDecider, deadLetterId(deadLetter), context, retryItem);
  }
}

/** Without its message, which may quote personal data; only messages of our own classes are known to quote nothing. */
const errorSummary = (error: unknown): string => {
  if (!(error instanceof Error)) return 'a value that is no error was thrown';
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
