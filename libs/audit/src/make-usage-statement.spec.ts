import { beforeEach, expect, it } from '@jest/globals';
import type { CommandBus } from '@nestjs/cqrs';
import { agencyId, asLeader, CommandRunner, NotLeading, processContext, SECOND, StoreUnavailable } from '#kernel';
import { FakeClock, InMemoryDocumentStore, InMemoryEventLog, RecordingLogger, settled } from '#testing';
import { MakeUsageStatement, UsageStatements, usageContext } from '#usage';
import { WORKSPACE } from '../../testing/src/process-contexts.js';
import { MakeUsageStatementHandler } from './make-usage-statement.js';
import type { SignUsageStatement } from './sign-usage-statement.js';

const lumen = agencyId('ag_lumen');
const context = processContext('usageStatement', WORKSPACE, { id: 'event_1', correlationId: 'req_1' });

let clock: FakeClock;
let statements: UsageStatements;
let sign: (command: SignUsageStatement) => Promise<object>;
let handler: MakeUsageStatementHandler;

beforeEach(async () => {
  clock = new FakeClock(1_000);
  const documents = new InMemoryDocumentStore();
  await documents.ensure(usageContext.collections);
  statements = new UsageStatements(new CommandRunner(new InMemoryEventLog(), clock), documents, clock);
  const commands = { execute: (command: SignUsageStatement) => sign(command) } as unknown as CommandBus;
  handler = new MakeUsageStatementHandler(statements, commands, clock, new RecordingLogger());
  sign = async () => ({ signature: 's' });
  await statements.request(lumen, '2026-10', context);
});

const run = () => handler.execute(new MakeUsageStatement(lumen, context));
const shown = () => statements.find(lumen, '2026-10');

it('ends as made, and does nothing when it is repeated', async () => {
  expect(await run()).toBe('done');
  expect(await shown()).toMatchObject({ state: 'made', share: 1 });
  sign = () => Promise.reject(new Error('signed again'));
  expect(await run()).toBe('idle');
  expect(await shown()).toMatchObject({ state: 'made' });
});

it.each([
  ['failed, when it cannot be made', new Error('the log has no seal'), 'failed'],
  ['nothing, while a store cannot be reached', new StoreUnavailable('full'), 'pending'],
])('ends as %s', async (_, error, state) => {
  sign = () => Promise.reject(error);
  await (state === 'failed' ? run() : expect(run()).rejects.toBe(error));
  expect(await shown()).toMatchObject({ state });
});

it('is made one at a time, also of several agencies', async () => {
  const other = agencyId('ag_other');
  await statements.request(other, '2026-10', context);
  let underWay = 0;
  let most = 0;
  sign = async () => {
    most = Math.max(most, ++underWay);
    await settled();
    underWay--;
    return {};
  };
  await Promise.all([run(), handler.execute(new MakeUsageStatement(other, context))]);
  expect([most, (await shown())?.state, (await statements.find(other, '2026-10'))?.state]).toEqual([1, 'made', 'made']);
});

it('notes how much it has read, once a second', async () => {
  sign = async ({ onShare }) => {
    await onShare?.(0.1);
    clock.advance(SECOND);
    await onShare?.(0.2);
    await onShare?.(0.3);
    expect(await shown()).toMatchObject({ state: 'pending', share: 0.2 });
    return {};
  };
  await run();
});

it.each(['stops', 'no longer leads'])('breaks off for the next leader when the process %s', async (end) => {
  let isLeading = true;
  sign = async ({ onShare }) => {
    if (end === 'stops') handler.beforeApplicationShutdown();
    isLeading = false;
    await onShare?.(0.5);
    return {};
  };
  const check = () => {
    if (!isLeading && end !== 'stops') throw new NotLeading();
  };
  await expect(asLeader(check, run)).rejects.toThrow(NotLeading);
  expect(await shown()).toMatchObject({ state: 'pending' });
});
