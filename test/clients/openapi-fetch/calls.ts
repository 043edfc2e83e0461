import createClient from 'openapi-fetch';
import type { paths } from './generated/api';

const { SVC_URL = '', SVC_KEY = '', SVC_NAME = '', SVC_WORKSPACE = '' } = process.env;
const client = createClient<paths>({ baseUrl: SVC_URL, headers: { Authorization: `Bearer ${SVC_KEY}` } });

const found = <Data>({ data, error }: { data?: Data; error?: unknown }): Data => {
  if (data === undefined) throw new Error(JSON.stringify(error));
  return data;
};

const print = (...values: unknown[]) => process.stdout.write(`${values.join(' ')}\n`);

const calls = async (): Promise<void> => {
  const roster = found(await client.GET('/v1/creators', { params: { query: { limit: 100 } } }));
  print('list', roster.data.length);
  const member = roster.data.find(({ external_id }) => external_id.startsWith('svc:'));

  const body = { workspace_id: SVC_WORKSPACE, external_id: `${SVC_NAME}-link`, display_name: 'Ivy Calloway' };
  const svc_user_id = member?.svc_user_id ?? '';
  const answer = await client.POST('/v1/creators', { body: { ...body, svc_user_id } });
  const linked = found(answer);
  print('link', answer.response.status, linked.protection_status, linked.created_at);

  const person = { email: `${SVC_NAME}@talent.example`, first_name: 'Ivy', last_name: 'Calloway' };
  const invitation = { ...body, external_id: `${SVC_NAME}-invite`, ...person };
  const invited = found(await client.POST('/v1/creators', { body: invitation }));
  print('invite', invited.enrollment_status, invited.email_sent);

  const wrong = await client.POST('/v1/creators', { body: { ...invitation, svc_user_id } });
  print(wrong.response.status, wrong.error?.error.code, wrong.error?.error.details?.length);
  const unknown = await client.GET('/v1/creators/{id}', { params: { path: { id: 'crt_01m84shndyfewanvze4qf2ae58' } } });
  print(unknown.response.status, unknown.error?.error.code);
  // One message a minute: the second is refused.
  const resend = (key: string) =>
    client.POST('/v1/creators/{id}/resend-invitation', {
      params: { path: { id: invited.id }, header: { 'Idempotency-Key': `${SVC_NAME}-${key}` } },
      body: {},
    });
  await resend('first');
  const tooEarly = await resend('second');
  print(tooEarly.response.status, tooEarly.error?.error.code);

  const ofLinked = { params: { path: { id: linked.id } }, parseAs: 'text' } as const;
  print('report', found(await client.GET('/v1/creators/{id}/report', ofLinked)).split(',')[0]);
  const [event] = found(await client.GET('/v1/events', { params: { query: { limit: 100 } } })).data;
  print('events', event?.type, event?.data.creator?.id === event?.data.creator_id);
};

void calls();
