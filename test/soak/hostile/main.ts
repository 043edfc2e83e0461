import { Random } from '../../crash/support/random.js';
import { sendToParent, settingsOf } from '../../support/child-process.js';
import type { Account } from '../api-client.js';
import { type AnswerReport, Answers } from '../latencies.js';
import { atRandomMoments, memberReads } from '../pace.js';
import type { PlatformReady } from '../platform/main.js';
import { HeldConnections } from './connections.js';
import { DashboardMember } from './dashboard-member.js';
import { HangingAgency } from './hanging-agency.js';
import { LargeAgency } from './large-agency.js';

export interface HostileRun {
  readonly url: string;
  readonly accounts: readonly (Account & { readonly hangs: boolean })[];
  readonly platform: PlatformReady;
  /** Requests of each agency: beyond its allowance. */
  readonly perMinute: number;
  readonly ms: number;
}

export interface HostileReport extends AnswerReport {
  /** How many connections were opened to be held. */
  readonly held: number;
}

/** Requests of one agency that wait for a connection or an answer, of up to 3 MB each. More would fill this process. */
const MAX_UNDER_WAY = 256;
/** More than a session may send. */
const READS_PER_MINUTE = 700;
const MAX_READS_UNDER_WAY = 32;

const { url, accounts, platform, perMinute, ms } = await settingsOf<HostileRun>();
const answers = new Answers();
const agencies = accounts.map((account, n) => {
  const random = new Random(1_000 + n);
  return account.hangs
    ? new HangingAgency(url, account, random, answers)
    : new LargeAgency(url, account, random, answers, new Answers());
});
const members = await DashboardMember.signedIn(url, platform, accounts[0]?.agencyId ?? '', answers);
const connections = new HeldConnections(Number(new URL(url).port), accounts[0]?.secret ?? '');
const actOf = (member: DashboardMember) => async () => memberReads(Date.now()) && member.act();
sendToParent({});
connections.open();
const over = AbortSignal.timeout(ms);
await Promise.all([
  ...agencies.map((agency, n) =>
    atRandomMoments(perMinute, new Random(2_000 + n), over, () => agency.act(), MAX_UNDER_WAY),
  ),
  ...members.map((member, n) =>
    atRandomMoments(READS_PER_MINUTE, new Random(3_000 + n), over, actOf(member), MAX_READS_UNDER_WAY),
  ),
]);
connections.close();
process.once('message', () => sendToParent({ ...answers.report, held: connections.opened } satisfies HostileReport));
