import { useQuery } from '@tanstack/react-query';
import type { ScreenProps } from '../../../registry/commands/command.ts';
import { useData } from '../../data/port.ts';
import { SettingsPage } from '../../frame/SettingsPage.tsx';
import { ErrorAlert } from '../../kit/ErrorAlert.tsx';
import { SkeletonRows, useLongWait } from '../../kit/ScreenPending.tsx';
import { SetCard, SetList } from '../../kit/SetCard.tsx';
import { ModelForm } from './ModelForm.tsx';
import { Receiver } from './Receiver.tsx';
import { TokenBudget } from './TokenBudget.tsx';
import { WithheldData } from './WithheldData.tsx';

/** `/settings?section=ai-chat`: the model that answers in the chats of the organisation, for its Owners. */
export function Screen({ command }: ScreenProps) {
  const { queries } = useData();
  const chatModel = useQuery(queries.chatModel);
  const isLong = useLongWait(chatModel.isPending);
  const { data } = chatModel;
  const { entered } = data ?? { entered: null };
  return (
    <SettingsPage
      command={command}
      about="The model that answers after the rules, what it receives, and its limits"
    >
      <ErrorAlert
        title="Could not load the model of the chats."
        error={chatModel.error}
        onRetry={() => void chatModel.refetch()}
        isRetrying={chatModel.isFetching}
      />
      {chatModel.isPending && isLong && <SkeletonRows isFramed />}
      {data !== undefined && (
        <SetList>
          <Receiver chatModel={data} />
          <SetCard title="Model of your organisation">
            <ModelForm key={JSON.stringify(entered)} entered={entered} environment={data.environment} />
          </SetCard>
          <WithheldData key={data.withheld.join(' ')} chatModel={data} />
          <TokenBudget key={`${data.personLimit} ${data.companyLimit}`} chatModel={data} />
        </SetList>
      )}
    </SettingsPage>
  );
}
