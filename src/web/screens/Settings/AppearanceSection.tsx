import type { ScreenProps } from '../../../registry/commands/command.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { ChangesChoice } from './ChangesChoice.tsx';
import { ThemeChoice } from './ThemeChoice.tsx';

/** `/settings?section=appearance`: the theme, and what becomes of changes that a single key asks for. */
export function Screen({ command }: ScreenProps) {
  return (
    <SettingsPage command={command}>
      <SetList>
        <SetCard title="Theme">
          <ThemeChoice />
        </SetCard>
        <SetCard title="Changes">
          <ChangesChoice />
        </SetCard>
      </SetList>
    </SettingsPage>
  );
}
