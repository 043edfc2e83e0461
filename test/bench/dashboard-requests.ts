import type { DashboardReady } from './processes/dashboard-api.js';

/** Lists the requests below `/dashboard/api` of all pages: on opening, with each of their filters, and for a page far back. */
export const dashboardRequests = ({ ids, eventType: type, since }: DashboardReady): readonly string[] => {
  const { creator, otherCreator, key, endpoint, event, delivery } = ids;
  const eventFilters = ['', 'limit=100', `type=${type}`, `creator=${creator}`, `from=${since}`, `to=${since}`];
  const deliveryFilters = [
    ...eventFilters,
    'tab=undelivered',
    `endpoint=${endpoint}`,
    ...['pending', 'failed', 'delivered'].map((status) => `status=${status}`),
    ...['503', 'timeout', '200', '418'].map((answer) => `answer=${answer}`),
    `creator=${otherCreator}`,
    `event=${event}`,
    `endpoint=${endpoint}&status=failed`,
    `endpoint=${endpoint}&answer=418`,
    `endpoint=${endpoint}&type=${type}&status=failed`,
    `status=failed&answer=timeout&from=${since}`,
    `tab=undelivered&type=${type}`,
    `after=${event}`,
  ];
  const callFilters = ['by=hour', 'by=minute', `by=hour&key=${key}`, `by=minute&key=${key}`];
  const requestFilters = ['', 'limit=100', 'code=rate_limited', 'route=GET+/v1/events', `key=${key}`];
  const creatorFilters = [
    '',
    'limit=100',
    ...['linked', 'enrolling', 'invited'].map((status) => `enrollment_status=${status}`),
    ...['active', 'paused', 'not_activated'].map((status) => `protection_status=${status}`),
    'enrollment_status=linked&protection_status=paused',
    `after=${otherCreator}`,
  ];
  return [
    ...['/session', '/attention', '/overview', '/left-out', '/keys', '/keys?limit=100', '/endpoints'],
    ...deliveryFilters.map((filter) => `/deliveries?${filter}`),
    ...['', `endpoint=${endpoint}`, `type=${type}`, 'answer=418'].map((filter) => `/deliveries/count?${filter}`),
    ...[...eventFilters, `creator=${creator}&type=${type}`, `after=${event}`].map((filter) => `/events?${filter}`),
    ...[`/endpoints/${endpoint}`, '/requests/unknown'],
    ...requestFilters.map((filter) => `/requests?${filter}`),
    ...callFilters.map((filter) => `/requests/calls?${filter}`),
    ...creatorFilters.map((filter) => `/creators?${filter}`),
    ...['', '/timeline', '/intervals', '/scans', '/deindex-requests'].map((part) => `/creators/${creator}${part}`),
    ...['/usage', '/usage/creators', `/usage/creators?after=${otherCreator}&limit=100`, '/usage/statements'],
    ...[creator, event, delivery].map((text) => `/search?text=${text}`),
  ];
};
