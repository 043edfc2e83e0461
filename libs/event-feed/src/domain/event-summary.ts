import type { PublicEventType } from './public-event.js';

/** The fields that summaries read. Events of earlier versions may lack some. */
interface EventData {
  readonly status?: string;
  readonly reason?: string;
  readonly case?: { readonly url: string };
  readonly impersonation?: { readonly platform: string; readonly username: string };
  readonly creator?: { readonly enrollment_status: string; readonly eligible: boolean };
  readonly removal_verified?: boolean;
}

const plain = (code = 'unknown'): string => code.replaceAll('_', ' ');
const because = ({ reason }: EventData): string => (reason === undefined ? '' : `: ${plain(reason)}`);
const finding = (data: EventData): string => data.case?.url.replace(/^https?:\/\//, '') || 'a case';
const account = ({ impersonation: found }: EventData): string =>
  found === undefined ? 'an account' : `${found.username} on ${found.platform}`;

const SUMMARIES: Readonly<Record<PublicEventType, (data: EventData) => string>> = {
  'protection.activated': (data) => `Protection started${because(data)}`,
  'protection.paused': (data) => `Protection stopped${because(data)}`,
  'scan.completed': () => 'A scan finished',
  'scan.failed': (data) => `A scan failed${because(data)}`,
  'creator.updated': ({ creator }) =>
    `Now ${plain(creator?.enrollment_status)}, ${creator?.eligible ? 'eligible' : 'not eligible'}`,
  'case.created': (data) => `Found ${finding(data)}`,
  'case.updated': (data) => `${data.status ?? 'Changed'}: ${finding(data)}`,
  'case.deleted': () => 'The platform no longer shows a case',
  'deindex.status_changed': (data) =>
    `Deindex request ${plain(data.status)}${data.removal_verified ? ', removal verified' : ''}`,
  'impersonation.created': (data) => `Found ${account(data)}`,
  'impersonation.updated': (data) => `${data.status ?? 'Changed'}: ${account(data)}`,
  'impersonation.deleted': () => 'The platform no longer shows an impersonation',
};

/** Says in one line what happened, from the event's own data. */
export const eventSummary = (type: PublicEventType, bytes: string): string =>
  SUMMARIES[type]((JSON.parse(bytes) as { readonly data: EventData }).data);
