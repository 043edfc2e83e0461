import { DAY, MINUTE, SECOND, StoreUnavailable } from '#kernel';
import { RequestReplay } from '#webhooks';
import type { Agency } from '../../support/agency.js';
import { bodyOf } from '../../support/api-client.js';
import { operator } from '../../support/operator.js';
import { Receiver } from '../../support/receiver.js';
import type { Case, DeindexRequest } from '../../support/resources.js';
import type { Service } from '../../support/service.js';

export interface DueScenario {
  readonly kind: string;
  /** What the item of that kind does, each time that it is claimed while the scenario runs. */
  readonly steps: readonly string[];
  /** Does what has to be there first; returns the id of what the item is about, where that is known, and what makes it due. */
  prepare(agency: Agency, service: Service): Promise<{ readonly subject: () => string; run(): Promise<unknown> }>;
}

const known = (subject: string, run: () => Promise<unknown>) => ({ subject: () => subject, run });

const finding = async (agency: Agency): Promise<Case> => {
  const creator = await agency.active();
  const { id, svc_job_id } = await agency.scanThatIs('completed', (await agency.scan(creator.id)).id);
  await agency.leaks(creator.userId, 1, { job_id: svc_job_id });
  const found = (await agency.api.cases(creator.id)).find(({ scan_id }) => scan_id === id);
  if (found === undefined) throw new Error('the scan has found nothing');
  return found;
};

const listening = async (agency: Agency, status = 200) => {
  const receiver = await Receiver.start();
  receiver.answers(status);
  return agency.endpoint(receiver.url);
};

export const DUE_WORK: readonly DueScenario[] = [
  {
    kind: 'scan',
    steps: ['dispatched', 'started', 'unchanged', 'completed with 2 findings'],
    async prepare(agency, service) {
      const { id } = await agency.active();
      let scanId = '';
      const run = async () => {
        scanId = (await agency.scan(id)).id;
        await service.quiet();
        await service.pass(SECOND);
        await service.pass(SECOND);
        await service.pass(2 * SECOND);
      };
      return { subject: () => scanId, run };
    },
  },
  {
    kind: 'admission',
    steps: ['begins the scan that a crash left out'],
    async prepare(agency, service) {
      const { id } = await agency.active();
      return known(id, async () => {
        const { log } = service.services;
        const append = log.append.bind(log);
        log.append = async (stream, ...given) => {
          if (stream.startsWith('scan-')) throw new StoreUnavailable('crashed');
          return append(stream, ...given);
        };
        await agency.api.queueScan(id, 'crashes');
        log.append = append;
        await service.pass(10 * SECOND);
      });
    },
  },
  {
    kind: 'scheduledScan',
    steps: ['queues a scan'],
    async prepare(agency, service) {
      const { id } = await agency.active();
      await service.quiet();
      return known(id, () => service.pass(DAY));
    },
  },
  {
    kind: 'enrollment',
    steps: ['an invitation on its way', 'one whose invitee is onboarded', 'enrolled'],
    async prepare(agency, service) {
      const { id } = await agency.invited();
      return known(id, async () => {
        await service.pass(30 * SECOND);
        // The roster is read every five minutes: not at the time at which the invitation is looked up again.
        await service.pass(5 * MINUTE - 15 * SECOND);
        await service.platform.control('POST', `/invitations/${id}/onboard`, {});
        await service.pass(15 * SECOND);
      });
    },
  },
  {
    kind: 'slot',
    steps: ['gives back a slot'],
    async prepare(agency, service) {
      const { id } = await agency.active();
      await service.platform.fault({ operation: 'releaseSlot', kind: 'close_before', times: 1 });
      await agency.api.protect(id, 'paused');
      return known(id, () => service.pass(SECOND));
    },
  },
  {
    kind: 'authorizationEnd',
    steps: ['records that the mandate has ended'],
    async prepare(agency, service) {
      const expires_at = new Date(service.clock.now() + MINUTE).toISOString();
      const { id } = await agency.linked({ authorization: { approved: true, status: 'approved', expires_at } });
      return known(id, () => service.pass(MINUTE));
    },
  },
  {
    kind: 'caseWalk',
    steps: ['2 new leaks and 2 new impersonations', 'unchanged'],
    async prepare(agency, service) {
      const { id, userId } = await agency.linked();
      await agency.leaks(userId, 2);
      await agency.impersonations(userId, 2);
      return known(id, async () => {
        await service.pass(SECOND);
        // The list of left-out records is read again after ten minutes, by whichever walk is first: here the roster's.
        await service.pass(10 * MINUTE);
        await service.pass(5 * MINUTE);
      });
    },
  },
  {
    kind: 'rosterSync',
    steps: ['2 unchanged members', '1 changed member of 2'],
    async prepare(agency, service) {
      const [first] = await agency.users(2);
      await agency.api.roster();
      return known(agency.id, async () => {
        await service.pass(5 * MINUTE);
        await agency.changeUser(String(first), { display_name: 'Ivy Valley' });
        await service.pass(5 * MINUTE);
      });
    },
  },
  {
    kind: 'deindex',
    steps: ['dispatched', 'unchanged', 'completed'],
    async prepare(agency, service) {
      const { id: caseId } = await finding(agency);
      let requestId = '';
      const run = async () => {
        requestId = bodyOf<DeindexRequest>(await agency.api.requestDeindex(caseId, 'deindexing')).id;
        await service.quiet();
        await service.pass(SECOND);
        await service.platform.control('PATCH', `/deindex-submissions/${requestId}`, { status: 'removed' });
        await service.pass(SECOND);
      };
      return { subject: () => requestId, run };
    },
  },
  {
    kind: 'webhookTest',
    steps: ['sends a ping'],
    async prepare(agency, service) {
      const { id } = await listening(agency);
      return known(id, async () => {
        await agency.ping(id);
        await service.quiet();
      });
    },
  },
  {
    kind: 'disabledEndpoint',
    steps: ['fails 1 pending delivery'],
    async prepare(agency, service) {
      const { id } = await listening(agency, 500);
      await agency.linked();
      await service.quiet();
      return known(id, async () => {
        await agency.disable(id);
        await service.quiet();
      });
    },
  },
  {
    kind: 'webhookReplay',
    steps: ['1 delivery, the last one'],
    async prepare(agency, service) {
      const { id } = await listening(agency);
      await agency.linked();
      await service.quiet();
      return known(id, async () => {
        const { commands } = service.services;
        await commands.execute(new RequestReplay(id, {}, operator()));
        await service.quiet();
      });
    },
  },
  {
    kind: 'delivery',
    steps: ['1 that is received'],
    async prepare(agency, service) {
      const { id } = await listening(agency);
      return known(id, async () => {
        await agency.linked();
        await service.quiet();
      });
    },
  },
];
