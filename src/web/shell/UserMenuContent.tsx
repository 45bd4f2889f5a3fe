import { DropdownMenu } from 'radix-ui';
import { Fragment, useState } from 'react';
import type { User } from '../../contract/account.ts';
import { plainTitle } from '../../registry/command.ts';
import { useApp } from '../app/context.ts';
import { contextOf, mayOf } from '../app/moment.ts';
import { KeysOf } from '../keyboard/Keys.tsx';
import { useCell } from '../state/state.ts';
import { Icon } from '../ui/icons.tsx';
import { useMenuOverlay } from './use-overlay.ts';

interface UserMenuContentProps {
  readonly user: User;
  readonly initials: string;
}

const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const;

/** The menu under the initials: whatever commands have their place there. Open from its first moment. */
export function UserMenuContent({ user, initials }: UserMenuContentProps) {
  const app = useApp();
  const [isOpen, setOpen] = useState(true);
  const isLeaving = useCell(app.leaving);
  const theme = useCell(app.appearance, (state) => state.theme);
  useMenuOverlay(isOpen);
  const entries = app.registry.at('user-menu', contextOf(app), mayOf(app));
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <DropdownMenu.Trigger className="avatar" aria-label={`${initials}, account of ${user.name}`}>
        {initials}
      </DropdownMenu.Trigger>
      <DropdownMenu.Content className="menu user-menu" align="end" sideOffset={6} collisionPadding={8}>
        <DropdownMenu.Label className="who">
          <span className="avatar" aria-hidden="true">
            {initials}
          </span>
          <span className="grow two">
            <b className="semi trunc">{user.name}</b>
            <span className="sub trunc">{user.email}</span>
          </span>
        </DropdownMenu.Label>
        {entries.map((command) => (
          <Fragment key={command.id}>
            {command.id === 'session.logout' && <DropdownMenu.Separator className="mi-line" />}
            <DropdownMenu.Item
              className="mi"
              disabled={command.id === 'session.logout' && isLeaving}
              onSelect={(event) => {
                if (command.id === 'appearance.setTheme') event.preventDefault();
                app.run(command.id, {}, { source: 'menu' });
              }}
            >
              <Icon name={command.icon} />
              <span className="grow">
                {command.id === 'session.logout' && isLeaving ? 'Logging out...' : plainTitle(command)}
              </span>
              {command.id === 'appearance.setTheme' && <span className="muted">{themes[theme]}</span>}
              <KeysOf command={command} />
            </DropdownMenu.Item>
          </Fragment>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}
