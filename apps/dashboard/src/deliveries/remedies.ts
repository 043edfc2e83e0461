/** Explains each class of error and how to fix it. */
const OF_ERRORS: Readonly<Record<string, string>> = {
  timeout: 'No answer in time. Answer with 2xx first, and do the work afterwards.',
  connection_failed: 'No connection. Check that the server runs, and that a firewall lets us through.',
  tls_failed: 'The certificate was not accepted. Check that it is valid and its chain complete.',
  dns_failed: 'The name of the URL has no address. Check the DNS entry.',
  target_forbidden: 'The name of the URL leads to an address that is not public.',
  response_invalid: 'The answer was not HTTP. Check what listens at the URL.',
  endpoint_disabled: 'The endpoint was disabled. Enable it, then replay.',
  agency_denied: 'The agency was not eligible for too long. Replay when it is again.',
  pending: 'No worker has sent it yet. Check that one runs, then send again.',
  creator_missing: 'The creator is not known to the platform at the moment. It is tried again.',
};

const ofStatus = (status: number): string => {
  if (status < 300) return '';
  if (status < 400) return 'A redirect counts as a failure. Change the URL of the endpoint.';
  if (status === 401 || status === 403)
    return 'The receiver refused us. Check that it needs nothing but our signature.';
  if (status === 404 || status === 410) return 'Nothing takes webhooks at this URL. Check its path.';
  if (status === 413) return 'The receiver takes only smaller bodies. Raise its limit.';
  if (status === 429) return 'The receiver limits requests. It is tried again, later each time.';
  if (status < 500) return 'The receiver refused the request. Its log says why.';
  return 'The receiver failed. Its log says why.';
};

/** A failed answer has both. Its status says more than the class `refused`. */
export const deliveryRemedy = (status: number | null, error: string | null): string => {
  if (status !== null) return ofStatus(status);
  return error === null ? '' : (OF_ERRORS[error] ?? '');
};
