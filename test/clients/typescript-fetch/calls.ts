import { CasesApi, Configuration, CreatorsApi, EventsApi, type ModelError, ResponseError } from './generated';

const { SVC_URL = '', SVC_KEY = '', SVC_NAME = '', SVC_WORKSPACE = '' } = process.env;
const configuration = new Configuration({ basePath: SVC_URL, accessToken: SVC_KEY });
const creators = new CreatorsApi(configuration);

const refusal = async (call: Promise<unknown>): Promise<[number, ModelError]> => {
  const error: unknown = await call.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof ResponseError)) throw error;
  return [error.response.status, (await error.response.json()) as ModelError];
};

const print = (...values: unknown[]) => process.stdout.write(`${values.join(' ')}\n`);

const calls = async (): Promise<void> => {
  const roster = await creators.listCreators({ limit: 100 });
  print('list', roster.data.length);
  const member = roster.data.find(({ externalId }) => externalId.startsWith('svc:'));

  const body = { workspaceId: SVC_WORKSPACE, externalId: `${SVC_NAME}-link`, displayName: 'Ivy Calloway' };
  const svcUserId = member?.svcUserId ?? '';
  const answer = await creators.enrollCreatorRaw({ enrollCreatorBody: { ...body, svcUserId } });
  const linked = await answer.value();
  print('link', answer.raw.status, linked.protectionStatus, linked.createdAt);

  const person = { email: `${SVC_NAME}@talent.example`, firstName: 'Ivy', lastName: 'Calloway' };
  const invitation = { ...body, externalId: `${SVC_NAME}-invite`, ...person };
  const invited = await creators.enrollCreator({ enrollCreatorBody: invitation });
  print('invite', invited.enrollmentStatus, invited.emailSent);

  const [status, wrong] = await refusal(creators.enrollCreator({ enrollCreatorBody: { ...invitation, svcUserId } }));
  print(status, wrong.error.code, wrong.error.details?.length);
  const [notFound, unknown] = await refusal(creators.getCreator({ id: 'crt_01m84shndyfewanvze4qf2ae58' }));
  print(notFound, unknown.error.code);
  // One message a minute: the second is refused.
  const resend = (key: string) =>
    creators.resendInvitation({ id: invited.id, idempotencyKey: `${SVC_NAME}-${key}`, body: {} });
  await resend('first');
  const [limited, tooEarly] = await refusal(resend('second'));
  print(limited, tooEarly.error.code);

  const report = await new CasesApi(configuration).getReport({ id: linked.id });
  print('report', report.split(',')[0]);
  const [event] = (await new EventsApi(configuration).listEvents({ limit: 100 })).data;
  print('events', event?.type, event?.data.creator?.id === event?.data.creatorId);
};

void calls();
