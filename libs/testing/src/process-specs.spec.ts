import { describe, expect, it } from '@jest/globals';
import { Command, type CommandBus } from '@nestjs/cqrs';
import { Reaction } from '#jobs';
import { type CommandContext, type DueOutcome, processContext, type StoredDueItem } from '#kernel';
import { givenDueItem } from './given-due-item.js';
import { givenEvents } from './given-events.js';
import { CAUSE, contextOfProcess, contextOfRound, WORKSPACE } from './process-contexts.js';

class CloseAccount extends Command<'closed'> {
  constructor(
    readonly account: string,
    readonly context: CommandContext,
  ) {
    super();
  }
}
class OpenAccount extends CloseAccount {}

type Left = { readonly type: 'left'; readonly data: { readonly account: string } };

class CloseAccounts extends Reaction<Left> {
  constructor(commands: CommandBus) {
    super('close-accounts', {
      left: ({ id, data, metadata: { correlationId, workspaceId } }) =>
        commands.execute(
          new CloseAccount(data.account, processContext('close-accounts', workspaceId, { id, correlationId })),
        ),
    });
  }
}

class Hasty extends Reaction<Left> {
  constructor(commands: CommandBus) {
    super('hasty', {
      left: async ({ data }) => {
        void commands.execute(new CloseAccount(data.account, contextOfProcess('hasty')));
      },
    });
  }
}

const left = (account: string) =>
  ({ stream: `member-${account}`, event: { type: 'left', data: { account } } }) as const;
const context = contextOfProcess('close-accounts');
const reacted = () => givenEvents((commands) => new CloseAccounts(commands), [left('1')]).when(left('2'));

describe('the spec of a reaction', () => {
  it('passes with exactly the commands for the last event', () =>
    reacted().thenCommands([new CloseAccount('2', context)]));

  it.each<[string, readonly CloseAccount[]]>([
    ['none', []],
    ['another command', [new OpenAccount('2', context)]],
    ['a command for another id', [new CloseAccount('1', context)]],
    ['a command with another cause', [new CloseAccount('2', { ...context, causationId: 'event-0' })]],
    ['one more command', [new CloseAccount('2', context), new CloseAccount('2', context)]],
  ])('fails if it expects %s', (_, expected) => expect(reacted().thenCommands(expected)).rejects.toThrow());

  it('fails if the reaction does not wait for its command', () =>
    expect(
      givenEvents((commands) => new Hasty(commands))
        .when(left('1'))
        .thenNothing(),
    ).rejects.toThrow('did not wait for its commands'));
});

describe('the spec of a due job', () => {
  const job = (commands: CommandBus) => ({
    kind: 'account',
    concurrency: 1,
    longestWait: 0,
    handle: async ({ kind, subject, workspaceId, cause }: StoredDueItem): Promise<DueOutcome> => {
      const result = await commands.execute(new CloseAccount(subject, processContext(kind, workspaceId, cause)));
      return result === 'closed' ? 'done' : 'idle';
    },
  });
  const handled = () => givenDueItem(job, '1').whenDue<'closed'>('closed');
  const ofItem = processContext('account', WORKSPACE, CAUSE);

  it('passes with exactly its command and outcome', () => handled().thenCommand(new CloseAccount('1', ofItem), 'done'));

  it.each<[string, CloseAccount, DueOutcome]>([
    ['another command', new OpenAccount('1', ofItem), 'done'],
    ['a command for another id', new CloseAccount('2', ofItem), 'done'],
    ['a command of a round', new CloseAccount('1', contextOfRound('account')), 'done'],
    ['another outcome', new CloseAccount('1', ofItem), 'idle'],
  ])('fails if it expects %s', (_, command, outcome) =>
    expect(handled().thenCommand(command, outcome)).rejects.toThrow(),
  );
});
