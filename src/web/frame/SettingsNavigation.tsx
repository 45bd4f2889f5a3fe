import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { hrefOf, plainTitle, type RouteCommand, settingsGroups } from '../../registry/commands/command.ts';
import { useCommands } from '../core/commands.ts';
import { useWhole } from '../core/use-whole.ts';
import { Button } from '../kit/Button.tsx';
import { Icon } from '../kit/icons.tsx';
import { PlaceLink } from '../kit/Link.tsx';
import { menuBox, menuItem } from '../kit/menu.ts';
import { useMenuOverlay } from '../kit/use-overlay.ts';
import { useCell } from '../core/state/state.ts';
import { useWorkspace } from '../workspace/port.ts';
import { useWaiting } from './use-waiting.ts';

interface GroupOfPages {
  readonly name: string;
  readonly pages: readonly RouteCommand[];
}

/** The pages of the settings that the person may open, by group: whatever routes have their place there. */
function useSettingsPages(): readonly GroupOfPages[] {
  const { moment, registry } = useCommands();
  // All of them at once: half a navigation would move under the pointer.
  if (!useWhole()) return [];
  return settingsGroups.flatMap((name) => {
    const pages = registry
      .at(`settings ${name}`, { ...moment.context(), shell: 'app' }, moment.may())
      .filter((command) => command.type === 'route');
    return pages.length === 0 ? [] : [{ name, pages }];
  });
}

/** The navigation of the settings: a list of links, or in narrow windows a menu. */
export function SettingsNavigation({ current }: { readonly current: RouteCommand }) {
  const groups = useSettingsPages();
  // Pages of a cluster's settings are those of the selected one; they are not listed without one.
  const clusterId = useCell(useWorkspace().workspace.state, (state) => state.clusterId);
  const waiting = useWaiting();
  return (
    <>
      <nav aria-label="Settings" className="sticky top-0 flex w-44 flex-none flex-col gap-3 narrow:hidden">
        {groups.map(({ name, pages }) => (
          <section key={name} aria-label={name}>
            <h2 className="px-2 pb-1 text-(length:--text-2xs) font-medium text-text-3">{name}</h2>
            <ul className="flex flex-col">
              {pages.map((page) => (
                <li key={page.id}>
                  <PlaceLink
                    className="flex min-h-7 items-center rounded-sm px-2 text-text no-underline hover:bg-row-hover aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-text"
                    href={hrefOf(page, { clusterId: String(clusterId) })}
                    aria-current={isIn(page, current) ? 'page' : undefined}
                  >
                    {plainTitle(page)} <Waiting text={waiting[page.id]} />
                  </PlaceLink>
                </li>
              ))}
            </ul>
          </section>
        ))}
      </nav>
      <NarrowNavigation groups={groups} waiting={waiting} current={current} />
    </>
  );
}

/** Whether a page is the one that is shown, or the one above it: a team stands below the teams. */
function isIn(page: RouteCommand, current: RouteCommand): boolean {
  if (page.id === current.id) return true;
  return page.section === undefined && page.path !== '/settings' && current.path.startsWith(`${page.path}/`);
}

interface NarrowNavigationProps {
  readonly groups: readonly GroupOfPages[];
  readonly waiting: ReturnType<typeof useWaiting>;
  readonly current: RouteCommand;
}

/** What waits on a page. */
function Waiting({ text }: { readonly text: string | undefined }) {
  if (text === undefined) return null;
  return <span className="ml-auto pl-2 text-xs text-text-3">{text}</span>;
}

function NarrowNavigation({ groups, waiting, current }: NarrowNavigationProps) {
  const { run } = useCommands();
  const [isOpen, setOpen] = useState(false);
  useMenuOverlay(isOpen);
  return (
    <nav aria-label="Settings" className="hidden narrow:block">
      <DropdownMenu.Root open={isOpen} onOpenChange={setOpen} modal={false}>
        <DropdownMenu.Trigger asChild>
          <Button variant="secondary" className="w-full justify-between">
            {plainTitle(current)}
            <Icon name="chevron" />
          </Button>
        </DropdownMenu.Trigger>
        <DropdownMenu.Content className={`${menuBox} w-(--radix-dropdown-menu-trigger-width)`} align="start">
          {groups.map(({ name, pages }) => (
            <DropdownMenu.Group key={name}>
              <DropdownMenu.Label className="px-2 pt-2 pb-1 text-xs text-text-3">{name}</DropdownMenu.Label>
              {pages.map((page) => (
                <DropdownMenu.Item
                  key={page.id}
                  className={menuItem()}
                  onSelect={() => run(page.id, {}, { source: 'menu' })}
                >
                  <Icon name={page.icon} />
                  {plainTitle(page)} <Waiting text={waiting[page.id]} />
                </DropdownMenu.Item>
              ))}
            </DropdownMenu.Group>
          ))}
        </DropdownMenu.Content>
      </DropdownMenu.Root>
    </nav>
  );
}
