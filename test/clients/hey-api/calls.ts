import { client } from './generated/client.gen';
import { enrollCreator, getCreator, getReport, listCreators, listEvents, resendInvitation } from './generated/sdk.gen';

const { SVC_URL = '', SVC_KEY = '', SVC_NAME = '', SVC_WORKSPACE = '' } = process.env;
client.setConfig({ baseUrl: SVC_URL, auth: SVC_KEY });

const print = (...values: unknown[]) => process.stdout.write(`${values.join(' ')}\n`);

const calls = async (): Promise<void> => {
  const roster = (await listCreators({ query: { limit: 100 }, throwOnError: true })).data;
  print('list', roster.data.length);
  const member = roster.data.find(({ external_id }) => external_id.startsWith('svc:'));

  const body = { workspace_id: SVC_WORKSPACE, external_id: `${SVC_NAME}-link`, display_name: 'Ivy Calloway' };
  const svc_user_id = member?.svc_user_id ?? '';
  const linked = await enrollCreator({ body: { ...body, svc_user_id }, throwOnError: true });
  print('link', linked.response.status, linked.data.protection_status, linked.data.created_at);

  const person = { email: `${SVC_NAME}@talent.example`, first_name: 'Ivy', last_name: 'Calloway' };
  const invitation = { ...body, external_id: `${SVC_NAME}-invite`, ...person };
  const invited = await enrollCreator({ body: invitation, throwOnError: true });
  print('invite', invited.data.enrollment_status, invited.data.email_sent);

  const wrong = await enrollCreator({ body: { ...invitation, svc_user_id } });
  print(wrong.response?.status, wrong.error?.error.code, wrong.error?.error.details?.length);
  const unknown = await getCreator({ path: { id: 'crt_01m84shndyfewanvze4qf2ae58' } });
  print(unknown.response?.status, unknown.error?.error.code);
  // One message a minute: the second is refused.
  const resend = (key: string) =>
    resendInvitation({ path: { id: invited.data.id }, headers: { 'Idempotency-Key': `${SVC_NAME}-${key}` }, body: {} });
  await resend('first');
  const tooEarly = await resend('second');
  print(tooEarly.response?.status, tooEarly.error?.error.code);

  const report = await getReport({ path: { id: linked.data.id }, throwOnError: true });
  print('report', report.data.split(',')[0]);
  const events = (await listEvents({ query: { limit: 100 }, throwOnError: true })).data;
  print('events', events.data[0]?.type, events.data[0]?.data.creator?.id === events.data[0]?.data.creator_id);
};

void calls();
