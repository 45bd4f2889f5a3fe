import type { ScreenProps } from '../../../registry/commands/command.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { LeaveCard } from './LeaveCard.tsx';
import { Profile } from './Profile.tsx';

/** `/settings?section=profile`: who the person is, and their password. */
export function Screen({ command }: ScreenProps) {
  return (
    <SettingsPage command={command}>
      <SetList>
        <SetCard label="Profile">
          <Profile />
        </SetCard>
        <LeaveCard />
      </SetList>
    </SettingsPage>
  );
}
