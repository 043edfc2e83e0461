import { beforeEach, expect, it } from '@jest/globals';
import type { LogConsumer } from '#jobs';
import { type CreatorId, DomainError } from '#kernel';
import { invitee, submitted, workspaceId } from '../../domain/creator.fixtures.js';
import { rosterDecider } from '../../domain/enrollment/roster.js';
import { digestOf } from '../../domain/enrollment/roster-entry.js';
import { EnrollmentCount } from '../../processes/enrollment-count.js';
import { type Stage, stage } from '../../stage.fixtures.js';

const unknown = { outcome: 'unknown', error: new DomainError('provider_timeout') } as const;
const refused = (code: string) => ({ outcome: 'refused', code }) as const;

let s: Stage;
let counting: LogConsumer;
let shown: number;
beforeEach(async () => {
  s = await stage();
  s.platform.totalSlots = 1;
  counting = s.get(EnrollmentCount);
  shown = 0;
});

const invite = (n: number) => {
  const person = { ...invitee, email: `ext-${n}@lumen.example` };
  const request = { invitee: person, externalId: `ext-${n}`, identity: submitted, fingerprint: `f${n}` };
  return s.inviteCreator(s.scope, request, s.context);
};
/** The process catches up. */
const count = async () => {
  const page = await s.log.readLog({ after: shown, limit: 1_000, types: counting.types });
  await counting.handle(page);
  shown = page.reached;
  return (await roster()).counted;
};
const roster = async () => (await s.runner.load(rosterDecider, workspaceId)).state;
const idOf = async (n: number) => (await roster()).byExternalId.get(digestOf(`ext-${n}`)) as CreatorId;

it('D31: a refusal that is processed after the next try does not release its seat', async () => {
  s.platform.outcomes.set('invite', refused('invitation_rejected'));
  await expect(invite(0)).rejects.toThrow();
  s.platform.outcomes.set('invite', unknown);
  expect((await invite(0)).creator.enrollment.status).toBe('uncertain');
  expect(await count()).toBe(1);
  for (let n = 1; n < 5; n++) await invite(n);
  await expect(invite(5)).rejects.toMatchObject({ code: 'capacity_reached' });
  await s.settle(await idOf(0));
  expect(await count()).toBe(5);
  // The same from the beginning of the log, for who has lost where it was.
  shown = 0;
  expect(await count()).toBe(5);
});

it('D31: an enrollment that is refused again releases its seat again', async () => {
  for (let times = 0; times < 3; times++) {
    s.platform.outcomes.set('invite', refused('invitation_rejected'));
    await expect(invite(0)).rejects.toThrow();
    expect(await count()).toBe(0);
  }
});

it.each([
  ['invitation_rejected', 'failed'],
  ['capacity_reached', 'not_admitted'],
])(
  'D28: a crash between the seat and the mail, after %s: the worker releases the seat and sends nothing',
  async (code, status) => {
    s.platform.outcomes.set('invite', refused(code));
    await expect(invite(0)).rejects.toThrow();
    await count();
    const { invite: send } = s.platform;
    s.platform.invite = async () => {
      throw new Error('crash');
    };
    await expect(invite(0)).rejects.toThrow('crash');
    expect(await count()).toBe(1);
    s.platform.calls.length = 0;
    await s.settle(await idOf(0));
    expect(await count()).toBe(0);
    expect(s.platform.calls).not.toContain('invite');
    expect((await s.creators.recorded(await idOf(0))).state).toMatchObject({ enrollment: { status } });
    s.platform.invite = send;
    expect((await invite(0)).creator.enrollment.status).toBe('invited');
    expect(await count()).toBe(1);
  },
);

it('D28: a crash after the mail: the worker finds it by its reference', async () => {
  s.platform.outcomes.set('invite', refused('invitation_rejected'));
  await expect(invite(0)).rejects.toThrow();
  const send = s.platform.invite.bind(s.platform);
  s.platform.invite = async (...asked: Parameters<typeof send>) => {
    await send(...asked);
    throw new Error('crash');
  };
  await expect(invite(0)).rejects.toThrow('crash');
  await s.settle(await idOf(0));
  expect((await s.creators.recorded(await idOf(0))).state).toMatchObject({ enrollment: { status: 'invited' } });
  expect(await count()).toBe(1);
});
