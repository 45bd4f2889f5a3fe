import type { ReactNode } from 'react';
import { plainTitle, type RouteCommand } from '../../registry/commands/command.ts';
import type { Hint } from '../keyboard/Hints.tsx';
import { Page } from './Page.tsx';
import { SettingsNavigation } from './SettingsNavigation.tsx';

interface SettingsPageProps {
  /** The command of the page; its title is the page's unless another is given. */
  readonly command: RouteCommand;
  readonly title?: ReactNode;
  /** One line beside the title. */
  readonly about?: ReactNode;
  readonly actions?: ReactNode;
  readonly status?: ReactNode;
  readonly hints?: readonly Hint[];
  readonly children: ReactNode;
}

/** A page of the settings: the settings' navigation at its side, above it in narrow windows. */
export function SettingsPage({ command, title, children, ...rest }: SettingsPageProps) {
  return (
    <Page title={title ?? plainTitle(command)} mode="SETTINGS" {...rest}>
      <div className="flex min-w-0 items-start gap-4 narrow:flex-col narrow:items-stretch narrow:gap-3">
        <SettingsNavigation current={command} />
        <div className="flex min-w-0 flex-1 flex-col gap-3">{children}</div>
      </div>
    </Page>
  );
}
