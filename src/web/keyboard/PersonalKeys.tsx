import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import type { KeyOverride } from '../../contract/keymap.ts';
import { useData } from '../data/port.ts';
import { useKeyboard } from './port.ts';
import { isValidUser } from '../data/valid-user.ts';

const noOverrides: readonly KeyOverride[] = [];

/** Keeps the keymap equal to the one that the server stores for the signed-in person. */
export function PersonalKeys() {
  const { queries } = useData();
  const { keymap } = useKeyboard();
  const user = useQuery(queries.session).data;
  const isPerson = user !== undefined && user !== null && isValidUser(user);
  const { data } = useQuery({ ...queries.keymap(user?.id ?? 0), enabled: isPerson });
  const overrides = isPerson ? (data ?? noOverrides) : noOverrides;
  useEffect(() => keymap.setOverrides(overrides), [keymap, overrides]);
  return null;
}
