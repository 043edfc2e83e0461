import type { EventBody } from '../support/agency-client.js';
import { differences } from './platform-judge.js';
import type { Evidence } from './service-judge.js';
import type { Subject } from './subject.js';

/** Whether the feed has each event once, and in an order that makes sense. */
export const judgeFeed = ({ feed, scans, cases }: Evidence, subjects: readonly Subject[]): string[] => {
  const ofType = (...types: string[]) => feed.filter(({ type }) => types.includes(type));
  const ended = [...scans.values()].filter(({ status }) => status === 'completed' || status === 'failed');
  return [
    ...twice(feed.map(({ id }) => id)),
    ...differences(
      'scan ended',
      ended.map(({ id, status }) => `scan.${status} ${id}`),
      ofType('scan.completed', 'scan.failed').map(({ type, data }) => `${type} ${data.scan_id}`),
    ),
    ...twice(ofType('case.created').map(({ data }) => `case.created ${data.case_id}`)),
    ...findingsAfterCompletion(feed, cases),
    ...subjects.flatMap((subject) => judgeCreator(feed, subject)),
  ];
};

const judgeCreator = (feed: readonly EventBody[], { id, externalId, changes }: Subject): string[] => {
  const published = feed.filter(({ data }) => data.creator_id === id);
  const protection = published.filter(({ type }) => type.startsWith('protection.')).map(({ type }) => type);
  const inTurn = protection.every((type, at) => type === (at % 2 === 0 ? 'protection.activated' : 'protection.paused'));
  return [
    ...(published.some(({ type }) => type === 'creator.updated') ? [] : [`${externalId}: no creator.updated`]),
    ...(inTurn ? [] : [`${externalId}: ${protection.join(', ')}`]),
    ...(protection.length === changes ? [] : [`${externalId}: ${protection.length} protection events, not ${changes}`]),
  ];
};

/** D48: when scan.completed is published, the findings of the scan have been published before. */
const findingsAfterCompletion = (feed: readonly EventBody[], cases: Evidence['cases']): string[] => {
  const completedAt = new Map<string | undefined, number>();
  const firstToldAt = new Map<string, number>();
  for (const [at, { type, data }] of feed.entries()) {
    if (type === 'scan.completed') completedAt.set(data.scan_id, at);
    const finding = `${data.case_id} ${data.scan_id}`;
    if (data.case_id !== undefined && !firstToldAt.has(finding)) firstToldAt.set(finding, at);
  }
  return [...cases.values()].flat().flatMap(({ id, scan_id }) => {
    if (scan_id === null) return [];
    const isInTime = (firstToldAt.get(`${id} ${scan_id}`) ?? feed.length) < (completedAt.get(scan_id) ?? feed.length);
    return isInTime ? [] : [`${id} of ${scan_id} was published after its completion`];
  });
};

/** Milliseconds of active schedule time up to then, as the feed's protection events have it (D44). */
export const activeTime = (feed: readonly EventBody[], through: number): number => {
  let total = 0;
  for (const { type, created_at } of feed) {
    if (type === 'protection.activated') total += through - created_at;
    if (type === 'protection.paused') total -= through - created_at;
  }
  return total;
};

export const twice = (each: readonly string[]): string[] =>
  each.filter((one, at) => each.indexOf(one) !== at).map((one) => `${one}: twice`);
