import { useEffect } from 'react';
import type { FocusedTool } from '../../registry/services.ts';
import { useApp } from '../app/context.ts';
import { useView } from './view.ts';

/** Offers what the view around this component shows to the keys, as it is at each render. */
export function useTool(name: FocusedTool['name'], turn: FocusedTool['turn']): void {
  const { tools } = useApp();
  const { tab } = useView();
  useEffect(() => tools.publish(tab, { name, turn }));
}
