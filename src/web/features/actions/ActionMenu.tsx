import { actionFactsById } from '../../../../commands/kinds/later-facts.ts';
import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { plainTitle } from '../../../registry/commands/command.ts';
import { sentenceOf } from '../../../registry/commands/execute.ts';
import type { RowTarget } from '../../../registry/kinds/cell-link.ts';
import type { ActionFacts } from '../../../registry/kinds/kind-facts.ts';
import { objectViewsOf } from '../../../registry/commands/object-views.ts';
import { useCommands } from '../../core/commands.ts';
import { useData } from '../../data/port.ts';
import { useWhole } from '../../core/use-whole.ts';
import { actionsOf } from '../../core/kinds/actions.ts';
import { useMay } from '../../data/may-act.ts';
import { objectPath } from '../../data/object-path.ts';
import { KeysOf } from '../../keyboard/Keys.tsx';
import { Icon } from '../../kit/icons.tsx';
import type { MenuPlace } from '../../kit/menu-place.ts';
import { WhyNotItem } from '../../frame/WhyNotItem.tsx';
import { PlacedMenu } from '../../kit/PlacedMenu.tsx';
import { menuItem, menuLine, menuNothing, menuSub } from '../../kit/menu.ts';
import type { Refs } from './acting.ts';
import { actionsFor } from './actions-for.ts';
import { useActionStates, useRefusedActions } from './use-action-states.ts';

interface ActionMenuProps {
  readonly place: MenuPlace;
  readonly refs: Refs;
  /** Other objects that the row of the one object names. */
  readonly targets?: readonly RowTarget[];
  readonly onClose: () => void;
}

/**
 * The menu of one or several objects: links to their pages when there is one object, then the actions the person may
 * do.
 */
export function ActionMenu(props: ActionMenuProps) {
  return useWhole(props.onClose) ? <Entries {...props} /> : null;
}

function Entries({ place, refs, targets = [], onClose }: ActionMenuProps) {
  const { run, services, registry } = useCommands();
  const { kinds } = useData();
  // The chosen entry runs after the menu has closed: otherwise a dialog would return the focus to an entry that is
  // gone.
  const chosen = useRef<() => void>(undefined);
  const choose = (start: () => void) => () => {
    chosen.current = start;
  };
  const [first] = refs;
  const may = useMay(first.cluster);
  const states = useActionStates(refs);
  const refused = useRefusedActions(refs) ?? [];
  const actions = actionsFor(actionsOf(kinds.orUnknown(first.cluster, first.kind)), states.data);
  const isOne = refs.length === 1;
  const tools = objectViewsOf(registry.commands, first.kind, may, refs.length);
  const copies = objectViewsOf(registry.commands, first.kind, may, refs.length, 'row-menu');
  const subject = { type: 'objects', refs, from: 'args' } as const;
  return (
    <PlacedMenu
      place={place}
      className="max-w-80 min-w-56"
      label={isOne ? `Actions on ${first.name}` : `Actions on ${refs.length} objects`}
      onClose={onClose}
      onClosed={() => chosen.current?.()}
    >
      {((isOne && objectPath(first) !== undefined) || (!isOne && tools.length > 0)) && (
        <>
          {isOne && (
            <DropdownMenu.Item className={menuItem()} onSelect={choose(() => services.objects.open(first))}>
              <Icon name="open" />
              <span className="min-w-0 flex-1">Open</span>
              <KeysOf id="table.open" />
            </DropdownMenu.Item>
          )}
          {tools.map((command) => (
            <DropdownMenu.Item
              key={command.id}
              className={menuItem()}
              onSelect={choose(() => run(command.id, {}, { subject, source: 'menu' }))}
            >
              <Icon name={command.icon} />
              <span className="min-w-0 flex-1">{plainTitle(command)}</span>
              <KeysOf id={command.id} />
            </DropdownMenu.Item>
          ))}
          <DropdownMenu.Separator className={menuLine} />
        </>
      )}
      {targets.map(({ title, icon, href }) => (
        <DropdownMenu.Item
          key={href}
          className={menuItem()}
          onSelect={choose(() => services.workspace.open(href))}
        >
          <Icon name={icon} />
          <span className="min-w-0 flex-1 truncate">{title}</span>
        </DropdownMenu.Item>
      ))}
      {targets.length > 0 && <DropdownMenu.Separator className={menuLine} />}
      {copies.map((command) => (
        <DropdownMenu.Item
          key={command.id}
          className={menuItem()}
          onSelect={choose(() => run(command.id, {}, { subject, source: 'menu' }))}
        >
          <Icon name={command.icon} />
          <span className="min-w-0 flex-1">{plainTitle(command)}</span>
          <KeysOf id={command.id} />
        </DropdownMenu.Item>
      ))}
      <DropdownMenu.Separator className={menuLine} />
      {states.isPending && <p className={menuNothing}>Loading the actions…</p>}
      {states.isError && <p className={menuNothing}>{sentenceOf(states.error)}</p>}
      {states.isSuccess && actions.length === 0 && (
        <p className={menuNothing}>You cannot change anything here.</p>
      )}
      {actions.map(({ action, reason }) => (
        <ActionItem
          key={action.id}
          action={action}
          reason={reason}
          onSelect={choose(() => run(action.id, {}, { subject, source: 'menu' }))}
        />
      ))}
      <WhyNotItem isLacking={refused.length > 0} onSelect={choose(() => run('help.whyNot'))} />
    </PlacedMenu>
  );
}

interface ActionItemProps {
  readonly action: ActionFacts;
  readonly reason: string | undefined;
  readonly onSelect: () => void;
}

function ActionItem({ action, reason, onSelect }: ActionItemProps) {
  return (
    <DropdownMenu.Item
      className={menuItem({ isDanger: action.dangerous === true })}
      disabled={reason !== undefined}
      title={reason === undefined ? actionFactsById(action.id)?.description : undefined}
      onSelect={onSelect}
    >
      <Icon name={action.icon} />
      <span className="flex min-w-0 flex-1 flex-col leading-4">
        {action.title}
        {reason !== undefined && <span className={menuSub}>{reason}</span>}
      </span>
      {reason === undefined && <KeysOf id={action.id} />}
    </DropdownMenu.Item>
  );
}
