import { randomUUID } from 'node:crypto';
import { SandboxClient } from '../../../apps/platform-sandbox/src/index.js';
import { Random } from '../../crash/support/random.js';
import type { Exchange } from '../../e2e/support/exchange.js';
import { Visitor } from '../../e2e/support/visitor.js';
import type { Answers } from '../latencies.js';
import type { PlatformReady } from '../platform/main.js';

const SESSIONS = 3;
const HEAVY = [
  '/deliveries/count',
  '/deliveries/count?answer=599',
  '/events?type=case.deleted&limit=100',
  '/endpoints?limit=100',
  '/overview',
  '/requests',
  '/requests/calls',
  '/usage',
  '/usage/creators?limit=100',
  '/usage/file',
  '/creators?limit=100',
];

/** A member of an agency with a session, who reads as much as there is, and names agencies that there are not (D109). */
export class DashboardMember {
  private constructor(
    private readonly visitor: Visitor,
    private readonly random: Random,
    private readonly answers: Answers,
    private readonly endpoints: readonly string[],
    private readonly events: readonly string[],
  ) {}

  /** One person in several sessions. */
  static async signedIn(
    url: string,
    platform: PlatformReady,
    agencyId: string,
    answers: Answers,
  ): Promise<DashboardMember[]> {
    const service = { url, platform: new SandboxClient(platform) };
    const person = { id: randomUUID(), agency_id: agencyId };
    const members = [];
    for (let n = 0; n < SESSIONS; n++) {
      const visitor = await Visitor.signedIn(service, person);
      const [endpoints, events] = [idsOf(await visitor.get('/endpoints')), idsOf(await visitor.get('/events'))];
      members.push(new DashboardMember(visitor, new Random(4_000 + n), answers, endpoints, events));
    }
    return members;
  }

  act(): Promise<void> {
    const dice = this.random.next() * 100;
    if (dice < 15) return this.send('invented agency', 'GET', `/overview?agency=agency_${randomUUID()}`);
    if (dice < 40) return this.checkSignature();
    return this.send('heavy read', 'GET', this.random.pick(HEAVY) ?? '/overview');
  }

  private checkSignature(): Promise<void> {
    const event = this.random.pick(this.events) ?? 'evt_00000000000000000000000000';
    const headers = { 'x-svc-event-id': event, 'x-svc-signature': `t=1,v1=${'0'.repeat(64)}` };
    const body = { endpoint: this.random.pick(this.endpoints) ?? '', headers, sha256: '0'.repeat(64) };
    return this.send('signature check', 'POST', '/signature-check', body);
  }

  private async send(kind: string, method: string, path: string, body?: object): Promise<void> {
    const began = performance.now();
    const answer = await this.visitor.send(method, path, body && { body }).catch(() => ({ status: 599 }));
    this.answers.add(`${method} dashboard: ${kind}`, answer.status, performance.now() - began);
  }
}

const idsOf = ({ body }: Exchange): string[] => {
  const { data = [] } = body as { readonly data?: readonly { readonly id: string }[] };
  return data.map(({ id }) => id);
};
