import type { DashboardReady } from './processes/dashboard-api.js';

/** What the page of each name asks for below `/dashboard/api`: it as it opens, each of its filters, a page far behind. */
export const dashboardRequests = (ready: DashboardReady): Readonly<Record<string, readonly string[]>> => {
  const { ids, times } = ready;
  const { creator, eventType: type } = ids;
  const since = String(times.recent);
  const until = String(times.earlier);
  return {
    Overview: ['/session', '/overview', '/left-out'],
    Keys: ['/keys', '/keys?limit=100', `/keys/${ids.key}/calls`],
    Webhooks: ['/endpoints'],
    Deliveries: deliveriesRequests(ready, since, until),
    Events: [
      '/events',
      '/events?limit=100',
      `/events?type=${type}`,
      `/events?creator=${creator}`,
      `/events?creator=${creator}&type=${type}`,
      `/events?from=${since}`,
      `/events?to=${until}`,
      `/events?from=${until}&to=${since}&type=${type}`,
      `/events?after=${ids.earlierEvent}`,
      `/events/${ids.event}`,
    ],
    Requests: [
      '/requests',
      '/requests?limit=100',
      '/requests?code=rate_limited',
      '/requests?route=GET+/v1/events',
      `/requests?key=${ids.key}`,
      `/requests?request=${ids.request}`,
      '/requests/calls?by=hour',
      '/requests/calls?by=minute',
      `/requests/calls?by=hour&key=${ids.key}`,
      `/requests/calls?by=minute&key=${ids.key}`,
    ],
    Creators: [
      '/creators',
      '/creators?limit=100',
      ...['linked', 'enrolling', 'invited'].map((status) => `/creators?enrollment_status=${status}`),
      ...['active', 'paused', 'not_activated'].map((status) => `/creators?protection_status=${status}`),
      '/creators?enrollment_status=linked&protection_status=paused',
      `/creators?after=${ids.otherCreator}`,
      `/creators/${creator}`,
      ...['timeline', 'intervals', 'scans', 'deindex-requests'].map((part) => `/creators/${creator}/${part}`),
    ],
    Usage: [
      '/usage',
      '/usage/creators',
      `/usage/creators?after=${ids.otherCreator}&limit=100`,
      `/usage/creators/${creator}`,
      '/usage/statements',
    ],
    Search: [creator, ids.externalId, ids.userId, ids.case, ids.event, ids.delivery, ids.request].map(
      (text) => `/search?text=${text}`,
    ),
  };
};

const deliveriesRequests = ({ ids }: DashboardReady, since: string, until: string): readonly string[] => {
  const { creator, endpoint, eventType: type } = ids;
  return [
    '/deliveries',
    '/deliveries?tab=undelivered',
    '/deliveries?limit=100',
    `/deliveries?endpoint=${endpoint}`,
    `/deliveries?type=${type}`,
    ...['pending', 'failed', 'delivered'].map((status) => `/deliveries?status=${status}`),
    ...['503', 'timeout', '204', '418'].map((answer) => `/deliveries?answer=${answer}`),
    `/deliveries?creator=${ids.deliveredCreator}`,
    `/deliveries?creator=${creator}`,
    `/deliveries?event=${ids.deliveredEvent}`,
    `/deliveries?from=${since}`,
    `/deliveries?to=${since}`,
    `/deliveries?from=${until}&to=${since}`,
    `/deliveries?endpoint=${endpoint}&status=failed`,
    `/deliveries?endpoint=${endpoint}&answer=418`,
    `/deliveries?endpoint=${endpoint}&type=${type}&status=failed`,
    `/deliveries?type=${type}&answer=418`,
    `/deliveries?status=failed&answer=timeout&from=${since}`,
    `/deliveries?tab=undelivered&type=${type}`,
    `/deliveries?after=${ids.recentEvent}`,
    '/deliveries/count',
    `/deliveries/count?endpoint=${endpoint}`,
    `/deliveries/count?type=${type}`,
    '/deliveries/count?answer=418',
    `/deliveries/${ids.delivery}`,
  ];
};
