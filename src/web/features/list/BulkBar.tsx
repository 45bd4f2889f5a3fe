import { cva } from 'class-variance-authority';
import { Ellipsis, X } from 'lucide-react';
import { Suspense, useState } from 'react';
import type { KindFacts } from '../../../registry/kinds/kind-facts.ts';
import { type MenuPlace, placeBelow } from '../../kit/menu-place.ts';
import type { Refs } from '../actions/acting.ts';
import { plainAction } from '../actions/outcome.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { actionsOf } from '../../core/kinds/actions.ts';
import { mayAct } from '../../data/may-act.ts';
import { Button, IconButton } from '../../kit/Button.tsx';
import { Icon } from '../../kit/icons.tsx';
import { lazyPart } from '../../kit/lazy-part.ts';

const loadMenu = () => import('../actions/ActionMenu.tsx');
const ActionMenu = lazyPart(async () => (await loadMenu()).ActionMenu);

interface BulkBarProps {
  readonly kind: KindFacts;
  readonly refs: Refs;
  /** It stands in the status line, not in the bar above the rows. */
  readonly isInLine: boolean;
  readonly onClear: () => void;
}

const look = cva('flex min-w-0 items-center text-(length:--text-xs) whitespace-nowrap', {
  variants: { isInLine: { true: 'gap-2 narrow:gap-0', false: 'gap-2' } },
});
/** Where there is no room for words the icons say them. */
const wordsLook = cva('', {
  variants: { isInLine: { true: 'narrow:sr-only', false: '@max-[23rem]:sr-only' } },
});

/** How many rows are selected, and what can be done with them. */
export function BulkBar({ kind, refs, isInLine, onClear }: BulkBarProps) {
  const { run } = useCommands();
  const { queryClient, queries } = useData();
  const [menu, setMenu] = useState<MenuPlace | undefined>(undefined);
  const size = isInLine ? 'line' : 'sm';
  const subject = { type: 'objects', refs, from: 'args' } as const;
  const may = mayAct({ queryClient, queries }, Number(refs[0].cluster), kind);
  const allowed = actionsOf(kind).filter((action) => action.single !== true && may(action));
  const shown = [
    ...allowed.filter(({ prominent }) => prominent === true).slice(0, 1),
    ...allowed.filter(({ id }) => id === 'object.delete'),
  ];
  return (
    <span className={look({ isInLine })} data-part="bulk">
      <span className="font-semibold">{refs.length} selected</span>
      {shown.map((action) => (
        <Button
          key={action.id}
          size={size}
          variant="secondary"
          title={plainAction(action)}
          icon={<Icon name={action.icon} />}
          onClick={() => run(action.id, {}, { subject })}
        >
          <span className={wordsLook({ isInLine })}>{plainAction(action)}</span>
        </Button>
      ))}
      <IconButton
        label="More actions on the selected rows"
        size={size}
        variant="secondary"
        aria-haspopup="menu"
        aria-expanded={menu !== undefined}
        onPointerEnter={() => void loadMenu()}
        onClick={({ currentTarget }) => setMenu(placeBelow(currentTarget))}
      >
        <Ellipsis size={14} strokeWidth={1.75} aria-hidden="true" />
      </IconButton>
      <IconButton label="Clear the selection" keyHint="Esc" size={size} onClick={onClear}>
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
