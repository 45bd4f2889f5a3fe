import { type ComponentType, lazy, type LazyExoticComponent } from 'react';
import type { RouteCommand, ScreenProps } from '../../registry/command.ts';

type AnyScreen = ComponentType<ScreenProps> | LazyExoticComponent<ComponentType<ScreenProps>>;
const screens = new Map<RouteCommand['load'], AnyScreen>();

/** Loads the screen of a route before it is drawn. Throws what loading throws. */
export async function loadScreen({ load }: RouteCommand): Promise<void> {
  const Screen = (await load()).Screen as ComponentType<ScreenProps>;
  // A screen that was drawn keeps its component: another one would mount it again.
  if (!screens.has(load)) screens.set(load, Screen);
}

/**
 * The component of a route's screen; routes that share the module share the component. A screen that was loaded before
 * is drawn in the same pass, without suspending.
 */
export function screenOf({ load }: RouteCommand): AnyScreen {
  const known = screens.get(load);
  if (known !== undefined) return known;
  const made = lazy(async () => ({ default: (await load()).Screen as ComponentType<ScreenProps> }));
  screens.set(load, made);
  return made;
}
