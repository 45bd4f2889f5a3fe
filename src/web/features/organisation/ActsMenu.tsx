import { DropdownMenu } from 'radix-ui';
import { useRef } from 'react';
import { plainTitle } from '../../../registry/commands/command.ts';
import { WhyNotItem } from '../../frame/WhyNotItem.tsx';
import { useCommands } from '../../core/commands.ts';
import { useWhole } from '../../core/use-whole.ts';
import { KeysOf } from '../../keyboard/Keys.tsx';
import { Icon } from '../../kit/icons.tsx';
import type { MenuPlace } from '../../kit/menu-place.ts';
import { menuItem, menuSub } from '../../kit/menu.ts';
import { PlacedMenu } from '../../kit/PlacedMenu.tsx';

interface ActsMenuProps {
  readonly of: 'person' | 'invitation' | 'trouble';
  /** The arguments of its commands: the person or invitation, and what is known of them. */
  readonly args: Readonly<Record<string, unknown>>;
  /** Names whom it is about. */
  readonly label: string;
  readonly place: MenuPlace;
  readonly onClose: () => void;
}

/** The menu of a person, an invitation or a trouble: the commands that are declared for it. */
export function ActsMenu(props: ActsMenuProps) {
  return useWhole(props.onClose) ? <Entries {...props} /> : null;
}

function Entries({ of, args, label, place: at, onClose }: ActsMenuProps) {
  const { registry, moment, run } = useCommands();
  // The chosen entry runs after the menu has closed: otherwise a dialog would return the focus to an entry that is gone.
  const chosen = useRef<() => void>(undefined);
  const place = `${of}-menu`;
  const context = { ...moment.context(), overlay: 'none' } as const;
  const commands = registry.at(place, context, moment.may());
  const refused = registry.refusedAt(place, context, moment.may());
  return (
    <PlacedMenu
      place={at}
      className="max-w-80 min-w-56"
      label={label}
      onClose={onClose}
      onClosed={() => chosen.current?.()}
    >
      {commands.map((command) => {
        const enabled =
          command.type !== 'action' || command.enabled === undefined
            ? true
            : command.enabled({ args, subject: { type: 'none' }, source: 'menu', target: 'here' });
        return (
          <DropdownMenu.Item
            key={command.id}
            className={menuItem({ isDanger: command.type === 'action' && command.dangerous === true })}
            disabled={enabled !== true}
            onSelect={() => {
              chosen.current = () => run(command.id, args, { source: 'menu' });
            }}
          >
            <Icon name={command.icon} />
            <span className="flex min-w-0 flex-1 flex-col leading-4">
              {plainTitle(command)}
              {enabled !== true && <span className={menuSub}>{enabled}</span>}
            </span>
            {enabled === true && <KeysOf id={command.id} />}
          </DropdownMenu.Item>
        );
      })}
      <WhyNotItem
        isLacking={refused.length > 0}
        onSelect={() => {
          chosen.current = () => run('help.whyNot');
        }}
      />
    </PlacedMenu>
  );
}
