import { expect, test } from '@jest/globals';
import { type AgencyId, derivedId, derivedUuid, newEventId, streamName } from '#kernel';
import type { Agency } from '../support/agency.js';
import { type Exchange, refusedFields } from '../support/exchange.js';
import { findingIn } from '../support/findings.js';
import { startService } from '../support/start-service.js';

const service = await startService();
const { log } = service.services;

type Send = (key: string) => Promise<Exchange>;

/** As if a build without D96 had accepted the request under another key. */
const acceptedUnder = async (category: string, from: string, to: string) => {
  const events = await log.readStream(streamName(category, from));
  const copies = events.map(({ type, data, metadata }) => ({
    id: newEventId(),
    type,
    data: JSON.parse(JSON.stringify(data).replaceAll(from, to)),
    metadata,
  }));
  await log.append(streamName(category, to), 'none', copies);
};

const scan = async (): Promise<[Agency, Send]> => {
  const agency = await service.agency();
  const { id } = await agency.active();
  return [agency, (key) => agency.api.queueScan(id, key)];
};

const deindexing = async (): Promise<[Agency, Send]> => {
  const { agency, found } = await findingIn(service);
  return [agency, (key) => agency.api.requestDeindex(found.id, key)];
};

const report = async (): Promise<[Agency, Send]> => {
  const agency = await service.agency();
  const { id } = await agency.linked();
  return [agency, (key) => agency.api.reportImpersonation(id, 'https://www.instagram.com/not_ivy', key)];
};

const resend = async (): Promise<[Agency, Send]> => {
  const agency = await service.agency();
  const { id } = await agency.invited();
  await service.pass(60_000);
  return [agency, (key) => agency.api.resendInvitation(id, key)];
};

test.each([
  ['scan', scan, (agency: AgencyId, key: string) => derivedId('scan', agency, 'manual', key)],
  ['deindexRequest', deindexing, (agency: AgencyId, key: string) => derivedId('deindexRequest', agency, key)],
  ['impersonationReport', report, (agency: AgencyId, key: string) => derivedUuid('impersonationReport', agency, key)],
  ['invitationResend', resend, (agency: AgencyId, key: string) => derivedUuid('invitationResend', agency, key)],
] as const)(
  '%s: a new request refuses a key that nobody can see, a repeat does not (D96, D98)',
  async (category, given, idOf) => {
    const [agency, send] = await given();
    for (const key of ['\u200b', '\u3164', '\u2800 \u2800']) {
      expect([key, refusedFields(await send(key))]).toEqual([key, ['Idempotency-Key']]);
    }
    const accepted = await send('k');
    expect(accepted.status).toBeLessThan(300);
    await acceptedUnder(category, idOf(agency.id, 'k'), idOf(agency.id, '\u3164'));
    expect((await send('\u3164')).outcome).toBe('200');
  },
);
