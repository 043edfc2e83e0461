import type { Visitor } from './visitor.js';

/** The owner of an agency that is not bound binds it, from the overview. */
export const bind = async (owner: Visitor): Promise<void> => {
  await owner.button('Bind this agency').click();
  await owner.alertdialog('Bind this agency').getByRole('button', { name: 'Confirm binding' }).click();
  await owner.button('Bind this agency').waitFor({ state: 'detached' });
};

/** On the page of the keys: creates one for reading and writing, and returns its secret. */
export const createKey = async (owner: Visitor, name: string): Promise<string> => {
  await owner.button('Create key').click();
  const dialog = owner.dialog('Create key');
  await dialog.getByRole('textbox', { name: 'Name' }).fill(name);
  await dialog.getByRole('radiogroup', { name: 'Permissions' }).getByRole('radio', { name: 'Read and write' }).check();
  await dialog.getByRole('radiogroup', { name: 'Lifetime' }).getByRole('radio', { name: '30 days' }).check();
  await dialog.getByRole('button', { name: 'Create key', exact: true }).click();
  return storedSecret(owner, 'Key created');
};

/** On the page of the webhooks: adds an endpoint for all types, and returns its secret. */
export const addEndpoint = async (owner: Visitor, url: string): Promise<string> => {
  await owner.button('Add endpoint').click();
  const dialog = owner.dialog('Add endpoint');
  await dialog.getByRole('textbox', { name: 'URL' }).fill(url);
  await dialog.getByRole('button', { name: 'Add endpoint', exact: true }).click();
  return storedSecret(owner, 'Secret created');
};

/** Takes the secret from the dialog that shows it, and says that it is stored. Escape does not close it. */
export const storedSecret = async (owner: Visitor, title: string): Promise<string> => {
  const dialog = owner.dialog(title);
  const secret = await dialog.getByRole('textbox', { name: 'Secret' }).inputValue();
  await owner.page.keyboard.press('Escape');
  await dialog.getByRole('button', { name: 'I have stored it' }).click();
  await dialog.waitFor({ state: 'detached' });
  return secret;
};

/** With the API: activates the protection of one creator, which is an event. Returns the creator's id. */
export const protectACreator = async (apiUrl: string, secret: string): Promise<string> => {
  const headers = { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' };
  const list = await fetch(`${apiUrl}/v1/creators`, { headers });
  const { data } = (await list.json()) as { data: readonly { id: string; eligible: boolean }[] };
  const id = data.find(({ eligible }) => eligible)?.id ?? '';
  const change = { method: 'PUT', headers, body: JSON.stringify({ status: 'active' }) };
  const answer = await fetch(`${apiUrl}/v1/creators/${id}/protection`, change);
  if (!answer.ok) throw new Error(await answer.text());
  return id;
};
