import { ActionHost } from '../features/actions/ActionHost.tsx';
import { CreateHost } from '../features/create/CreateHost.tsx';
import { OrganisationHost } from '../features/organisation/OrganisationHost.tsx';
import { PaletteHost } from '../features/palette/PaletteHost.tsx';
import { PendingKeysBar } from '../keyboard/PendingKeysBar.tsx';
import { LosingHost } from './LosingHost.tsx';

/** Dialogs and panels over the tiles: none shows before somebody asks for it. */
export function Hosts() {
  return (
    <>
      <PendingKeysBar />
      <PaletteHost />
      <ActionHost />
      <OrganisationHost />
      <CreateHost />
      <LosingHost />
    </>
  );
}
