import { type ComponentType, useEffect, useState, useSyncExternalStore } from 'react';
import type { RouteCommand, ScreenProps } from '../../registry/commands/command.ts';
import { wholeStyles } from '../kit/whole-styles.ts';

type Screen = ComponentType<ScreenProps>;
/** The screens that are loaded. Routes that share a module share its component. */
const screens = new Map<RouteCommand['load'], Screen>();
const listeners = new Set<() => void>();

function onLoaded(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

/** Loads the screen of a route. Throws what loading throws; another call tries again. */
export async function loadScreen({ load, shows }: RouteCommand): Promise<void> {
  if (screens.has(load)) return;
  // The page begins with the styles of lists.
  const [{ Screen }] = await Promise.all([load(), shows === 'list' ? undefined : wholeStyles()]);
  if (screens.has(load)) return;
  screens.set(load, Screen as ComponentType<ScreenProps>);
  for (const listener of listeners) listener();
}

/**
 * The component of a route's screen; undefined while it is being loaded. One that was loaded before is there in the same
 * pass. Throws into the nearest boundary what loading threw. It does not suspend: React keeps a fallback on screen for
 * 300 ms when it has just shown one, however soon the screen comes.
 */
export function useScreen(command: RouteCommand): Screen | undefined {
  const screen = useSyncExternalStore(onLoaded, () => screens.get(command.load));
  const [failure, setFailure] = useState<{ readonly error: unknown } | undefined>(undefined);
  useEffect(() => {
    if (screen !== undefined) return undefined;
    let isMounted = true;
    loadScreen(command).catch((error: unknown) => {
      if (isMounted) setFailure({ error });
    });
    return () => {
      isMounted = false;
    };
  }, [screen, command]);
  if (screen === undefined && failure !== undefined) throw failure.error;
  return screen;
}
