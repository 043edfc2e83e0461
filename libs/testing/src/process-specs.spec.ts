import { describe, expect, it } from '@jest/globals';
import { Command, type CommandBus } from '@nestjs/cqrs';
import { Reaction } from '#jobs';
import { type CommandContext, processContext } from '#kernel';
import { givenEvents } from './given-events.js';
import { contextOfProcess } from './process-contexts.js';

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
