import type { CreateRequest } from '../../registry/commands/services.ts';
import { cell, type Readable } from '../core/state/state.ts';
import { createParam, createRequestOf } from '../workspace/create-link.ts';

let setupToken: string | undefined;
let resetToken: string | undefined;
let invitationToken: string | undefined;
let addressToken: string | undefined;
let linkedCreate: CreateRequest | undefined;
const secretLinks = cell(0);

/**
 * Number of links with a secret that this page was opened with. A browser that opens one at the path that it shows already
 * loads nothing: only this number changes.
 */
export const openedLinks: Readable<number> = secretLinks;

/**
 * Puts the browser's address in order before anything reads it: the secret of a set-up, reset, invitation or address link
 * (`/login#setup=TOKEN`, `#reset=TOKEN`, `#invite=TOKEN`, `/settings#address=TOKEN`) is taken out and kept in memory
 * alone, what a link asks to create (`?create=Deployment/basic`) is taken out, and `/dashboard`, where payment returns
 * to, is home.
 * @param replaceState puts the address in the place of the present one, as `history.replaceState` does
 */
export function tidyAddress(replaceState: History['replaceState']): void {
  const { pathname, search, hash } = location;
  const secrets = new URLSearchParams(hash.slice(1));
  setupToken = secrets.get('setup') || setupToken;
  resetToken = secrets.get('reset') || resetToken;
  invitationToken = secrets.get('invite') || invitationToken;
  addressToken = secrets.get('address') || addressToken;
  if (hash !== '') secretLinks.update((count) => count + 1);
  const isHome = pathname === '/dashboard';
  const create = createRequestOf({ pathname, search });
  if (create !== undefined) linkedCreate = create;
  const params = new URLSearchParams(search);
  params.delete(createParam);
  const rest = create === undefined ? search : params.size === 0 ? '' : `?${params.toString()}`;
  if (hash !== '' || isHome || create !== undefined)
    replaceState(history.state, '', isHome ? '/' : pathname + rest);
}

/** The token of the set-up link this page was opened with, until it is used. */
export const linkToken = (): string | undefined => setupToken;

/** The token of the reset link this page was opened with, until it is used. */
export const resetLinkToken = (): string | undefined => resetToken;

/** Forgets that of a reset link. */
export function dropResetLinkToken(): void {
  resetToken = undefined;
}

/** Forgets that of a set-up link. */
export function dropLinkToken(): void {
  setupToken = undefined;
}

/** The token of the invitation link this page was opened with, until it is used. */
export const inviteToken = (): string | undefined => invitationToken;

/** Forgets it. */
export function dropInviteToken(): void {
  invitationToken = undefined;
}

/** The token of the link that shows the own address, with which this page was opened; taken once. */
export function takeAddressToken(): string | undefined {
  const token = addressToken;
  addressToken = undefined;
  return token;
}

/** The create request in the link of this page, taken once. */
export function takeLinkedCreate(): CreateRequest | undefined {
  const wanted = linkedCreate;
  linkedCreate = undefined;
  return wanted;
}
