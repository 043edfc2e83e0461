export type AgencyApi = <Body>(method: string, path: string, body?: object) => Promise<Body>;

/** The API for agencies, with the secret of a key. */
export const agencyApi =
  (apiUrl: string, secret: string): AgencyApi =>
  async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const headers = {
      authorization: `Bearer ${secret}`,
      ...(method === 'POST' && { 'idempotency-key': crypto.randomUUID() }),
      ...(body && { 'content-type': 'application/json' }),
    };
    const answer = await fetch(`${apiUrl}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Body;
  };

export interface ListedCreator {
  readonly id: string;
  readonly display_name: string;
  readonly external_id: string;
  readonly eligible: boolean;
  readonly svc_user_id: string;
}

/** One of the demo agency whose protection can be activated. */
export const eligibleCreator = async (api: AgencyApi): Promise<ListedCreator> => {
  const { data } = await api<{ data: readonly ListedCreator[] }>('GET', '/v1/creators');
  const eligible = data.find((one) => one.eligible);
  if (eligible === undefined) throw new Error('no creator of the demo agency is eligible');
  return eligible;
};
