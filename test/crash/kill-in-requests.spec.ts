import { randomInt } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Effects } from '../../apps/platform-sandbox/src/index.js';
import { differences, judgeCalls } from './kill/platform-judge.js';
import { type AgencyClient, type Answer, ok } from './support/agency-client.js';
import { activated, invitation } from './support/creators.js';
import { Random } from './support/random.js';
import { Stage } from './support/stage.js';
import { until, untilNothingOpen } from './support/until.js';

const SEED = Number(process.env.CRASH_SEED ?? randomInt(2 ** 31));
const KILLS = 7;
/** New requests of each kind before each kill. */
const EACH = 3;
const PER_KIND = KILLS * EACH;
const TIMEOUT = 60_000;

const REPEATABLE: ReadonlySet<number> = new Set([502, 503, 504]);

/** A request that is sent again as it was until it is acknowledged, and what was answered then. */
interface Effort {
  readonly kind: 'deindex' | 'resend' | 'remove' | 'report';
  readonly subject: string;
  send(client: AgencyClient): Promise<Answer<{ readonly id: string }>>;
  id?: string;
}

const random = new Random(SEED);
const say = (text: string) => process.stdout.write(`${text}\n`);

describe('a process that is killed during deindex requests, resends, removals and impersonation reports', () => {
  let stage: Stage;
  let client: AgencyClient;
  let effects: Effects;
  const efforts: Effort[] = [];
  const open = new Set<Effort>();
  const complaints: string[] = [];
  const unanswered: number[] = [];

  /** Sends it once; counts where no answer came. */
  const attempt = async (effort: Effort): Promise<boolean> => {
    const answer = await effort.send(client).catch(() => undefined);
    if (answer === undefined) return false;
    if (REPEATABLE.has(answer.status)) return true;
    const { id } = answer.body;
    if (answer.status > 202) complaints.push(`${effort.kind}: ${answer.status} ${JSON.stringify(answer.body)}`);
    if (effort.id !== undefined && effort.id !== id) complaints.push(`${effort.kind}: was ${effort.id}, is ${id}`);
    effort.id = id;
    open.delete(effort);
    return true;
  };

  const ids = (kind: Effort['kind']) => efforts.filter((effort) => effort.kind === kind).map(({ id }) => id);
  const once = (what: string, counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).flatMap(([reference, count]) =>
      count === 1 ? [] : [`${what} ${reference}: ${count} times`],
    );

  beforeAll(async () => {
    say(`kill -9 within requests: CRASH_SEED=${SEED}`);
    stage = await Stage.open();
    await stage.agency({ total_slots: 200 });
    const { workspaceId, secret } = await stage.openAccount();
    const serve = async () => {
      const standalone = stage.start('standalone');
      client = stage.client(await standalone.ready(), secret);
      return standalone;
    };
    let standalone = await serve();
    const ready = await prepare(stage, client, workspaceId);
    for (const operation of ['submitDeindex', 'resendInvitation', 'withdrawInvitation', 'reportImpersonation']) {
      await stage.fault({ operation, kind: 'delay', delay_ms: Math.round(random.between(30, 150)) });
      await stage.fault({ operation, kind: 'delay', delay_ms: Math.round(random.between(30, 150)), effect: 'after' });
    }
    for (let kill = 0; kill < KILLS; kill++) {
      const begun = ready.splice(0, EACH).flat();
      efforts.push(...begun);
      for (const effort of begun) open.add(effort);
      const asked = [...open].map(attempt);
      const sent = Promise.all(asked);
      // No later than with a quarter of them still to be answered, however fast it is.
      await Promise.race([delay(random.between(50, 1_000)), most(asked)]);
      await standalone.kill();
      unanswered.push((await sent).filter((isAnswered) => !isAnswered).length);
      standalone = await serve();
    }
    await stage.heal();
    await untilNothingOpen(async () => {
      await Promise.all([...open].map(attempt));
      return [...open].map(({ kind, subject }) => `${kind} ${subject}`);
    }, TIMEOUT);
    // Nobody reads them, which would look them up.
    await until(
      'all deindex requests are dispatched',
      async () => Object.keys((await stage.effects()).submissions).length >= PER_KIND,
      TIMEOUT,
    );
    effects = await stage.effects();
  }, 240_000);

  afterAll(() => stage.close());

  test('most kills came while requests were under way, and all were answered as the specification says', () => {
    say(`  ${unanswered.join(', ')} requests were never answered`);
    expect(complaints).toEqual([]);
    expect(unanswered.filter((count) => count > 0).length).toBeGreaterThan(KILLS / 2);
    expect(efforts.length).toBe(4 * PER_KIND);
  });

  test('the platform saw each key with one body, and one call at a time', async () => {
    expect(judgeCalls(await stage.calls())).toEqual([]);
  });

  test('each deindex request was submitted once', () => {
    expect(once('submission', effects.submissions)).toEqual([]);
    expect(differences('submitted', ids('deindex'), Object.keys(effects.submissions))).toEqual([]);
  });

  test('each impersonation was reported once', () => {
    expect(once('report', effects.impersonations)).toEqual([]);
    expect(Object.keys(effects.impersonations).length).toBe(PER_KIND);
    expect(new Set(ids('report')).size).toBe(PER_KIND);
  });

  test('each invitation that was sent again was sent once more, and no other', () => {
    expect(once('mail', effects.mails)).toEqual([]);
    const twice = Object.entries(effects.mails_by_invitation).filter(([, count]) => count !== 1);
    expect(
      differences(
        'sent again',
        ids('resend'),
        twice.map(([id]) => id),
      ),
    ).toEqual([]);
    expect(new Set(twice.map(([, count]) => count))).toEqual(new Set([2]));
  });

  test('each removed creator was withdrawn once, and is shown as cancelled', async () => {
    expect(once('withdrawal', effects.withdrawals)).toEqual([]);
    expect(differences('withdrawn', ids('remove'), Object.keys(effects.withdrawals))).toEqual([]);
    const shown = await Promise.all(ids('remove').map(async (id) => ok(await client.creator(id ?? ''))));
    expect(new Set(shown.map(({ enrollment_status }) => enrollment_status))).toEqual(new Set(['cancelled']));
  });

  test('the same again is 200 with the same resource, and has no effect', async () => {
    for (const effort of efforts) {
      const { status, body } = await effort.send(client);
      expect([effort.kind, status, body.id]).toEqual([effort.kind, 200, effort.id]);
    }
    expect(await stage.effects()).toEqual(effects);
  });
});

