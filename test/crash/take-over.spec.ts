import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { judgeCalls } from './kill/platform-judge.js';
import { type AgencyClient, ok } from './support/agency-client.js';
import { activated, invitation } from './support/creators.js';
import type { AppProcess } from './support/processes.js';
import { Stage } from './support/stage.js';
import { until, untilNothingOpen } from './support/until.js';

const SCANS = 6;
const TIMEOUT = 40_000;

/** How long calls are held at the platform, in milliseconds: long enough to be seen under way on a crowded machine. */
const HELD = 3_000;
/** Who makes a call that is held waits for it; who comes after looks only later whether it has arrived. */
const WAITS = HELD + 1_000;

describe('a worker that is killed', () => {
  let stage: Stage;
  let workspaceId: string;
  let client: AgencyClient;
  let doomed: AppProcess;

  beforeAll(async () => {
    stage = await Stage.open({ PROVIDER_TIMEOUT: `${WAITS}ms` });
    await stage.agency({ total_slots: 100 });
    const account = await stage.openAccount();
    workspaceId = account.workspaceId;
    const api = stage.start('api');
    doomed = stage.start('worker');
    client = stage.client(await api.ready(), account.secret);
    await doomed.ready();
  }, 60_000);

  afterEach(() => stage.heal());
  afterAll(() => stage.close());

  const creatorsOn = async (): Promise<string[]> => {
    const userIds = await stage.members(SCANS);
    return Promise.all(userIds.map((userId) => activated(client, workspaceId, userId)));
  };

  const queueAll = async (creatorIds: readonly string[]): Promise<string[]> => {
    const answers = await Promise.all(creatorIds.map((id) => client.queueScan(id, `taken over ${id}`)));
    return answers.map((answer) => ok(answer, 202).id);
  };

  const allCompleted = (scanIds: readonly string[]): Promise<void> =>
    untilNothingOpen(async () => {
      const scans = await Promise.all(scanIds.map(async (id) => ok(await client.scan(id))));
      return scans.filter(({ status }) => status !== 'completed').map(({ id, status }) => `${id} is ${status}`);
    }, TIMEOUT);

  const callsUnderWay = async (operation: string) =>
    (await stage.calls(`?operation=${operation}`)).filter(({ status }) => status === null).length;

  /** Another worker, which takes nothing before the first one is killed. */
  const standBy = async (): Promise<AppProcess> => {
    const standby = stage.start('worker');
    await standby.ready();
    await stage.pause(standby);
    return standby;
  };

  /** Kills the one worker, while another is ready or comes later; says how long it took until all was done. */
  const succeed = async (what: string, finish: () => Promise<void>, standby?: AppProcess): Promise<void> => {
    await doomed.kill();
    const began = performance.now();
    standby?.goOn();
    doomed = standby ?? stage.start('worker');
    await finish();
    process.stdout.write(`${what}: done ${Math.round(performance.now() - began)} ms after the kill\n`);
    expect(judgeCalls(await stage.calls())).toEqual([]);
  };

  test('while it calls the engine, whose calls have arrived: another sees them through, each once', async () => {
    const [creatorIds, standby] = [await creatorsOn(), await standBy()];
    await stage.fault({ operation: 'dispatchScan', kind: 'delay', delay_ms: HELD, effect: 'after', times: SCANS });
    const scanIds = await queueAll(creatorIds);
    await until('calls are under way', async () => (await callsUnderWay('dispatchScan')) >= 2);
    await succeed('calls under way', () => allCompleted(scanIds), standby);
    const { scan_jobs } = await stage.effects();
    expect(scanIds.map((id) => scan_jobs[id])).toEqual(scanIds.map(() => 1));
  }, 60_000);

  test('while it calls the engine, whose calls have not arrived: the next one repeats them, each once', async () => {
    const creatorIds = await creatorsOn();
    await stage.fault({ operation: 'dispatchScan', kind: 'close_before', times: SCANS });
    await stage.fault({ operation: 'dispatchScan', kind: 'delay', delay_ms: HELD, times: SCANS });
    const scanIds = await queueAll(creatorIds);
    await until('calls are under way', async () => (await callsUnderWay('dispatchScan')) >= 2);
    await succeed('lost calls', () => allCompleted(scanIds));
    const { scan_jobs } = await stage.effects();
    expect(scanIds.map((id) => scan_jobs[id])).toEqual(scanIds.map(() => 1));
  }, 60_000);

  test('while it follows jobs: another says that they are complete, with their findings, once', async () => {
    await stage.platform.control('PATCH', '/settings', { scan_duration_ms: 6_000 });
    const [creatorIds, standby] = [await creatorsOn(), await standBy()];
    const scanIds = await queueAll(creatorIds);
    await until('they run', async () => {
      const scans = await Promise.all(scanIds.map(async (id) => ok(await client.scan(id)).status));
      // On a crowded machine some may be complete before the last one begins.
      return scans.includes('running') && scans.every((status) => status === 'running' || status === 'completed');
    });
    await succeed('running jobs', () => allCompleted(scanIds), standby);
    await until(
      'their completions are published',
      async () => (await completions()).filter((id) => scanIds.includes(id)).length >= SCANS,
    );
    expect((await completions()).filter((id) => scanIds.includes(id)).toSorted()).toEqual(scanIds.toSorted());
    await stage.platform.control('PATCH', '/settings', { scan_duration_ms: 200 });
  }, 60_000);

  test('while an invitation is uncertain: another settles it, and no second mail is sent', async () => {
    const standby = await standBy();
    await stage.fault({ operation: 'invite', kind: 'close_after', times: 1 });
    // The worker that looks for it is killed while it looks.
    await stage.fault({ operation: 'findInvitation', kind: 'delay', delay_ms: HELD, times: 1 });
    const { id, enrollment_status } = ok(await client.enroll(invitation(workspaceId)), 201);
    expect(enrollment_status).toBe('uncertain');
    await until('it is looked for', async () => (await callsUnderWay('findInvitation')) === 1);
    const settled = () => until('it is settled', async () => (await stepsOf(id)).includes('invited'), TIMEOUT);
    await succeed('uncertain invitation', settled, standby);
    expect((await stage.effects()).mails[id]).toBe(1);
  }, 60_000);

  const feed = () => client.events();

  const completions = async (): Promise<string[]> =>
    (await feed()).flatMap(({ type, data }) => (type === 'scan.completed' ? [data.scan_id ?? ''] : []));

  /** The outcome of the enrollment in the feed; the creator is not read, because that would settle it. */
  const stepsOf = async (creatorId: string): Promise<string[]> =>
    (await feed()).flatMap(({ data }) => (data.creator?.id === creatorId ? [data.creator.enrollment_status] : []));
});
