import { createElement, type ReactNode } from 'react';
import type { RouteCommand, ScreenProps } from '../../registry/commands/command.ts';
import { useScreen } from './screens.ts';

interface LoadedScreenProps extends ScreenProps {
  readonly command: RouteCommand;
  /** Shown while the screen is being loaded. */
  readonly pending: ReactNode;
}

/** The screen of a route. Other parameters begin it anew. */
export function LoadedScreen({ command, params, pending }: LoadedScreenProps) {
  const screen = useScreen(command);
  if (screen === undefined) return pending;
  return createElement(screen, { key: JSON.stringify(params), params, command });
}
