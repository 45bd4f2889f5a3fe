import type { ScreenProps } from '../../../registry/commands/command.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { KeymapEditor } from './KeymapEditor.tsx';

/** `/settings?section=keys`: the keys of every command, as a table and as JSON. */
export function Screen({ command }: ScreenProps) {
  return (
    <SettingsPage command={command}>
      <SetList>
        <SetCard label="Keys">
          <KeymapEditor />
        </SetCard>
      </SetList>
    </SettingsPage>
  );
}
