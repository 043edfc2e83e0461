import fc from 'fast-check';
import type { LoggedCall, SandboxClient } from '../../apps/platform-sandbox/src/index.js';
import { hostileText } from '../support/hostile-texts.js';

/** The soak's requirements for an agency at the platform. */
export interface AgencyPlan {
  readonly id: string;
  readonly creators: number;
  /** How many of them have the longest lists and as many records as the contract allows. */
  readonly giants?: number;
  /** Leaks with random texts, few slots, and calls of which many are never answered. */
  readonly hangs?: boolean;
}

/** More than are used: the capacity is not what the soak is about. */
const SLOTS = 20_000;
/** Limits the enrollments of the hanging agency, each of which is refused and removed (D88). */
const FEW_SLOTS = 100;
const LEAKS = 12;
const GIANT = { aliases: 3_000, leaks: 20_000, records: 500, url: 2_000 };
const ALIAS_LENGTH = 160;
/** The share of calls that hang: enough for all of an agency's connections, while it is still verified and can enroll. */
const HANGING = 1 / 10;
const MOSTLY_HANGING = 1 / 2;
const MOST = [
  'listRoster',
  'getNativeCreator',
  'updateIdentity',
  'withdrawInvitation',
  'occupySlot',
  'releaseSlot',
  'listSlots',
  'listLeaks',
  'listImpersonations',
  'listActivity',
  'dispatchScan',
  'getScanJob',
];

/** Quotes take twice their length in JSON, and twice that where JSON is in JSON. */
const longAlias = (_: unknown, n: number): string => `${n} `.padEnd(ALIAS_LENGTH, '"');

export const populate = async (platform: SandboxClient, plans: readonly AgencyPlan[]): Promise<void> => {
  await platform.control('PATCH', '/settings', {
    scan_duration_ms: 1_500,
    deindex_step_ms: 1_000,
    onboard_after_ms: 8_000,
  });
  for (const { id, creators, giants = 0, hangs = false } of plans) {
    await platform.control('PATCH', `/agencies/${id}`, { total_slots: hangs ? FEW_SLOTS : SLOTS });
    const add = async (count: number, more: object) => {
      const path = `/agencies/${id}/creators`;
      return (await platform.control<{ user_ids: string[] }>('POST', path, { count, ...more })).user_ids;
    };
    const others = await add(creators - giants, { leaks_each: LEAKS });
    if (hangs) await addTexts(platform, others);
    const aliases = Array.from({ length: GIANT.aliases }, longAlias);
    for (const userId of giants === 0 ? [] : await add(giants, { aliases })) await addRecords(platform, userId);
  }
};

const addRecords = async (platform: SandboxClient, userId: string): Promise<void> => {
  const path = `/creators/${userId}`;
  const url = 'https://giant.example/'.padEnd(GIANT.url, 'x');
  const leaks = { count: GIANT.leaks, url };
  const { leak_ids } = await platform.control<{ leak_ids: string[] }>('POST', `${path}/leaks`, leaks);
  await platform.control('POST', `${path}/impersonations`, { count: GIANT.records, url });
  const activity = { leak_id: leak_ids[0], type: 'leak.status', count: GIANT.records };
  await platform.control('POST', `${path}/activity`, activity);
};

const addTexts = async (platform: SandboxClient, userIds: readonly string[]): Promise<void> => {
  for (const [n, text] of fc.sample(hostileText, { numRuns: userIds.length * LEAKS, seed: 1 }).entries()) {
    const leak = { url: n % 2 === 0 ? text : `https://leaks.example/${text}`, status: text };
    await platform.control('POST', `/creators/${userIds[n % userIds.length]}/leaks`, leak);
  }
};

export const hang = async (platform: SandboxClient, plans: readonly AgencyPlan[]): Promise<void> => {
  for (const { id } of plans.filter(({ hangs }) => hangs)) {
    const fault = { kind: 'hang', match: { agency_id: id } };
    for (const operation of MOST)
      await platform.control('POST', '/faults', { ...fault, operation, probability: MOSTLY_HANGING });
    await platform.control('POST', '/faults', { ...fault, operation: '*', probability: HANGING });
  }
};

/** Whether enough pages of each agency's roster were answered to show all of it. */
export const isRead = async (platform: SandboxClient, plans: readonly AgencyPlan[]): Promise<boolean> => {
  const { data } = await platform.control<{ data: LoggedCall[] }>('GET', '/calls?operation=listRoster');
  return plans.every(({ id, creators }) => {
    const pages = data.filter(({ path, status }) => status === 200 && path.startsWith(`/agencies/${id}/`));
    const shown = pages.reduce((sum, { path }) => sum + Number(/limit=(\d+)/.exec(path)?.[1] ?? 100), 0);
    return shown >= creators;
  });
};
