import type { ReactNode } from 'react';
import { commandsPort } from '../core/commands.ts';
import { keptPort } from '../core/state/port.ts';
import { useCell } from '../core/state/state.ts';
import { dataPort } from '../data/port.ts';
import { signInPort } from '../data/sign-in.ts';
import { actingPort } from '../features/actions/port.ts';
import { creatingPort } from '../features/create/port.ts';
import { typedAheadPort } from '../features/edit/port.ts';
import { notificationsPort } from '../features/notifications/port.ts';
import { organisationPort } from '../features/organisation/port.ts';
import { palettePort } from '../features/palette/port.ts';
import { subscriptionPort } from '../features/subscription/port.ts';
import { keyboardPort } from '../keyboard/port.ts';
import { overlaysPort } from '../kit/overlays.ts';
import { workspacePort } from '../workspace/port.ts';
import { useMemo } from 'react';
import type { App } from './app.ts';

/** Provides every part of the page to the components in it. */
export function Ports({ app, children }: { readonly app: App; readonly children: ReactNode }) {
  // Everything that reads commands is drawn again once all of them are there.
  const isWhole = useCell(app.commands.isWhole);
  const commands = useMemo(() => (isWhole ? { ...app.commands } : app.commands), [app, isWhole]);
  return (
    <commandsPort.Provider value={commands}>
      <keptPort.Provider value={app.kept}>
        <dataPort.Provider value={app.data}>
          <signInPort.Provider value={app.signIn}>
            <overlaysPort.Provider value={app.overlays}>
              <workspacePort.Provider value={app.tiles}>
                <keyboardPort.Provider value={app.keyboard}>
                  <actingPort.Provider value={app.acting}>
                    <organisationPort.Provider value={app.organisation}>
                      <creatingPort.Provider value={app.creating}>
                        <palettePort.Provider value={app.palette}>
                          <notificationsPort.Provider value={app.notifications}>
                            <subscriptionPort.Provider value={app.subscription}>
                              <typedAheadPort.Provider value={app.typedAhead}>
                                {children}
                              </typedAheadPort.Provider>
                            </subscriptionPort.Provider>
                          </notificationsPort.Provider>
                        </palettePort.Provider>
                      </creatingPort.Provider>
                    </organisationPort.Provider>
                  </actingPort.Provider>
                </keyboardPort.Provider>
              </workspacePort.Provider>
            </overlaysPort.Provider>
          </signInPort.Provider>
        </dataPort.Provider>
      </keptPort.Provider>
    </commandsPort.Provider>
  );
}
