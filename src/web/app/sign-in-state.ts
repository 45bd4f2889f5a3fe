import { splitHref } from '../../registry/path.ts';
import type { Registry } from '../../registry/commands/registry.ts';
import { observed } from '../core/state/state.ts';
import { storedLapse, storeLapse } from '../data/lapse.ts';
import type { DataPort } from '../data/port.ts';
import { forgetPlace, rememberPlace } from '../data/remember.ts';
import type { SignInPort } from '../data/sign-in.ts';
import type { ActingPort } from '../features/actions/port.ts';
import type { CreatingPort } from '../features/create/port.ts';
import type { PalettePort } from '../features/palette/port.ts';
import type { WorkspacePort } from '../workspace/port.ts';

interface SignInParts {
  readonly registry: Registry;
  readonly data: DataPort;
  readonly tiles: WorkspacePort;
  readonly acting: ActingPort;
  readonly creating: CreatingPort;
  readonly palette: PalettePort;
}

/** How the person came to be signed in or out, and the ways out. */
export class SignInState implements SignInPort {
  readonly lapse = observed(storedLapse(sessionStorage));
  readonly leaving = observed(false);
  readonly unconfirmed = observed(false);

  private readonly parts: SignInParts;

  constructor(parts: SignInParts) {
    this.parts = parts;
    this.lapse.subscribe(() => storeLapse(sessionStorage, this.lapse.get()));
  }

  /** A call was answered 401: to sign-in, unless the page is there, and nothing leads back by itself. */
  readonly lapsed = (title: string): void => {
    const { data, tiles, registry, acting } = this.parts;
    const known = data.queryClient.getQueryData(data.queries.session.queryKey);
    const isThere = splitHref(tiles.workspace.href()).pathname === registry.href('account.login');
    if (this.leaving.get() || known === null || isThere) return;
    for (const change of acting.heldChanges.get()) change.drop();
    data.identity.cancel();
    rememberPlace(sessionStorage, tiles.workspace.address());
    if (known !== undefined) this.lapse.set({ userId: known.id, title, at: Date.now(), isFresh: true });
    data.live.close();
    data.queryClient.setQueryData(data.queries.session.queryKey, null);
    tiles.workspace.redirect(registry.href('account.login'));
  };

  /** The person leaves; the page forgets them also where the server cannot be asked. */
  readonly signOut = async (): Promise<void> => {
    const { data, tiles, registry, acting } = this.parts;
    this.leaving.set(true);
    data.identity.cancel();
    for (const change of acting.heldChanges.get()) change.drop();
    this.unconfirmed.set(false);
    try {
      await data.api.logout({});
    } catch (error) {
      console.error('The server did not confirm the logout.', error);
      this.unconfirmed.set(true);
    } finally {
      data.live.close();
      forgetPlace(sessionStorage);
      this.lapse.set(undefined);
      data.queryClient.clear();
      data.known.clear();
      data.kept.forget();
      data.queryClient.setQueryData(data.queries.session.queryKey, null);
      tiles.workspace.forget();
      tiles.workspace.redirect(registry.href('account.login'));
      this.leaving.set(false);
    }
  };

  readonly endSession = async (): Promise<void> => {
    await this.parts.data.api.logout({});
    this.unconfirmed.set(false);
  };

  /** The session acts in another company now: everything of the former one goes with the page itself. */
  readonly begin = (): void => {
    const { data, acting } = this.parts;
    for (const change of acting.heldChanges.get()) change.drop();
    data.live.close();
    this.forgetPerson();
    location.assign('/');
  };

  readonly forgetPerson = (): void => {
    const { data, tiles, acting, creating, palette } = this.parts;
    data.identity.cancel();
    const { queryClient, queries } = data;
    const kept = new Set<unknown>([queries.session.queryKey[0], queries.signInOptions().queryKey[0]]);
    queryClient.removeQueries({ predicate: ({ queryKey }) => !kept.has(queryKey[0]) });
    creating.creating.set(undefined);
    acting.acting.set(undefined);
    palette.palette.set(undefined);
    tiles.workspace.forget();
    forgetPlace(sessionStorage);
  };
}