/** Resolves when three quarters of them have ended. */
const most = async (all: readonly Promise<unknown>[]): Promise<void> => {
  let left = Math.ceil(all.length * 0.75);
  await new Promise<void>((resolve) => {
    for (const each of all) void each.then(() => --left === 0 && resolve());
  });
};

/** Prepares rows of requests; each row has one request of every kind. */
const prepare = async (stage: Stage, client: AgencyClient, workspaceId: string): Promise<Effort[][]> => {
  const [userId = ''] = await stage.members(1);
  const creatorId = await activated(client, workspaceId, userId);
  const scan = ok(await client.queueScan(creatorId, 'finds them'), 202);
  await until('the scan is over', async () => ok(await client.scan(scan.id)).status === 'completed');
  const { svc_job_id } = ok(await client.scan(scan.id));
  await stage.platform.control('POST', `/creators/${userId}/leaks`, { count: PER_KIND, job_id: svc_job_id });
  const cases = (await client.cases(creatorId)).filter(({ scan_id }) => scan_id !== null);
  const invite = async () => ok(await client.enroll(invitation(workspaceId)), 201).id;
  const rows: Effort[][] = [];
  for (const { id: caseId } of cases.slice(0, PER_KIND)) {
    const [resent, removed, key] = [await invite(), await invite(), `key ${caseId}`];
    const url = `https://www.instagram.com/not_her_${rows.length}`;
    rows.push([
      { kind: 'deindex', subject: caseId, send: (to) => to.requestDeindex(caseId, key) },
      { kind: 'resend', subject: resent, send: (to) => to.resendInvitation(resent, key) },
      { kind: 'remove', subject: removed, send: (to) => to.remove(removed) },
      { kind: 'report', subject: url, send: (to) => to.reportImpersonation(creatorId, url, key) },
    ]);
  }
  return rows;
};
