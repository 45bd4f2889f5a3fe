import { Ellipsis, X } from 'lucide-react';
import { lazy, Suspense, useState } from 'react';
import type { KindFacts } from '../../registry/kind-facts.ts';
import { type MenuPlace, placeBelow } from '../ui/menu-place.ts';
import type { Refs } from '../actions/acting.ts';
import { plainAction } from '../actions/outcome.ts';
import { useApp } from '../app/context.ts';
import { actionsOf } from '../kinds/actions.ts';
import { mayAct } from '../data/may-act.ts';
import { Button, IconButton } from '../ui/Button.tsx';
import { Icon } from '../ui/icons.tsx';

const loadMenu = () => import('../actions/ActionMenu.tsx');
const ActionMenu = lazy(async () => ({ default: (await loadMenu()).ActionMenu }));

interface BulkBarProps {
  readonly kind: KindFacts;
  readonly refs: Refs;
  readonly onClear: () => void;
}

/** How many rows are selected, and what can be done with them. */
export function BulkBar({ kind, refs, onClear }: BulkBarProps) {
  const app = useApp();
  const [menu, setMenu] = useState<MenuPlace | undefined>(undefined);
  const subject = { type: 'objects', refs, from: 'args' } as const;
  const may = mayAct(app, Number(refs[0].cluster), kind);
  const allowed = actionsOf(kind).filter((action) => action.single !== true && may(action));
  const shown = [
    ...allowed.filter(({ prominent }) => prominent === true).slice(0, 1),
    ...allowed.filter(({ id }) => id === 'object.delete'),
  ];
  return (
    <span className="row bulk">
      <span className="semi">{refs.length} selected</span>
      {shown.map((action) => (
        <Button
          key={action.id}
          size="sm"
          variant="secondary"
          title={plainAction(action)}
          icon={<Icon name={action.icon} />}
          onClick={() => app.run(action.id, {}, { subject })}
        >
          <span className="lbl @max-[23rem]:sr-only">{plainAction(action)}</span>
        </Button>
      ))}
      <IconButton
        label="More actions on the selected rows"
        size="sm"
        variant="secondary"
        aria-haspopup="menu"
        aria-expanded={menu !== undefined}
        onPointerEnter={() => void loadMenu()}
        onClick={({ currentTarget }) => setMenu(placeBelow(currentTarget))}
      >
        <Ellipsis size={14} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
      <IconButton label="Clear the selection" keyHint="Esc" size="sm" onClick={onClear}>
        <X size={14} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
      {menu !== undefined && (
        <Suspense>
          <ActionMenu place={menu} refs={refs} onClose={() => setMenu(undefined)} />
        </Suspense>
      )}
    </span>
  );
}
