import { useQuery } from '@tanstack/react-query';
import { useData } from '../data/port.ts';
import type { SelectOption } from '../kit/Select.tsx';
import { roleOptionsOf } from './team-role.ts';

/** The options of a select of team roles, with what each may do in the company now. */
export function useRoleOptions(): readonly SelectOption[] {
  const { queries } = useData();
  return roleOptionsOf(useQuery(queries.roles).data);
}
