import { Suspense } from 'react';
import type { ObjectRef } from '../../../registry/commands/invocation.ts';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import type { MenuPlace } from '../../kit/menu-place.ts';
import type { ListColumns } from './use-list-columns.ts';
import type { ListRows } from './use-list-rows.ts';
import { lazyPart } from '../../kit/lazy-part.ts';

const ActionMenu = lazyPart(async () => (await import('../actions/ActionMenu.tsx')).ActionMenu);
const ColumnsMenu = lazyPart(async () => (await import('./ColumnsMenu.tsx')).ColumnsMenu);

/** Which menu of a list is open: that of a row, or the choice of columns. */
export type OpenMenu =
  | { readonly of: 'row'; readonly uid: string; readonly place: MenuPlace }
  | { readonly of: 'columns'; readonly place: MenuPlace };

interface ListMenusProps {
  readonly menu: OpenMenu | undefined;
  readonly kind: KindFacts;
  readonly look: ListColumns;
  readonly rows: ListRows;
  readonly onClose: () => void;
}

/** The menu of a list that is open. That of a selected row acts on all that are selected. */
export function ListMenus({ menu, ...rest }: ListMenusProps) {
  return <Suspense>{menu !== undefined && <Menu menu={menu} {...rest} />}</Suspense>;
}

function Menu({ menu, kind, look, rows, onClose }: ListMenusProps & { readonly menu: OpenMenu }) {
  if (menu.of === 'columns')
    return (
      <ColumnsMenu
        place={menu.place}
        columns={kind.columns}
        choice={look.choice}
        hasUsage={look.hasUsage}
        onChoose={look.choose}
        onClose={onClose}
      />
    );
  const ref = rows.refOf(menu.uid);
  if (ref === undefined) return null;
  const [first, ...others] = rows.selection.uids.has(menu.uid) ? rows.selected : [ref];
  const refs: readonly [ObjectRef, ...ObjectRef[]] = [first ?? ref, ...others];
  return (
    <ActionMenu
      place={menu.place}
      refs={refs}
      targets={refs.length === 1 ? rows.targetsOf(menu.uid) : []}
      onClose={onClose}
    />
  );
}
