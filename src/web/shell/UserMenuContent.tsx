import { useQuery } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Fragment, useState } from 'react';
import type { User } from '../../contract/account.ts';
import type { OwnCompany } from '../../contract/companies.ts';
import { plainTitle } from '../../registry/commands/command.ts';
import { useCommands } from '../core/commands.ts';
import { useKept } from '../core/state/port.ts';
import { useData } from '../data/port.ts';
import { useSignIn } from '../data/sign-in.ts';
import { KeysOf } from '../keyboard/Keys.tsx';
import { useCell } from '../core/state/state.ts';
import { WhyNotItem } from '../frame/WhyNotItem.tsx';
import { useWaiting } from '../frame/use-waiting.ts';
import { Icon } from '../kit/icons.tsx';
import { menuBox, menuItem, menuLine, menuTick } from '../kit/menu.ts';
import { avatar } from './sidebar-look.ts';
import { useMenuOverlay } from '../kit/use-overlay.ts';

interface UserMenuContentProps {
  readonly user: User;
  readonly initials: string;
}

const themes = { system: 'System', light: 'Light', dark: 'Dark' } as const;

/** The menu under the initials: the commands that have their place there. Open as soon as it is mounted. */
export function UserMenuContent({ user, initials }: UserMenuContentProps) {
  const { moment, registry, run, whole } = useCommands();
  const { appearance } = useKept();
  const { leaving } = useSignIn();
  const { queries } = useData();
  const waiting = useWaiting();
  // A session that a company's provider opened may not ask: the menu says nothing then.
  const companies = useQuery({ ...queries.ownCompanies, retry: false }).data?.companies ?? [];
  const [isOpen, setOpen] = useState(true);
  const isLeaving = useCell(leaving);
  const theme = useCell(appearance, (state) => state.theme);
  useMenuOverlay(isOpen);
  const entries = registry.at('user-menu', moment.context(), moment.may());
  const refused = registry.refusedAt('user-menu', moment.context(), moment.may());
  const askWhy = () => {
    // Where the other commands cannot be had, that was said.
    whole().then(
      () => run('help.whyNot', {}, { source: 'menu' }),
      () => undefined,
    );
  };
  return (
    <DropdownMenu.Root open={isOpen} onOpenChange={setOpen} modal={false}>
      <DropdownMenu.Trigger
        className={avatar({ size: 'bar' })}
        aria-label={`${initials}, account of ${user.name}`}
      >
        {initials}
      </DropdownMenu.Trigger>
      <DropdownMenu.Content className={`${menuBox} w-66`} align="end" sideOffset={6} collisionPadding={8}>
        <DropdownMenu.Label className="mb-1 flex items-center gap-2.5 border-b border-border px-2 pt-2 pb-2.5">
          <span className={avatar({ size: 'menu' })} aria-hidden="true">
            {initials}
          </span>
          <span className="flex min-w-0 flex-1 flex-col leading-4">
            <b className="min-w-0 truncate font-semibold">{user.name}</b>
            <span className="min-w-0 truncate text-xs text-text-3">{user.email}</span>
          </span>
        </DropdownMenu.Label>
        {companies.length > 1 && <CompanyItems companies={companies} />}
        {entries.map((command) => (
          <Fragment key={command.id}>
            {command.id === 'session.logout' && (
              <>
                <WhyNotItem isLacking={refused.length > 0} onSelect={askWhy} />
                <DropdownMenu.Separator className={menuLine} />
              </>
            )}
            <DropdownMenu.Item
              className={menuItem()}
              disabled={command.id === 'session.logout' && isLeaving}
              onSelect={(event) => {
                if (command.id === 'appearance.setTheme') event.preventDefault();
                run(command.id, {}, { source: 'menu' });
              }}
            >
              <Icon name={command.icon} />
              <span className="min-w-0 flex-1">
                {command.id === 'session.logout' && isLeaving ? 'Logging out...' : plainTitle(command)}
              </span>
              {command.id === 'appearance.setTheme' && (
                <span className="text-text-3 group-data-highlighted/item:text-text-2">{themes[theme]}</span>
              )}
              {waiting[command.id] !== undefined && (
                <span className="text-text-3 group-data-highlighted/item:text-text-2">
                  {waiting[command.id]}
                </span>
              )}
              <KeysOf command={command} />
            </DropdownMenu.Item>
          </Fragment>
        ))}
      </DropdownMenu.Content>
    </DropdownMenu.Root>
  );
}

/** The person's companies, the current one marked: choosing another switches to it. */
function CompanyItems({ companies }: { readonly companies: readonly OwnCompany[] }) {
  const { run, whole } = useCommands();
  const current = String(companies.find(({ isCurrent }) => isCurrent)?.companyId);
  const choose = (chosen: string) => {
    if (chosen === current) return;
    // Where the other commands cannot be had, that was said.
    whole().then(
      () => run('company.switch', { companyId: Number(chosen) }, { source: 'menu' }),
      () => undefined,
    );
  };
  return (
    <>
      <DropdownMenu.RadioGroup
        aria-label="Organisations"
        className="max-h-44 overflow-y-auto"
        value={current}
        onValueChange={choose}
      >
        {companies.map(({ companyId, name }) => (
          <DropdownMenu.RadioItem key={companyId} className={menuItem()} value={String(companyId)}>
            <Icon name="teams" />
            <span className="min-w-0 flex-1 truncate" title={name}>
              {name}
            </span>
            <DropdownMenu.ItemIndicator>
              <Check className={menuTick} size={14} strokeWidth={1.75} aria-hidden="true" />
            </DropdownMenu.ItemIndicator>
          </DropdownMenu.RadioItem>
        ))}
      </DropdownMenu.RadioGroup>
      <DropdownMenu.Separator className={menuLine} />
    </>
  );
}
