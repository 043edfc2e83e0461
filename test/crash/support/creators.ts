import { type AgencyClient, type Answer, ok } from './agency-client.js';

let named = 0;

/** A body that enrolls somebody new by invitation. */
export const invitation = (workspaceId: string) => {
  const number = ++named;
  return {
    workspace_id: workspaceId,
    external_id: `invitee ${number}`,
    display_name: `Invitee ${number}`,
    email: `invitee-${number}@example.com`,
    first_name: 'Given',
    last_name: 'Family',
  };
};

/** A body that links a member. */
export const link = (workspaceId: string, userId: string) => {
  const number = ++named;
  return {
    workspace_id: workspaceId,
    external_id: `member ${number}`,
    display_name: `Member ${number}`,
    profile_urls: [`https://www.instagram.com/member_${number}`],
    svc_user_id: userId,
  };
};

export const linked = async (client: AgencyClient, workspaceId: string, userId: string): Promise<string> =>
  ok(await client.enroll(link(workspaceId, userId)), 201).id;

/** Linked, and its schedule is on. */
export const activated = async (client: AgencyClient, workspaceId: string, userId: string): Promise<string> => {
  const id = await linked(client, workspaceId, userId);
  ok(await client.protect(id, 'active'), 200);
  return id;
};

/** How often each status and code was answered, such as `{ '200': 3, '409 scan_in_progress': 1 }`. */
export const tally = (answers: readonly Answer<object>[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const { status, body } of answers) {
    const kind = body.error === undefined ? `${status}` : `${status} ${body.error.code}`;
    counts[kind] = (counts[kind] ?? 0) + 1;
  }
  return counts;
};
