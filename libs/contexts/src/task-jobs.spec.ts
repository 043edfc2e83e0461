import { expect, it } from '@jest/globals';
import { CASE_WALK } from '#creators';
import { type CommandContext, DAY, derivedId, type Instant, MINUTE, type OptionsOf, SECOND, taskOf } from '#kernel';
import { WalkMemberRecords } from '../../cases/src/application/walk-member-records.js';
import { CasesOptions } from '../../cases/src/cases.options.js';
import { CreatorsOptions } from '../../creators/src/application/access/creator-ports.js';
import { AdvanceEnrollment } from '../../creators/src/application/enrollment/advance-enrollment.js';
import { RecordAuthorizationLapse } from '../../creators/src/application/membership/observe-creator.js';
import { SynchronizeRoster } from '../../creators/src/application/membership/synchronize-roster.js';
import { SettleSlot } from '../../creators/src/application/protection/change-protection.js';
import { agency, mia } from '../../creators/src/domain/creator.fixtures.js';
import { AdvanceDeindexRequest } from '../../deindexing/src/application/advance-deindex-request.js';
import { AdvanceScan } from '../../scans/src/application/advance-scan.js';
import { ScansOptions } from '../../scans/src/application/ports.js';
import { CompleteScanAdmission } from '../../scans/src/application/queue-scan.js';
import { QueueScheduledScan } from '../../scans/src/application/queue-scheduled-scan.js';
import { CAUSE, contextOfProcess, contextOfRound, WORKSPACE } from '../../testing/src/process-contexts.js';
import { MakeUsageStatement } from '../../usage/src/application/usage-statements.js';
import { SendPing } from '../../webhooks/src/application/endpoint-test.js';
import { FailPendingDeliveries } from '../../webhooks/src/application/fail-pending-deliveries.js';
import { AdvanceReplay } from '../../webhooks/src/application/replays.js';
import { endpointId } from '../../webhooks/src/webhook.fixtures.js';
import { TASK_JOBS } from './index.js';

const DUE_AT: Instant = 3_000;
const PLANNED_FOR: Instant = 2_000;
const scanId = derivedId('scan', 'one');
const requestId = derivedId('deindexRequest', 'one');

/** A job, and an item of its kind. */
const due = (kind: string, subject: string) => {
  const job = TASK_JOBS[kind];
  if (job === undefined) throw new Error(`${kind} has no job`);
  const item = { ...taskOf(kind, subject, WORKSPACE, DUE_AT, CAUSE), position: 1, plannedFor: PLANNED_FOR };
  return { job, item };
};

/** Each command continues what the event of its item began; a round has its own correlation id. */
const COMMANDS: readonly [kind: string, subject: string, of: (context: CommandContext) => object, isRound?: 'round'][] =
  [
    ['admission', mia, (context) => new CompleteScanAdmission(mia, context)],
    ['scan', scanId, (context) => new AdvanceScan(scanId, context)],
    ['scheduledScan', mia, (context) => new QueueScheduledScan(mia, PLANNED_FOR, context), 'round'],
    ['deindex', requestId, (context) => new AdvanceDeindexRequest(requestId, context)],
    ['enrollment', mia, (context) => new AdvanceEnrollment(mia, WORKSPACE, DUE_AT, context)],
    ['slot', mia, (context) => new SettleSlot(mia, context)],
    ['rosterSync', agency, (context) => new SynchronizeRoster(agency, context), 'round'],
    ['authorizationEnd', mia, (context) => new RecordAuthorizationLapse(mia, context), 'round'],
    [CASE_WALK, mia, (context) => new WalkMemberRecords(mia, context), 'round'],
    ['disabledEndpoint', endpointId, (context) => new FailPendingDeliveries(endpointId, context)],
    ['webhookTest', endpointId, (context) => new SendPing(endpointId, context)],
    ['usageStatement', agency, (context) => new MakeUsageStatement(agency, context)],
    ['webhookReplay', endpointId, (context) => new AdvanceReplay(endpointId, context)],
  ];

it.each(COMMANDS)('executes the command of %s for an item that is due', (kind, subject, commandOf, isRound) => {
  const { job, item } = due(kind, subject);
  const context = isRound === undefined ? contextOfProcess(kind) : contextOfRound(kind);
  expect(job.command(item)).toStrictEqual(commandOf(context));
});

it('knows the command of each kind', () => {
  expect(COMMANDS.map(([kind]) => kind).toSorted()).toEqual(Object.keys(TASK_JOBS).toSorted());
});

const DEAD_LETTERS: readonly (readonly [kind: string, subject: string, of: (context: CommandContext) => object])[] = [
  ['admission', mia, (context) => new CompleteScanAdmission(mia, context, true)],
  ['scan', scanId, (context) => new AdvanceScan(scanId, context, true)],
  ['deindex', requestId, (context) => new AdvanceDeindexRequest(requestId, context, true)],
  ['enrollment', mia, (context) => new AdvanceEnrollment(mia, WORKSPACE, DUE_AT, context, true)],
];

it.each(DEAD_LETTERS)(
  'ends what %s is about when it was set aside, so that its creator is not blocked (D87)',
  (...row) => {
    const [kind, subject, commandOf] = row;
    const { job, item } = due(kind, subject);
    expect(job.command({ ...item, isSetAside: true })).toStrictEqual(commandOf(contextOfProcess(kind)));
  },
);

it('lets items of the other kinds rest when they were set aside', () => {
  const ending = Object.entries(TASK_JOBS).filter(([, { endsDeadLetters }]) => endsDeadLetters);
  expect(ending.map(([kind]) => kind).toSorted()).toEqual(DEAD_LETTERS.map(([kind]) => kind).toSorted());
});

const OPTIONS = new Map<unknown, object>([
  [ScansOptions, { scheduleEvery: DAY, pollEvery: 5 * SECOND }],
  [CasesOptions, { walkEvery: 15 * MINUTE }],
  [CreatorsOptions, { syncEvery: 20 * MINUTE }],
]);
const optionsOf: OptionsOf = (token) => Object.assign(Object.create(token.prototype), OPTIONS.get(token));

it('plans no look later than the longest wait of its kind', () => {
  const waits = Object.entries(TASK_JOBS).map(([kind, { longestWait: wait }]) => {
    const longest = typeof wait === 'number' ? wait : wait(optionsOf);
    return [kind, longest / MINUTE];
  });
  expect(Object.fromEntries(waits)).toEqual({
    admission: 1,
    scan: 1 / 12,
    scheduledScan: 1_440,
    deindex: 1_440,
    enrollment: 1_440,
    slot: 1,
    rosterSync: 20,
    authorizationEnd: Infinity,
    caseWalk: 15,
    disabledEndpoint: 1,
    webhookTest: 1,
    usageStatement: 60,
    webhookReplay: 1,
  });
});
