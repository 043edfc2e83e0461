/** A new page: nothing that one agency's pages have loaded is left for another's. Without an id, one is chosen there. */
export const openAgency = (id: string): void => {
  const parameters = id === '' ? '' : `?${new URLSearchParams({ agency: id })}`;
  window.location.assign(`/dashboard/${parameters}`);
};

/** From a link that names no agency: the page and its filters stay. */
export const openLinkFor = (id: string): void => {
  const address = new URL(window.location.href);
  address.searchParams.set('agency', id);
  window.location.assign(address);
};
