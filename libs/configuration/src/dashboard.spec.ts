import { expect, it } from '@jest/globals';
import { problemsOf } from './config.fixtures.js';
import { readConfig } from './config.js';

const COMPLETE = {
  DASHBOARD_URL: 'https://protect.example/dashboard',
  OIDC_ISSUER_URL: 'https://login.example/realms/agencies/',
  OIDC_CLIENT_ID: 'dashboard',
};

it('has no dashboard without an issuer, at any address', () => {
  expect(readConfig({}).dashboard).toBeUndefined();
  expect(readConfig({ DASHBOARD_URL: 'http://dash.example/' })).toMatchObject({
    dashboardUrl: 'http://dash.example',
    dashboard: undefined,
  });
});

it('has the usual claims, and keeps the issuer as it is written', () => {
  expect(readConfig(COMPLETE).dashboard).toEqual({
    url: 'https://protect.example/dashboard',
    issuer: 'https://login.example/realms/agencies/',
    clientId: 'dashboard',
    clientSecret: undefined,
    scope: 'openid profile email',
    claims: { subject: 'sub', agency: 'agency_id', roles: 'roles' },
  });
});

it('takes other claims, also deep ones', () => {
  const environment = { ...COMPLETE, OIDC_CLIENT_SECRET: 's3cret', OIDC_ROLES_CLAIM: 'realm_access.roles' };
  expect(readConfig(environment).dashboard).toMatchObject({
    clientSecret: 's3cret',
    claims: { roles: 'realm_access.roles' },
  });
});

it('D115: takes other scopes, of which one is openid', () => {
  const OIDC_SCOPE = 'openid profile groups offline_access';
  expect(readConfig({ ...COMPLETE, OIDC_SCOPE }).dashboard?.scope).toBe(OIDC_SCOPE);
  for (const wrong of ['profile email', 'openid,profile', '"openid"', 'openid\tgroups', '']) {
    expect(problemsOf({ ...COMPLETE, OIDC_SCOPE: wrong })).toEqual([
      'OIDC_SCOPE: must be scopes separated by spaces, including openid',
    ]);
  }
});

it('needs its address and client with an issuer, and an issuer with a client', () => {
  const { OIDC_ISSUER_URL } = COMPLETE;
  expect(problemsOf({ OIDC_ISSUER_URL })).toEqual([
    'DASHBOARD_URL: is required with OIDC_ISSUER_URL',
    'OIDC_CLIENT_ID: is required with OIDC_ISSUER_URL',
  ]);
  expect(problemsOf({ OIDC_CLIENT_ID: 'dashboard', OIDC_CLIENT_SECRET: 's' })).toEqual([
    'OIDC_ISSUER_URL: is required with OIDC_CLIENT_ID',
    'OIDC_ISSUER_URL: is required with OIDC_CLIENT_SECRET',
  ]);
});

it.each([
  'https://protect.example',
  'https://protect.example/app/dashboard',
  'https://protect.example/dashboard?tab=1',
  'https://mia@protect.example/dashboard',
])('refuses %s as the address of the dashboard', (DASHBOARD_URL) => {
  expect(problemsOf({ ...COMPLETE, DASHBOARD_URL })).toEqual([
    'DASHBOARD_URL: must have the path /dashboard, and neither user, query nor fragment',
  ]);
});

it('refuses addresses over which a login could be read, except on loopback or on request', () => {
  const plain = { DASHBOARD_URL: 'http://protect.example/dashboard', OIDC_ISSUER_URL: 'http://login.example' };
  expect(problemsOf({ ...COMPLETE, ...plain })).toEqual([
    'DASHBOARD_URL: is not encrypted, which is allowed only on loopback, or with ALLOW_PLAINTEXT=1',
    'OIDC_ISSUER_URL: is not encrypted, which is allowed only on loopback, or with ALLOW_PLAINTEXT=1',
  ]);
  expect(problemsOf({ ...COMPLETE, ...plain, ALLOW_PLAINTEXT: '1' })).toEqual([]);
  const loopback = { DASHBOARD_URL: 'http://127.0.0.1:3000/dashboard', OIDC_ISSUER_URL: 'http://localhost:4010/oidc' };
  expect(problemsOf({ ...COMPLETE, ...loopback })).toEqual([]);
});

it('refuses an issuer that no token could name, and claims that are none', () => {
  expect(problemsOf({ ...COMPLETE, OIDC_ISSUER_URL: 'login.example' })).toEqual([
    'OIDC_ISSUER_URL: must be an http or https URL without query or fragment',
  ]);
  expect(problemsOf({ ...COMPLETE, OIDC_AGENCY_CLAIM: 'my agency' })).toEqual([
    'OIDC_AGENCY_CLAIM: must be the name of a claim, without spaces',
  ]);
});
