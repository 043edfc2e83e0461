import type { CreatorProtection } from '#client';

/** The calls of an agency's backend, and what each was answered. */
export class Calls {
  readonly made: Record<string, number> = {};
  /** Milliseconds from the call to its result, with all tries. */
  readonly took: number[] = [];
  /** Calls whose result the client does not know, or that were answered otherwise than they have to be. */
  readonly complaints: string[] = [];

  get count(): number {
    return this.took.length;
  }

  /** Undefined where it failed, which is a complaint. */
  async make<Result>(kind: string, call: () => PromiseLike<Result>): Promise<Result | undefined> {
    const began = performance.now();
    try {
      return await call();
    } catch (error) {
      this.complaints.push(`${kind}: ${error}`);
      return undefined;
    } finally {
      this.took.push(performance.now() - began);
      this.made[kind] = (this.made[kind] ?? 0) + 1;
    }
  }

  expect(what: string, holds: boolean): void {
    if (!holds) this.complaints.push(what);
  }
}

/** The effects that the calls requested, by the ids in the answers. */
export interface Asked {
  readonly invited: string[];
  readonly resent: string[];
  readonly removed: string[];
  readonly active: string[];
  readonly written: string[];
  readonly scans: string[];
  readonly deindexed: string[];
  readonly reported: string[];
}

export const nothingAsked = (): Asked => ({
  invited: [],
  resent: [],
  removed: [],
  active: [],
  written: [],
  scans: [],
  deindexed: [],
  reported: [],
});

export interface Backend {
  readonly client: CreatorProtection;
  readonly calls: Calls;
  readonly asked: Asked;
  readonly workspaceId: string;
}

/** A member is linked, changed, scanned or paused, and read: 11 calls. */
export const linkedStory = async (
  { client, calls, asked, workspaceId }: Backend,
  userId: string,
  n: number,
): Promise<void> => {
  const body = {
    workspace_id: workspaceId,
    external_id: `client ${n}`,
    display_name: `Member ${n}`,
    svc_user_id: userId,
  };
  const creator = await calls.make('creators.enroll', () => client.creators.enroll(body));
  if (creator === undefined) return calls.expect(`${body.external_id} is enrolled`, false);
  const { id } = creator;
  const [alias, url] = [`alias ${n}`, `https://www.instagram.com/not_member_${n}`];
  const updated = await calls.make('creators.update', () => client.creators.update(id, { aliases: [alias] }));
  calls.expect(`${id} has ${alias}`, updated?.aliases.includes(alias) ?? false);
  asked.written.push(userId);
  await calls.make('creators.setProtection', () => client.creators.setProtection(id, { status: 'active' }));
  const reported = await calls.make('impersonations.report', () => client.impersonations.report(id, { url }));
  asked.reported.push(reported?.id ?? '');
  if (n % 2 === 0) {
    const scan = await calls.make('scans.queue', () => client.scans.queue(id));
    asked.scans.push(scan?.id ?? '');
    const seen = await calls.make('scans.get', () => client.scans.get(scan?.id ?? ''));
    calls.expect(`${scan?.id} is of ${id}`, seen?.creator_id === id);
    asked.active.push(userId);
  } else {
    await calls.make('creators.setProtection', () => client.creators.setProtection(id, { status: 'paused' }));
    const seen = await calls.make('creators.get', () => client.creators.get(id));
    calls.expect(`${id} is paused`, seen?.protection_status === 'paused');
  }
  await calls.make('cases.list', () => client.cases.list(id).toArray());
  await calls.make('creators.activity', () => client.creators.activity(id).toArray({ limit: 5 }));
  const accounts = await calls.make('impersonations.list', () => client.impersonations.list(id).toArray());
  calls.expect(`${url} of ${id} is one record`, accounts?.length === 1 && accounts[0]?.id === reported?.id);
  await calls.make('creators.report', () => rowsOf(client, id));
  const again = await calls.make('creators.enroll', () => client.creators.enroll(body));
  calls.expect(`client ${n} is ${id}`, again?.id === id);
};

/** Somebody is invited, reminded and withdrawn: 5 calls. */
export const invitedStory = async ({ client, calls, asked, workspaceId }: Backend, n: number): Promise<void> => {
  const person = { email: `invitee-${n}@example.com`, first_name: 'Given', last_name: 'Family' };
  const body = { workspace_id: workspaceId, external_id: `invitee ${n}`, display_name: `Invitee ${n}`, ...person };
  const creator = await calls.make('creators.enroll', () => client.creators.enroll(body));
  if (creator === undefined) return calls.expect(`${body.external_id} is enrolled`, false);
  const { id } = creator;
  asked.invited.push(id);
  await calls.make('creators.resendInvitation', () => client.creators.resendInvitation(id));
  asked.resent.push(id);
  await calls.make('creators.get', () => client.creators.get(id));
  const removed = await calls.make('creators.remove', () => client.creators.remove(id));
  calls.expect(`${id} is cancelled`, removed?.enrollment_status === 'cancelled');
  asked.removed.push(id);
  await calls.make('creators.get', () => client.creators.get(id));
};

/** A finding leaves the search index: 2 calls. */
export const deindexStory = async ({ client, calls, asked }: Backend, caseId: string): Promise<void> => {
  const request = await calls.make('deindexing.request', () =>
    client.deindexing.request(caseId, { provider: 'search' }),
  );
  asked.deindexed.push(request?.id ?? '');
  const seen = await calls.make('deindexing.get', () => client.deindexing.get(request?.id ?? ''));
  calls.expect(`${request?.id} is of ${caseId}`, seen?.case_id === caseId);
};

/** Reads the agency's data in 6 calls. */
export const agencyStory = async ({ client, calls, workspaceId }: Backend): Promise<void> => {
  await calls.make('connection.get', () => client.connection.get());
  await calls.make('workspaces.get', () => client.workspaces.get(workspaceId));
  await calls.make('creators.list', () => client.creators.list().toArray({ limit: 100 }));
  await calls.make('usage.get', () => client.usage.get());
  await calls.make('usage.capacity', () => client.usage.capacity());
  await calls.make('events.list', () => client.events.list().toArray({ limit: 200 }));
};

const rowsOf = async (client: CreatorProtection, creatorId: string): Promise<number> => {
  let rows = 0;
  for await (const _row of client.creators.report(creatorId)) rows += 1;
  return rows;
};
